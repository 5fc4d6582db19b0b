import { addDays, type Day, formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import { lapsesBetween } from '../../engine/book/expiry.ts';
import { inclusionEnd } from '../../engine/rules/opportunity-funds/include.ts';
import { yearEndsBetween } from '../../engine/rules/year/year-end.ts';
import { dayOf } from '../transactions/rows/columns.ts';
import { type Touched, touch } from '../transactions/rows/touched.ts';
import type { Membership } from './plan.ts';
import { selectDeferralKeys, selectLastDay, selectThrough, selectWindowKeys, updateThrough } from './queries.ts';

export interface Horizon {
  /** The last day of any row; null without rows. */
  readonly through: Day | null;
  readonly touched: Touched;
}

/**
 * How far the books are known, and what follows: where the last day of all rows moved, options end or do not whose time
 * is over on a day between (`rules/options/lapse.ts`), contracts are asked about whose year is (`rules/year/year-end.ts`), deferred gains are included (`rules/opportunity-funds/include.ts`), and
 * windows of losses close or open again (`rules/wash-sales/open-windows.ts`), though no row of theirs came or went. `arriving`:
 * the last day of rows that are still to be stored.
 */
export async function moveHorizon(
  sql: Sql,
  taxpayerId: string,
  changed: Touched,
  stored: readonly Membership[],
  arriving: Day | null,
): Promise<Horizon> {
  const found = mappedDay(await selectLastDay(sql, taxpayerId));
  const lastDay = arriving !== null && (found === null || arriving > found) ? arriving : found;
  const last = lastDay === null ? null : formatDay(lastDay);
  const before = await selectThrough(sql, taxpayerId);
  if (last === before) return { through: mappedDay(last), touched: changed };
  await updateThrough(sql, taxpayerId, last);
  const [from, until] = [mappedDay(before), mappedDay(last)].sort((a, b) => (a ?? noDay) - (b ?? noDay));
  const touched = new Map(changed);
  const keys = stored.map((row) => row.asset_key);
  const [after, to] = [from ?? noDay, until ?? noDay];
  const ends = [...lapsesBetween(keys, after, to), ...yearEndsBetween(keys, after, to)];
  for (const { key, on } of ends) touch(touched, key, on);
  if (after < inclusionEnd && to >= inclusionEnd) {
    for (const key of await selectDeferralKeys(sql, taxpayerId)) touch(touched, key, inclusionEnd);
  }
  const windows = { through: formatDay(lastDay ?? noDay), reopened: lastDay === after ? formatDay(to) : null };
  for (const key of await selectWindowKeys(sql, taxpayerId, windows)) touch(touched, key, addDays(after, 1));
  return { through: mappedDay(last), touched };
}

const noDay = -25_567 as Day; // 1900-01-01

function mappedDay(text: string | null): Day | null {
  return text === null ? null : dayOf(text);
}
