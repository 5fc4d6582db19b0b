import { inflateRawSync } from 'node:zlib';
import { formatDay } from '../../../base/day.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Sql } from '../../../db/connection.ts';
import { transitPrefix } from '../../../engine/book/lots.ts';
import type { StoredOrder } from '../../../engine/lot-methods.ts';
import type { Book } from '../../../engine/replay.ts';
import { unpackLot, unpackWithoutLots, withLots } from '../../../engine/resume/packed.ts';
import type { FirstLots, PoolWorkingSet, WorkingSet } from '../../../engine/resume/working-set.ts';
import type { BookScope } from '../facts/queries.ts';
import { pastLotsIn, storedLotsIn } from './lots/packed-lots.ts';
import {
  type PackedLots,
  type StoredLot,
  selectFirstLots,
  selectLotsSince,
  selectOtherLots,
  selectStandingLots,
} from './lots/queries.ts';
import { type PackedPastLots, type PastLot, selectPastLots, selectPastLotsOf } from './lots/versions/queries.ts';
import type { CheckpointRow } from './queries.ts';
import type { StandingLot } from './timeline.ts';

/** A state as it was kept: the rest of the book, and where its lots are. */
export interface KeptState {
  readonly day: string;
  readonly rest: Book;
  /** How many lots it has. */
  readonly lots: number;
  /** No later state of the book is kept: none of its lots has changed since. */
  readonly last: boolean;
}

/** A state with lots in it: all, or those that can be touched. */
export interface Loaded {
  readonly book: Book;
  /** Its lots, and where each comes from. */
  readonly base: readonly StandingLot[];
  readonly stored: readonly StoredLot[];
  /** Those of its lots that have changed since, and what became of them before they were what they are now. */
  readonly past: readonly PastLot[];
  /** What is not as it was in the state; null where that was not read. */
  readonly since: readonly StoredLot[] | null;
  /** Empty where all lots are here. */
  readonly firsts: readonly FirstLots[];
}

export function keptStateOf(row: CheckpointRow, last: boolean): KeptState {
  const { day, lots } = row;
  return { day, rest: unpackWithoutLots(inflateRawSync(row.state).toString('utf8')), lots, last };
}

/** Of each year only the last state is kept. */
export function isReplacedBy(kept: KeptState, day: string): boolean {
  return kept.day.slice(0, 4) === day.slice(0, 4);
}

/** All of a state. */
export async function loadWhole(sql: Sql, scope: BookScope, kept: KeptState): Promise<Loaded> {
  const loaded = await loadStates(sql, scope.taxpayerId, new Map([[scope.book, kept]]));
  return loaded.get(scope.book) ?? nothingLoaded(kept.rest);
}

export function nothingLoaded(book: Book): Loaded {
  return { book, base: [], stored: [], past: [], since: null, firsts: [] };
}

/** All lots of a book, and what those were that have changed since a state. */
export interface EarlierLots {
  readonly now: readonly PackedLots[];
  readonly past: readonly PackedPastLots[];
}

/** Asked for at once: the database is at work while what it said first is read. */
export async function selectEarlierLots(sql: Sql, scope: BookScope, day: string): Promise<EarlierLots> {
  const [now, past] = await Promise.all([selectLotsSince(sql, scope, null), selectPastLots(sql, scope, day)]);
  return { now, past };
}

export async function loadEarlier(kept: KeptState, { now, past }: EarlierLots): Promise<Loaded> {
  const [standing, since]: [StoredLot[], StoredLot[]] = [[], []];
  for (const lot of now.flatMap(storedLotsIn)) {
    (lot.after === null || lot.after < kept.day ? standing : since).push(lot);
  }
  return { ...(await loadedOf(kept, standing, past.flatMap(pastLotsIn))), since };
}

