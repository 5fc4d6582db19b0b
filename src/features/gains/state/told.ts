import { type Day, yearOf } from '../../../base/day.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Fact, TaxYearSummary } from '../../../engine/model.ts';
import { addToDays, type Days, digestOf, type FactsOfDay } from '../facts/days.ts';
import { summaryOf } from '../summaries.ts';

/** What a replay tells, day by day: as it is stored, and with a digest of each day as soon as it is over. */
export class Told {
  /** Until they are summed. */
  facts: readonly Fact[] = [];
  /** Of all of them, once they are summed. */
  summaries: readonly TaxYearSummary[] = [];
  readonly byDay = new Map<Day, FactsOfDay>();
  private readonly digests = new Map<Day, string>();
  private readonly all: Fact[] = [];

  constructor() {
    this.facts = this.all;
  }

  take(facts: readonly Fact[]): void {
    addToDays(this.byDay, facts);
    for (const fact of facts) this.all.push(fact);
    // Now and not when all is told: texts that were put together piece by piece become one, a fraction of their size.
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
    const summaries: TaxYearSummary[] = [];
    for (const [year, facts] of Map.groupBy(this.all, (fact) => yearOf(fact.on))) {
      await nextTurn();
      summaries.push(summaryOf(year, facts));
    }
    this.summaries = summaries;
    this.facts = [];
    this.all.length = 0;
  }
}
