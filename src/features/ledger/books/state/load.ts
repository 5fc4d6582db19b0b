import { formatDay } from '../../../../base/day.ts';
import { nextTurn } from '../../../../base/deadline.ts';
import type { Sql } from '../../../../db/connection.ts';
import { transitAccount } from '../../../../engine/book/own-accounts.ts';
import type { StoredOrder } from '../../../../engine/lot-methods.ts';
import type { Book } from '../../../../engine/replay.ts';
import { unpackLot, withLots } from '../../../../engine/resume/packed.ts';
import type { FirstLots, PoolWorkingSet, WorkingSet } from '../../../../engine/resume/working-set.ts';
import type { BookScope } from '../facts/facts.queries.ts';
import type { Checkpoint } from './checkpoints.ts';
import {
  type LotVersion,
  type PackedLots,
  type PackedVersions,
  type PoolScope,
  type StoredLotRow,
  selectFirstLots,
  selectLotsSince,
  selectLotVersions,
  selectOtherLots,
  selectStoredLots,
} from './lots/lots.queries.ts';
import { unpackLots, unpackVersions } from './lots/packed-lots.ts';
import type { StoredLots, VersionedLot } from './lots/versioned-lots.ts';

/** The state of a checkpoint with its lots: either all lots, or only those that new rows can affect. */
export interface LoadedState {
  readonly book: Book;
  /** The loaded lots. */
  readonly base: readonly VersionedLot[];
  /** The rows of loaded lots that have not changed since the checkpoint. */
  readonly lots: readonly StoredLotRow[];
  /** The lot versions of this and later checkpoints. */
  readonly versions: readonly LotVersion[];
  /** The rows of lots that have changed since the checkpoint. Null if they were not read. */
  readonly since: readonly StoredLotRow[] | null;
  /** The first lots that were read from each pool. Empty if all lots are loaded. */
  readonly firsts: readonly FirstLots[];
}

/** Loads the complete state of one book. */
export async function loadWhole(
  sql: Sql,
  { taxpayerId, book }: BookScope,
  checkpoint: Checkpoint,
): Promise<LoadedState> {
  const loaded = await loadCheckpoints(sql, taxpayerId, new Map([[book, checkpoint]]));
  return loaded.get(book) as LoadedState;
}

export function nothingLoaded(book: Book): LoadedState {
  return { book, base: [], lots: [], versions: [], since: null, firsts: [] };
}

/** All lots of a book, and the lot versions of a checkpoint and later ones. */
export interface PackedState {
  readonly lots: readonly PackedLots[];
  readonly versions: readonly PackedVersions[];
}

/**
 * Selects the packed state of each book. `days` contains the day of the checkpoint for each book. Sends both queries at
 * once, so the database works on the second while the first result is read.
 */
export async function selectPackedStates(
  sql: Sql,
  taxpayerId: string,
  days: ReadonlyMap<string, string>,
): Promise<Map<string, PackedState>> {
  const [lots, versions] = await Promise.all([
    selectStoredLots(sql, taxpayerId, new Map([...days.keys()].map((book) => [book, null]))),
    selectLotVersions(sql, taxpayerId, days),
  ]);
  const [lotsOf, versionsOf] = [Map.groupBy(lots, bookOf), Map.groupBy(versions, bookOf)];
  return new Map(
    [...days.keys()].map((book) => [book, { lots: lotsOf.get(book) ?? [], versions: versionsOf.get(book) ?? [] }]),
  );
}

export async function loadPacked(checkpoint: Checkpoint, { lots, versions }: PackedState): Promise<LoadedState> {
  const [unchanged, since]: [StoredLotRow[], StoredLotRow[]] = [[], []];
  for (const lot of lots.flatMap(unpackLots)) (isInCheckpoint(checkpoint, lot) ? unchanged : since).push(lot);
  return { ...(await loadState(checkpoint, unchanged, versions.flatMap(unpackVersions))), since };
}

/** Loads the complete state of each book. */
export async function loadCheckpoints(
  sql: Sql,
  taxpayerId: string,
  checkpoints: ReadonlyMap<string, Checkpoint>,
): Promise<Map<string, LoadedState>> {
  const days = new Map([...checkpoints].map(([book, { day }]) => [book, day]));
  const versions = Map.groupBy(await selectLotVersions(sql, taxpayerId, earlierDays(checkpoints)), bookOf);
  const lots = Map.groupBy(await selectStoredLots(sql, taxpayerId, days), bookOf);
  const loaded = new Map<string, LoadedState>();
  for (const [book, checkpoint] of checkpoints) {
    const bookLots = (lots.get(book) ?? []).flatMap(unpackLots);
    loaded.set(book, await loadState(checkpoint, bookLots, (versions.get(book) ?? []).flatMap(unpackVersions)));
  }
  return loaded;
}

/**
 * Returns the days of the checkpoints that need lot versions. The last checkpoint of a book needs none, because all its
 * lots equal their rows.
 */
function earlierDays(checkpoints: ReadonlyMap<string, Checkpoint>): Map<string, string> {
  return new Map([...checkpoints].flatMap(([book, { day, last }]) => (last ? [] : [[book, day]])));
}

/** A part of a book to load, with at least this number of lots from each pool. */
export interface PartialLoadRequest {
  readonly checkpoint: Checkpoint;
  readonly workingSet: WorkingSet;
  readonly lotsAtLeast: number;
}

