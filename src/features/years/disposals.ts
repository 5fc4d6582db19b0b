import { addDays, formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Disposal } from '../../engine/model.ts';
import { compareDisposals, type LinePlace } from '../../engine/rules/year/year.ts';
import { selectDisposals } from '../books/facts/queries.ts';
import { dayOf } from '../transactions/rows/columns.ts';
import { selectLastDayOf, type Within } from './queries.ts';

/** In the order of lines, after one of them: so many and one more, where there are. */
export async function readDisposals(
  sql: Sql,
  taxpayerId: string,
  within: Within,
  after: LinePlace | null,
  limit: number,
): Promise<Disposal[]> {
  const day = after === null ? null : formatDay(after.on);
  const from = day ?? within.from;
  // Those of the day of the last page may be told already, all of them.
  const last = await selectLastDayOf(sql, taxpayerId, { ...within, from }, limit + 1, day);
  if (last === null) return [];
  const before = formatDay(addDays(dayOf(last), 1));
  const found = await selectDisposals(sql, { taxpayerId, before, ...(from === null ? {} : { from }) });
  return found
    .filter((one) => after === null || compareDisposals(one, after) > 0)
    .sort(compareDisposals)
    .slice(0, limit + 1);
}
