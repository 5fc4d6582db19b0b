import { type Day, yearOf } from '../../../../base/day.ts';
import { nextTurn } from '../../../../base/deadline.ts';
import { isSummed } from '../../../../engine/facts.ts';
import type { Fact, TaxYearSummary } from '../../../../engine/model.ts';
import { isDeniable, type LineTotals, YearTotals } from '../../../../engine/rules/year/year-totals.ts';
import { computeDigest, type Days } from '../facts/days.ts';
import type { FactWriter } from '../facts/writer.ts';
import { summarizeFacts } from '../summaries/summaries.ts';

/**
 * Collects the facts of a replay by the day that caused them. Computes a digest for each day, to compare it with the
 * digest of the stored facts.
 */
export class ComparedFacts {
  readonly kind = 'compared';
  readonly byDay = new Map<Day, Fact[]>();
  private readonly digests = new DayDigests();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  take(facts: readonly Fact[]): void {
    this.#size += facts.length;
    for (const [day, own] of this.digests.add(facts)) {
      const known = this.byDay.get(day);
      if (known === undefined) this.byDay.set(day, [...own]);
      else known.push(...own);
    }
  }

  digestsUntil(asOf: Day | null): Days {
    return this.digests.digestsThrough(asOf);
  }

  /** Returns the totals of the facts by year. */
  async sum(): Promise<TaxYearSummary[]> {
    const summaries: TaxYearSummary[] = [];
    for (const [year, facts] of Map.groupBy([...this.byDay.values()].flat().filter(isSummed), (fact) =>
      yearOf(fact.on),
    )) {
      await nextTurn();
      summaries.push(summarizeFacts(year, facts));
    }
    return summaries;
  }
}

/**
 * Handles the facts of a book without stored facts. Writes and sums the facts as they arrive and does not keep them in
 * memory, because the facts from a million rows would take hundreds of megabytes.
 */
export class WrittenFacts {
  readonly kind = 'written';
  private readonly digests = new DayDigests();
  private readonly years = new Map<number, YearTotals>();
  /** The lines whose loss a wash sale may still disallow, by disposal id. */
  private readonly deniable = new Map<string, LineTotals>();
  /** The disallowed amounts of wash sales that arrived before their disposal, by disposal id. */
  private readonly ahead = new Map<string, bigint>();
  #size = 0;

  constructor(
    private readonly book: string,
    private readonly writer: FactWriter,
  ) {}

  get size(): number {
    return this.#size;
  }

  take(facts: readonly Fact[]): void {
    this.#size += facts.length;
    this.digests.add(facts);
    for (const fact of facts) {
      this.writer.add(this.book, fact);
      this.count(fact);
    }
  }

  digestsUntil(asOf: Day | null): Days {
    return this.digests.digestsThrough(asOf);
  }

  /** Returns the totals of the facts by year. */
  async sum(): Promise<TaxYearSummary[]> {
    return [...this.years.values()].map((totals) => totals.summary());
  }

  private count(fact: Fact): void {
    if (!isSummed(fact)) return;
    const year = this.getYearTotals(fact);
    switch (fact.kind) {
      case 'disposal': {
        const isLoss = isDeniable(fact);
        const line = year.addDisposal(fact, isLoss ? (this.ahead.get(fact.id) ?? 0n) : 0n);
        if (isLoss) this.deniable.set(fact.id, line);
        break;
      }
      case 'wash': {
        year.addWash(fact);
        const line = this.deniable.get(fact.disposalId);
        if (line !== undefined) line.addDeniedLoss(fact.disallowed);
        else this.ahead.set(fact.disposalId, (this.ahead.get(fact.disposalId) ?? 0n) + fact.disallowed);
        break;
      }
      case 'income':
        year.addIncome(fact);
        break;
      case 'contract_1256':
        year.addContract(fact);
        break;
      case 'issue':
        year.addIssues(1);
        break;
      default:
        fact satisfies never;
    }
  }

  private getYearTotals({ on }: Fact): YearTotals {
    const year = yearOf(on);
    let totals = this.years.get(year);
    if (totals === undefined) {
      totals = new YearTotals(year);
      this.years.set(year, totals);
    }
    return totals;
  }
}

class DayDigests {
  private readonly digests = new Map<Day, string>();

  /** Adds the facts to the digests of their days. Returns the facts by day. */
  add(facts: readonly Fact[]): Map<Day, readonly Fact[]> {
    const days = byCause(facts);
    for (const [day, own] of days) this.digests.set(day, computeDigest(own, this.digests.get(day)));
    return days;
  }

  /** Returns the digests of the days through `asOf`, or none if it is null. Later days have no digest yet. */
  digestsThrough(asOf: Day | null): Days {
    return new Map([...this.digests].filter(([day]) => asOf !== null && day <= asOf));
  }
}

/** Groups the facts by the day that caused them. Usually, all of them have the same day. */
function byCause(facts: readonly Fact[]): Map<Day, readonly Fact[]> {
  const day = facts[0]?.causedOn;
  if (day !== undefined && facts.every(({ causedOn }) => causedOn === day)) return new Map([[day, facts]]);
  return Map.groupBy(facts, ({ causedOn }) => causedOn);
}
