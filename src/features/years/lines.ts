import { formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Line } from '../../engine/model.ts';
import { linesOf } from '../../engine/rules/year/year.ts';
import { selectFactsOn } from '../books/facts/queries.ts';
import { type DayRange, type LineCursor, selectDisposalsAfter } from './queries.ts';

/** Reads a page of lines in the order of the database, and one more that shows whether another page follows. */
export async function readLinesAfter(
  sql: Sql,
  taxpayerId: string,
  within: DayRange,
  after: LineCursor | null,
  limit: number,
): Promise<Line[]> {
  const disposals = await selectDisposalsAfter(sql, taxpayerId, within, after, limit + 1);
  const days = [...new Set(disposals.map((one) => formatDay(one.on)))];
  const washSales = await selectFactsOn(sql, 'wash', { taxpayerId }, days);
  const lines = new Map(linesOf(disposals, washSales).map((line) => [line.disposal.id, line]));
  return disposals.flatMap(({ id }) => lines.get(id) ?? []);
}
