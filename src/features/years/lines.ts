import { formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Line } from '../../engine/model.ts';
import { linesOf } from '../../engine/rules/year/year.ts';
import { selectFactsOn } from '../books/facts/queries.ts';
import { type LineCursor, selectDisposalsAfter, type Within } from './queries.ts';

/** In the order of the database, by which the next page goes on: so many lines and one more, where there are. */
export async function readLinesAfter(
  sql: Sql,
  taxpayerId: string,
  within: Within,
  after: LineCursor | null,
  limit: number,
): Promise<Line[]> {
  const disposals = await selectDisposalsAfter(sql, taxpayerId, within, after, limit + 1);
  const days = [...new Set(disposals.map((one) => formatDay(one.on)))];
  const washSales = await selectFactsOn(sql, 'wash', { taxpayerId }, days);
  const lines = new Map(linesOf(disposals, washSales).map((line) => [line.disposal.id, line]));
  return disposals.flatMap(({ id }) => lines.get(id) ?? []);
}