/** All of a state of each book. */
export async function loadStates(
  sql: Sql,
  taxpayerId: string,
  kept: ReadonlyMap<string, KeptState>,
): Promise<Map<string, Loaded>> {
  const states = [...kept].map(([book, { day }]) => ({ book, day }));
  const earlier = states.filter(({ book }) => kept.get(book)?.last === false);
  const past = earlier.length === 0 ? [] : await selectPastLotsOf(sql, taxpayerId, earlier);
  const stored = states.length === 0 ? [] : await selectStandingLots(sql, taxpayerId, states);
  const [pastByBook, storedByBook] = [Map.groupBy(past, ({ book }) => book), Map.groupBy(stored, ({ book }) => book)];
  const loaded = new Map<string, Loaded>();
  for (const [book, state] of kept) {
    const own = (storedByBook.get(book) ?? []).flatMap(storedLotsIn);
    loaded.set(book, await loadedOf(state, own, (pastByBook.get(book) ?? []).flatMap(pastLotsIn)));
  }
  return loaded;
}

/** Of a state what can be touched: of each pool at least so many lots. */
export async function loadReached(
  sql: Sql,
  scope: BookScope,
  kept: KeptState,
  reach: WorkingSet,
  lotsAtLeast: number,
): Promise<Loaded> {
  const day = dayOfOthers(kept);
  const past = kept.last ? [] : (await selectPastLots(sql, scope, kept.day)).flatMap(pastLotsIn);
  const others = await selectOtherLots(sql, scope, day, {
    purchasedFrom: formatDay(reach.purchasedFrom),
    labels: reach.labels,
    transits: reach.transits,
    transitAccount: transitPrefix.trim(),
  });
  const stored = new Map(others.map((lot) => [lot.id, lot]));
  const firsts: FirstLots[] = [];
  for (const [order, pools] of Map.groupBy(reach.pools, (pool) => pool.order)) {
    for (const found of await selectFirst(sql, scope, day, order, pools, lotsAtLeast)) {
      firsts.push(found);
      for (const lot of found.stored) stored.set(lot.id, lot);
    }
  }
  return { ...(await loadedOf(kept, [...stored.values()], past)), firsts };
}

/** Of the last state all lots are as they are now; of an earlier one some lie with past lots. */
function dayOfOthers(kept: KeptState): string | null {
  return kept.last ? null : kept.day;
}

async function loadedOf(kept: KeptState, stored: readonly StoredLot[], past: readonly PastLot[]): Promise<Loaded> {
  const then = past.filter((lot) => lot.after === null || lot.after < kept.day);
  const base = await unpacked([...stored, ...then]);
  return { book: bookOf(kept, base), base, stored, past, since: null, firsts: [] };
}

async function unpacked(rows: readonly (StoredLot | PastLot)[]): Promise<StandingLot[]> {
  const base: StandingLot[] = [];
  for (const row of rows) {
    base.push({ id: row.id, after: row.after, state: row.state, lot: unpackLot(row.state), row, seen: 0 });
    if (base.length % lotsPerTurn === 0) await nextTurn();
  }
  return base;
}

function bookOf(kept: KeptState, base: readonly StandingLot[]): Book {
  const lots = base.map(({ lot }) => lot);
  return withLots(kept.rest, lots);
}

/** To unpack so many takes some milliseconds. */
const lotsPerTurn = 1_000;

type Found = FirstLots & { readonly stored: readonly StoredLot[] };

/** Those that cover the units that may leave, and one more. */
async function selectFirst(
  sql: Sql,
  scope: BookScope,
  day: string | null,
  order: StoredOrder,
  pools: readonly PoolWorkingSet[],
  limit: number,
): Promise<Found[]> {
  const rows = Map.groupBy(await selectFirstLots(sql, scope, day, pools, order, limit), (row) => row.at);
  const found = pools.map(({ key, account }, at) => {
    const stored = rows.get(at + 1) ?? [];
    return { key, account, all: stored.length < limit, stored, lots: stored.map((lot) => unpackLot(lot.state)) };
  });
  const short = pools.filter((pool, at) => !covers(found[at], pool.units));
  if (short.length === 0) return found;
  const more = await selectFirst(sql, scope, day, order, short, limit * timesMore);
  return [...found.filter((_, at) => !short.includes(pools[at] as PoolWorkingSet)), ...more];
}

export const timesMore = 4;

function covers(first: FirstLots | undefined, units: bigint): boolean {
  if (first === undefined || first.all) return true;
  let sum = 0n;
  for (const lot of first.lots) sum += lot.quantity;
  return sum > units;
}
