import { type Day, yearOf } from '../../../base/day.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Fact, TaxYearSummary } from '../../../engine/model.ts';
import { addToDays, type Days, digestOf, type FactsOfDay } from '../facts/days.ts';
import { summaryOf } from '../summaries/summaries.ts';

/** The facts of a replay, day by day: as they are stored, and with a digest of each day as soon as it is over. */
export class ReplayFacts {
  /** None of them any more, once they are summed. */
  readonly all: Fact[] = [];
  /** What they come to by year, once they are summed. */
  readonly summaries: TaxYearSummary[] = [];
  readonly byDay = new Map<Day, FactsOfDay>();
  private readonly digests = new Map<Day, string>();

  take(facts: readonly Fact[]): void {
    addToDays(this.byDay, facts);
    for (const fact of facts) this.all.push(fact);
    // Now and not at the end: texts that were put together piece by piece become one, a fraction of their size.
    for (const day of new Set(facts.map((fact) => fact.causedOn))) {
      const own = this.byDay.get(day);
      if (own !== undefined) this.digests.set(day, digestOf(own));
    }
  }

  /** Of what is caused after the last day there is none yet. */
  digestsUntil(asOf: Day | null): Days {
    return new Map([...this.digests].filter(([day]) => asOf !== null && day <= asOf));
  }

  /** Nobody asks for the facts one by one: what they come to is all that is kept beside what is stored. */
  async sum(): Promise<void> {
    for (const [year, facts] of Map.groupBy(this.all, (fact) => yearOf(fact.on))) {
      await nextTurn();
      this.summaries.push(summaryOf(year, facts));
    }
    this.all.length = 0;
  }
}
