import { addDays, type Day, yearOf } from '../../base/day.ts';
import { collectGarbage } from '../../base/garbage.ts';
import type { Fact } from '../../engine/model.ts';
import type { YearFacts } from '../../engine/rules/year/year.ts';
import type { ListName } from '../../forms/report.ts';

type FactsOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>[];

/** Contains every fact for the year, for its lines and its totals. */
export class FactsOfYear implements YearFacts {
  readonly disposals: FactsOf<'disposal'> = [];
  readonly washes: FactsOf<'wash'> = [];
  readonly incomes: FactsOf<'income'> = [];
  readonly contracts: FactsOf<'contract_1256'> = [];
  readonly issues: FactsOf<'issue'> = [];
  readonly gifts: FactsOf<'gift'> = [];
  readonly #byKind: Readonly<Record<Fact['kind'], Fact[]>> = {
    ...{ disposal: this.disposals, wash: this.washes, income: this.incomes },
    ...{ contract_1256: this.contracts, issue: this.issues, gift: this.gifts },
  };

  add(fact: Fact): void {
    this.#byKind[fact.kind].push(fact);
  }

  *all(): Generator<Fact> {
    for (const facts of Object.values(this.#byKind)) yield* facts;
  }

  /** Adds the lists that the report needs. Washes also create lines. */
  join(facts: FactsOfYear, lists: readonly ListName[]): void {
    for (const kind of factKinds)
      if (readers[kind].some((list) => lists.includes(list))) for (const fact of facts.#byKind[kind]) this.add(fact);
    for (const issue of facts.issues) this.issues.push(issue);
  }
}

/** The lists that each kind of fact is read for, besides the issues, which are always read. */
const readers: Readonly<Record<Fact['kind'], readonly ListName[]>> = {
  ...{ disposal: ['lines'], wash: ['lines', 'washSales'], income: ['incomes'], contract_1256: ['contracts'] },
  ...{ issue: [], gift: ['gifts'] },
};
const factKinds = Object.keys(readers) as readonly Fact['kind'][];

/**
 * Collects facts from a book by year, up to a last year. Passes them on when the book ends, and earlier for a large
 * book. A wash is dated on the day of its loss and known 30 days later, so older facts are complete.
 */
export class FactsByYear {
  private years = new Map<number, FactsOfYear>();
  private held = 0;
  private heldMax = factsHeldMax;

  constructor(
    private readonly last: number,
    private readonly hand: (year: number, facts: FactsOfYear) => void,
  ) {}

  /** Adds the facts for one day in the book. */
  add(facts: readonly Fact[]): void {
    let [on, own]: [Day | null, FactsOfYear | undefined] = [null, undefined];
    for (const fact of facts) {
      if (fact.on !== on) {
        on = fact.on;
        own = this.of(yearOf(on));
      }
      if (own === undefined) continue;
      own.add(fact);
      this.held += 1;
    }
    const today = facts[0]?.causedOn;
    if (this.held > this.heldMax && today !== undefined) this.settle(addDays(today, -daysOpen));
  }

  /** Passes on the facts up to that day, or all facts without a day. */
  settle(until: Day | null): void {
    const years = this.years;
    this.years = new Map();
    this.held = 0;
    for (const [year, facts] of years) {
      if (until === null) {
        this.hand(year, facts);
        continue;
      }
      const settled = new FactsOfYear();
      for (const fact of facts.all()) {
        if (fact.on <= until) settled.add(fact);
        else {
          this.of(year)?.add(fact);
          this.held += 1;
        }
      }
      this.hand(year, settled);
    }
    this.heldMax = factsHeldMax + this.held;
    if (until !== null) collectGarbage();
  }

  private of(year: number): FactsOfYear | undefined {
    if (year > this.last) return undefined;
    const yearFacts = this.years.get(year) ?? new FactsOfYear();
    this.years.set(year, yearFacts);
    return yearFacts;
  }
}

const factsHeldMax = 200_000;
const daysOpen = 62;
