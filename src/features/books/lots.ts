import { type Day, formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Lot } from '../../engine/model.ts';
import { type Book, emptyBook, openLots, replay } from '../../engine/replay.ts';
import { addValuations } from '../prices/valuations.ts';
import { toElections } from '../transactions/elections.ts';
import { parseDayColumn } from '../transactions/rows/columns.ts';
import { selectBooks, selectHistoriesUntil, selectLastDay, selectTaxpayer } from './queries.ts';
import { stampOf, unpackCheckpoint } from './state/checkpoints.ts';
import { loadCheckpoints } from './state/load.ts';
import { selectCheckpointsOn } from './state/queries.ts';

/** Returns the lots that are open at the end of a day, in order of acquisition. */
export async function openLotsOn(sql: Sql, taxpayerId: string, on: Day): Promise<Lot[]> {
  return (await booksOn(sql, taxpayerId, on)).flatMap(openLots).sort(byAge);
}

/** Returns the books at the end of a day. Replays each book from its last checkpoint before that day. */
export async function booksOn(sql: Sql, taxpayerId: string, on: Day): Promise<Book[]> {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(taxpayer.settings, taxpayer.time_zone);
  const stamp = stampOf(rules);
  const until = formatDay(on);
  const last = await selectLastDay(sql, taxpayerId);
  const through = last === null || last > until ? on : parseDayColumn(last);
  const members = Map.groupBy(await selectBooks(sql, taxpayerId), (row) => row.book);
  const kept = await selectCheckpointsOn(sql, taxpayerId, until, stamp);
  const states = await loadCheckpoints(
    sql,
    taxpayerId,
    new Map(kept.map(({ book, ...row }) => [book, unpackCheckpoint(row, false)])),
  );
  const histories = Map.groupBy(await selectHistoriesUntil(sql, taxpayerId, until, stamp), (row) => row.book);
  const books: Book[] = [];
  for (const [book, keys] of members) {
    const start = states.get(book)?.book ?? emptyBook();
    const history = histories.get(book);
    const names = new Set(keys.map((row) => row.asset_key));
    const end =
      history === undefined
        ? start
        : replay(start, await addValuations(sql, taxpayerId, history), rules, names, { through }).book;
    books.push(end);
  }
  return books;
}

export function byAge(a: Pick<Lot, 'acquired' | 'id'>, b: Pick<Lot, 'acquired' | 'id'>): number {
  return a.acquired - b.acquired || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
