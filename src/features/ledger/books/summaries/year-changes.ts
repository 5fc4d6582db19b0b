import { formatCents, roundToCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import type { TaxYearSummary } from '../../../../engine/model.ts';
import { rowOf } from '../../../../engine/transaction-types.ts';
import { totalsText } from '../../../../forms/figures.ts';
import type { TryChange } from '../../../../http/years-preview.ts';
import { inTurnTakenBack } from '../../transactions/turn.ts';
import { type Carryover, carryoverFromText } from './carryover.ts';
import { summaryFromText } from './netting.ts';
import { selectYears, type YearRow } from './summaries.queries.ts';

/** The years at one moment, for comparison with later ones. */
type YearsSeen = ReadonlyMap<number, YearRow>;

export async function readYearsSeen(sql: Sql, taxpayerId: string): Promise<YearsSeen> {
  return new Map((await selectYears(sql, taxpayerId)).map((row) => [row.year, row]));
}

/** Returns the changed years in the format of the API. */
export function yearChanges(before: YearsSeen, after: YearsSeen) {
  const years = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return years
    .filter((year) => textOf(before.get(year)) !== textOf(after.get(year)))
    .map((year) => ({ year, before: toFigures(before.get(year)), after: toFigures(after.get(year)) }));
}

function textOf(row: YearRow | undefined): string | undefined {
  return row === undefined ? undefined : `${row.summary} ${row.carryover}`;
}

function toFigures(row: YearRow | undefined) {
  if (row === undefined) return null;
  const summary: TaxYearSummary = summaryFromText(row.summary);
  const carryover: Carryover = carryoverFromText(row.carryover);
  const received = summary.income.filter(({ type }) => rowOf(type).isWithheld !== true);
  const income = received.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    shortTerm: totalsText(summary.shortTerm),
    longTerm: totalsText(summary.longTerm),
    total: totalsText(summary.total),
    washSaleDisallowed: formatCents(summary.washSaleDisallowed),
    income: formatCents(roundToCents(income as Parameters<typeof roundToCents>[0])),
    deductible: formatCents(carryover.deductible),
    issues: summary.issues,
  };
}

/** Returns a function that shows the effect of a change on the tax years and stores nothing. */
export const createTryChange =
  (deps: Deps): TryChange =>
  (taxpayerId, work) =>
    inTurnTakenBack(deps, taxpayerId, async (sql) => {
      const before = await readYearsSeen(sql, taxpayerId);
      const result = await work(sql);
      return { ...result, preview: { years: yearChanges(before, await readYearsSeen(sql, taxpayerId)) } };
    });
