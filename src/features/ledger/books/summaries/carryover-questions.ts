import { type Day, dayOf } from '../../../../base/day.ts';
import { type Cents, formatCents } from '../../../../base/decimal.ts';
import type { Issue, TaxYearSummary } from '../../../../engine/model.ts';
import { type Elections, getFilingStatus } from '../../transactions/elections.ts';
import { type CarriedLosses, carryThrough } from './carryover.ts';

/**
 * Raises an issue if a couple files jointly for one year and separately for the next, or the other way around. After a
 * joint return, each spouse takes the part of the carried loss that came from their own losses. A joint return adds the
 * losses of both spouses (26 CFR 1.1212-1(c)(1)). The books contain neither amount. The issue appears once for each
 * such year until the settings contain the carryover into that year.
 */
export function carryoverIssues(
  summaries: readonly TaxYearSummary[],
  elections: Elections,
  /** The row that each year's issue refers to. */
  rowBefore: ReadonlyMap<number, string> = new Map(),
): Issue[] {
  if (elections.filingStatusByYear.size === 0 || summaries.length === 0) return [];
  const reached = Math.max(...elections.filingStatusByYear.keys(), ...summaries.map(({ year }) => year));
  // Also checks the year after the last one, because a year without a sale carries losses too and the filing status may
  // change.
  return [...carryThrough(summaries, elections, reached + 1)].flatMap(([year, { in: into }]) => {
    if (elections.carryover.has(year)) return [];
    const question = findCarryoverQuestion(year, into, elections);
    // Asks about the spouse's loss only once the books include the year of the joint return.
    if (question === null || (year > reached && question.dollars === null)) return [];
    const row = rowBefore.get(year);
    return [toCarryoverIssue(year, question, row === undefined ? [] : [row])];
  });
}

/** Returns the years whose filing status differs from the previous year. */
export function yearsOfOtherStatus(elections: Elections): number[] {
  const named = [...elections.filingStatusByYear.keys()].flatMap((year) => [year, year + 1]);
  return [...new Set(named)].filter(
    (year) => getFilingStatus(elections, year) !== getFilingStatus(elections, year - 1),
  );
}

interface CarriedBetween {
  /** The amount in cents. Null for the spouse's loss. */
  readonly dollars: Cents | null;
  readonly detail: string;
}

function findCarryoverQuestion(
  year: number,
  { short, long }: CarriedLosses,
  elections: Elections,
): CarriedBetween | null {
  const [before, now] = [getFilingStatus(elections, year - 1), getFilingStatus(elections, year)];
  const dollars = (short + long) as Cents;
  if (before === 'mfj' && now !== 'mfj' && dollars > 0n) {
    const parts = `$${formatCents(short)} of short-term and $${formatCents(long)} of long-term loss`;
    return {
      dollars,
      detail:
        `${parts} are carried into ${year} from a joint return. On your own return, you can use only the part from your own losses ` +
        `(26 CFR 1.1212-1(c)(1)(iii)). We use the full amount until you enter your part as the carryover into ${year} in the settings.`,
    };
  }
  if (before === 'mfs' && now === 'mfj') {
    return {
      dollars: null,
      detail:
        `You filed separately before the joint return for ${year}. Your spouse's carryover into ${year} also counts (26 CFR ` +
        `1.1212-1(c)(1)(i)), but it is not in these books. Enter the total as the carryover into ${year} in the settings. Your part is ` +
        `$${formatCents(short)} short-term and $${formatCents(long)} long-term.`,
    };
  }
  return null;
}

function toCarryoverIssue(year: number, { dollars, detail }: CarriedBetween, transactions: readonly string[]): Issue {
  const on = dayOf(year, 1, 1) as Day;
  const id = `carryover/0/carryover_to_divide/${year}`;
  const named = { asset: '', account: '', transactions, dollars, detail };
  return { kind: 'issue', causedOn: on, id, issue: 'carryover_to_divide', on, ...named };
}