/** Loads only the lots that new rows can affect. */
export async function loadWorkingSets(
  sql: Sql,
  taxpayerId: string,
  parts: ReadonlyMap<string, PartialLoadRequest>,
): Promise<Map<string, LoadedState>> {
  if (parts.size === 0) return new Map();
  const days = earlierDays(new Map([...parts].map(([book, { checkpoint }]) => [book, checkpoint])));
  const dayOf = (book: string): string | null => days.get(book) ?? null;
  const versions = Map.groupBy(await selectLotVersions(sql, taxpayerId, days), bookOf);
  const wanted = [...parts].map(([book, { workingSet }]) => {
    const { labels, transits, purchasedFrom } = workingSet;
    return { book, day: dayOf(book), purchasedFrom: formatDay(purchasedFrom), labels, transits };
  });
  const others = Map.groupBy(await selectOtherLots(sql, taxpayerId, wanted, transitAccount), bookOf);
  const pools = [...parts].flatMap(([book, { workingSet, lotsAtLeast: limit }]) =>
    workingSet.pools.map((pool) => ({ ...pool, book, day: dayOf(book), limit })),
  );
  const firsts: FirstLotRows[] = [];
  for (const [order, own] of Map.groupBy(pools, (pool) => pool.order)) {
    firsts.push(...(await selectFirst(sql, taxpayerId, order, own)));
  }
  const firstsOf = Map.groupBy(firsts, bookOf);
  const loaded = new Map<string, LoadedState>();
  for (const [book, { checkpoint }] of parts) {
    const [own, found] = [others.get(book) ?? [], firstsOf.get(book) ?? []];
    const lots = new Map([...own, ...found.flatMap(({ rows }) => rows)].map((lot) => [lot.id, lot]));
    const since = (versions.get(book) ?? []).flatMap(unpackVersions);
    loaded.set(book, { ...(await loadState(checkpoint, [...lots.values()], since)), firsts: found });
  }
  return loaded;
}

/** A state that is about to change, and its checkpoint. Null if the replay starts from the beginning. */
interface LoadedFrom {
  readonly loaded: LoadedState;
  readonly checkpoint: Checkpoint | null;
}

/**
 * Returns the lot rows that were read for these states, and the rows of lots that have changed since their checkpoints.
 */
export async function storedLots(
  sql: Sql,
  taxpayerId: string,
  states: ReadonlyMap<string, LoadedFrom>,
): Promise<Map<string, StoredLots>> {
  const unread = [...states].filter(([, { loaded }]) => loaded.since === null);
  const days = new Map(unread.map(([book, { checkpoint }]) => [book, checkpoint?.day ?? null]));
  const since = Map.groupBy(await selectLotsSince(sql, taxpayerId, days), bookOf);
  const begun = [...states].filter(([, { checkpoint }]) => checkpoint === null);
  const all = await selectLotVersions(sql, taxpayerId, new Map(begun.map(([book]) => [book, null])));
  const versions = Map.groupBy(all, bookOf);
  return new Map(
    [...states].map(([book, { loaded, checkpoint }]) => {
      const changed = loaded.since ?? (since.get(book) ?? []).flatMap(unpackLots);
      const known = checkpoint === null ? (versions.get(book) ?? []).flatMap(unpackVersions) : loaded.versions;
      return [book, { lots: [...loaded.lots, ...changed], versions: known }];
    }),
  );
}

function bookOf({ book }: { readonly book: string }): string {
  return book;
}

function isInCheckpoint({ day }: Checkpoint, { validFrom }: StoredLotRow | LotVersion): boolean {
  return validFrom === null || validFrom < day;
}

async function loadState(
  checkpoint: Checkpoint,
  lots: readonly StoredLotRow[],
  versions: readonly LotVersion[],
): Promise<LoadedState> {
  const base: VersionedLot[] = [];
  for (const row of [...lots, ...versions.filter((version) => isInCheckpoint(checkpoint, version))]) {
    const { id, validFrom, state } = row;
    base.push({ id, validFrom, state, lot: unpackLot(state), row, seen: 0 });
    if (base.length % lotsPerTurn === 0) await nextTurn();
  }
  const open = base.map(({ lot }) => lot);
  return { book: withLots(checkpoint.withoutLots, open), base, lots, versions, since: null, firsts: [] };
}

/** Unpacking this number of lots takes a few milliseconds. */
const lotsPerTurn = 1_000;

type FirstLotRows = FirstLots & { readonly book: string; readonly rows: readonly StoredLotRow[] };

/** Selects enough lots to cover the units that may leave the pool, plus one. */
async function selectFirst(
  sql: Sql,
  taxpayerId: string,
  order: StoredOrder,
  pools: readonly (PoolWorkingSet & PoolScope)[],
): Promise<FirstLotRows[]> {
  const rows = Map.groupBy(await selectFirstLots(sql, taxpayerId, pools, order), (row) => row.at);
  const firstLots = pools.map(({ book, key, account, limit }, at) => {
    const poolRows = rows.get(at + 1) ?? [];
    return {
      book,
      key,
      account,
      all: poolRows.length < limit,
      rows: poolRows,
      lots: poolRows.map((lot) => unpackLot(lot.state)),
    };
  });
  const short = pools.filter((pool, at) => !covers(firstLots[at], pool.units));
  if (short.length === 0) return firstLots;
  const more = await selectFirst(
    sql,
    taxpayerId,
    order,
    short.map((pool) => ({ ...pool, limit: pool.limit * timesMore })),
  );
  return [...firstLots.filter((_, at) => !short.includes(pools[at] as (typeof pools)[number])), ...more];
}

export const timesMore = 4;

function covers(first: FirstLots | undefined, units: bigint): boolean {
  if (first === undefined || first.all) return true;
  let sum = 0n;
  for (const lot of first.lots) sum += lot.quantity;
  return sum > units;
}
