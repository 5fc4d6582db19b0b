import { addDays, type Day, yearOf } from '../../base/day.ts';
import { collectGarbage } from '../../base/garbage.ts';
import type { Fact } from '../../engine/model.ts';
import type { YearFacts } from '../../engine/rules/year/year.ts';
import type { ListName } from '../../forms/report.ts';

/** Contains every fact for the year, for its lines and its totals. */
export class FactsOfYear implements YearFacts {
  readonly disposals: Extract<Fact, { kind: 'disposal' }>[] = [];
  readonly washes: Extract<Fact, { kind: 'wash' }>[] = [];
  readonly incomes: Extract<Fact, { kind: 'income' }>[] = [];
  readonly contracts: Extract<Fact, { kind: 'contract_1256' }>[] = [];
  readonly issues: Extract<Fact, { kind: 'issue' }>[] = [];
  readonly gifts: Extract<Fact, { kind: 'gift' }>[] = [];

  add(fact: Fact): void {
    switch (fact.kind) {
      case 'disposal':
        this.disposals.push(fact);
        break;
      case 'wash':
        this.washes.push(fact);
        break;
      case 'income':
        this.incomes.push(fact);
        break;
      case 'contract_1256':
        this.contracts.push(fact);
        break;
      case 'issue':
        this.issues.push(fact);
        break;
      case 'gift':
        this.gifts.push(fact);
        break;
      default:
        fact satisfies never;
    }
  }

  *all(): Generator<Fact> {
    yield* this.disposals;
    yield* this.washes;
    yield* this.incomes;
    yield* this.contracts;
    yield* this.issues;
    yield* this.gifts;
  }

  /** Adds the lists that the report needs. Washes also create lines. */
  join(facts: FactsOfYear, lists: readonly ListName[]): void {
    for (const issue of facts.issues) this.issues.push(issue);
    if (lists.includes('gifts')) for (const gift of facts.gifts) this.gifts.push(gift);
    if (lists.includes('incomes')) for (const income of facts.incomes) this.incomes.push(income);
    if (lists.includes('contracts')) for (const contract of facts.contracts) this.contracts.push(contract);
    if (lists.includes('lines')) for (const disposal of facts.disposals) this.disposals.push(disposal);
    if (!lists.includes('lines') && !lists.includes('washSales')) return;
    for (const wash of facts.washes) this.washes.push(wash);
  }
}

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
