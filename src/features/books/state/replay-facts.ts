import { type Day, yearOf } from '../../../base/day.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Fact, TaxYearSummary } from '../../../engine/model.ts';
import { type Days, digestOf } from '../facts/days.ts';
import { summaryOf } from '../summaries/summaries.ts';

/** The facts of a replay by the day that caused them, with a digest of each day. */
export class ReplayFacts {
  readonly byDay = new Map<Day, Fact[]>();
  private readonly digests = new Map<Day, string>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  take(facts: readonly Fact[]): void {
    this.#size += facts.length;
    const days = new Set<Day>();
    for (const fact of facts) {
      const own = this.byDay.get(fact.causedOn);
      if (own === undefined) this.byDay.set(fact.causedOn, [fact]);
      else own.push(fact);
      days.add(fact.causedOn);
    }
    for (const day of days) this.digests.set(day, digestOf(this.byDay.get(day) ?? []));
  }

  /** Of what is caused after the last day there is none yet. */
  digestsUntil(asOf: Day | null): Days {
    return new Map([...this.digests].filter(([day]) => asOf !== null && day <= asOf));
  }

  /** What they come to, by year. */
  async sum(): Promise<TaxYearSummary[]> {
    const summaries: TaxYearSummary[] = [];
    for (const [year, facts] of Map.groupBy([...this.byDay.values()].flat(), (fact) => yearOf(fact.on))) {
      await nextTurn();
      summaries.push(summaryOf(year, facts));
    }
    return summaries;
  }
}
