import { type Day, formatDay } from '../../../base/day.ts';
import { nextTurn } from '../../../base/deadline.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Lot } from '../../../engine/model.ts';
import { type Book, emptyBook, openLots, replayDays } from '../../../engine/replay.ts';
import { addValuations } from '../prices/valuations.ts';
import { toElections } from '../transactions/elections.ts';
import { parseCentsColumn, parseDayColumn, parseQuantityColumn } from '../transactions/rows.ts';
import { selectBooks, selectHistoriesUntil, selectLastDay, selectTaxpayer } from './books.queries.ts';
import { loadCheckpoints, stampOf, unpackCheckpoint } from './state/open.ts';
import { selectCheckpointsOn } from './state/state.queries.ts';

/** A lot as read from the database. Days and numbers are text. */
export interface LotRow extends Omit<Lot, 'quantity' | 'basis' | 'acquired' | 'heldSince' | 'purchaseUnknown'> {
  readonly quantity: string;
  readonly basis: string;
  readonly acquired: string;
  readonly heldSince: string;
  readonly purchaseUnknown: boolean;
}

export function toLot({ purchaseUnknown, ...row }: LotRow): Lot {
  return {
    ...row,
    quantity: parseQuantityColumn(row.quantity),
    basis: parseCentsColumn(row.basis),
    acquired: parseDayColumn(row.acquired),
    heldSince: parseDayColumn(row.heldSince),
    ...(purchaseUnknown ? { purchaseUnknown } : {}),
  };
}

/** Returns the lots that are open at the end of a day, in order of acquisition. */
export async function openLotsOn(sql: Sql, taxpayerId: string, on: Day): Promise<Lot[]> {
  return (await booksOn(sql, taxpayerId, on)).flatMap(openLots).sort(byAge);
}

/** Returns the books at the end of a day. */
export async function booksOn(sql: Sql, taxpayerId: string, on: Day): Promise<Book[]> {
  const books: Book[] = [];
  await visitBooks(sql, taxpayerId, [on], (_, book) => books.push(book));
  return books;
}

/**
 * Calls `visit` with each book at the end of each day. The days must be in ascending order. Replays each book once, from
 * its last checkpoint before the first day.
 */
export async function visitBooks(
  sql: Sql,
  taxpayerId: string,
  days: readonly Day[],
  visit: (day: Day, book: Book) => void,
): Promise<void> {
  const [first, on] = [days[0], days.at(-1)];
  if (first === undefined || on === undefined) return;
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(taxpayer.settings, taxpayer.time_zone);
  const stamp = stampOf(rules);
  const [from, until] = [formatDay(first), formatDay(on)];
  const last = await selectLastDay(sql, taxpayerId);
  const through = last === null || last > until ? on : parseDayColumn(last);
  const members = Map.groupBy(await selectBooks(sql, taxpayerId), (row) => row.book);
  const kept = await selectCheckpointsOn(sql, taxpayerId, from, stamp);
  const states = await loadCheckpoints(
    sql,
    taxpayerId,
    new Map(kept.map(({ book, ...row }) => [book, unpackCheckpoint(row, false)])),
  );
  const rows = await selectHistoriesUntil(sql, taxpayerId, { from, until }, stamp);
  const histories = Map.groupBy(rows, (row) => row.book);
  for (const [name, keys] of members) {
    const start = states.get(name)?.book ?? emptyBook();
    const history = histories.get(name);
    let at = 0;
    const visitBefore = (end: Day | null, book: Book): void => {
      for (let day = days[at]; day !== undefined && (end === null || day < end); day = days[at]) {
        visit(day, book);
        at += 1;
      }
    };
    if (history !== undefined) {
      let following: Day | null = null;
      const endsState = (day: Day, next: Day): boolean => {
        visitBefore(day, start);
        following = next;
        return (days[at] as Day) < next;
      };
      const onState = (_year: number, book: Book): void => {
        if (following !== null) visitBefore(following, book);
      };
      const transactions = await addValuations(sql, taxpayerId, history);
      const names = new Set(keys.map((row) => row.asset_key));
      const replaying = replayDays(start, transactions, rules, names, { onState, endsState, through });
      let done = replaying.next();
      for (let turn = 0; !done.done; done = replaying.next()) {
        if (done.value - turn < rowsPerTurn) continue;
        turn = done.value;
        await nextTurn();
      }
      const end = done.value.book;
      visitBefore(end.asOf, start);
      visitBefore(null, end);
    }
    visitBefore(null, start);
  }
}

const rowsPerTurn = 200;

export function byAge(a: Pick<Lot, 'acquired' | 'id'>, b: Pick<Lot, 'acquired' | 'id'>): number {
  return a.acquired - b.acquired || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
