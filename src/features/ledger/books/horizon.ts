import { addDays, type Day, formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { lapsesBetween } from '../../../engine/book/expiry.ts';
import { inclusionEndOf, mayEndDeferral } from '../../../engine/rules/opportunity-funds/include.ts';
import { yearEndsBetween } from '../../../engine/rules/year/year-end.ts';
import { parseDayColumn, type TouchedKeys, touch } from '../transactions/rows/columns.ts';
import { selectInvestments, selectWindowKeys } from './books.queries.ts';
import type { Membership } from './plan.ts';

interface Horizon {
  /** The day of the last row. Null if there are no rows. */
  readonly through: Day | null;
  readonly touched: TouchedKeys;
}

/** Three last days: of the rows used for the current books, of all stored rows, and of rows still to be stored. */
export interface KnownDays {
  readonly before: Day | null;
  readonly found: Day | null;
  readonly arriving: Day | null;
}

/**
 * Updates the last known day of the books and everything that depends on it. If the day of the last row moved, results
 * for the days in between can change even in books without changed rows. Options expire or not
 * (`rules/options/lapse.ts`), contracts get a year-end issue (`rules/year/year-end.ts`), deferred gains are included
 * (`rules/opportunity-funds/include.ts`), and the wash sale windows of losses close or reopen
 * (`rules/wash-sales/open-windows.ts`).
 */
export async function moveHorizon(
  sql: Sql,
  taxpayerId: string,
  changed: TouchedKeys,
  stored: readonly Membership[],
  { before, found, arriving }: KnownDays,
): Promise<Horizon> {
  const lastDay = arriving !== null && (found === null || arriving > found) ? arriving : found;
  if (lastDay === before) return { through: lastDay, touched: changed };
  const [from, until] = [before, lastDay].sort((a, b) => (a ?? noDay) - (b ?? noDay));
  const touched = new Map(changed);
  const keys = stored.map((row) => row.asset_key);
  const [after, to] = [from ?? noDay, until ?? noDay];
  const ends = [...lapsesBetween(keys, after, to), ...yearEndsBetween(keys, after, to)];
  for (const { key, on } of ends) touch(touched, key, on);
  if (mayEndDeferral(after, to)) {
    for (const { key, invested } of await selectInvestments(sql, taxpayerId)) {
      const end = inclusionEndOf(parseDayColumn(invested));
      if (after < end && to >= end) touch(touched, key, end);
    }
  }
  const windows = { through: formatDay(lastDay ?? noDay), reopened: lastDay === after ? formatDay(to) : null };
  for (const key of await selectWindowKeys(sql, taxpayerId, windows)) touch(touched, key, addDays(after, 1));
  return { through: lastDay, touched };
}

const noDay = -25_567 as Day; // 1900-01-01
