import { formatDay } from '../../../base/day.ts';
import { nextTurn } from '../../../base/turn.ts';
import type { Sql } from '../../../db/connection.ts';
import { transitPrefix } from '../../../engine/book/lots.ts';
import type { StoredOrder } from '../../../engine/lot-methods.ts';
import type { Book } from '../../../engine/replay.ts';
import { unpackLot, withLots } from '../../../engine/resume/packed.ts';
import type { FirstLots, PoolWorkingSet, WorkingSet } from '../../../engine/resume/working-set.ts';
import type { BookScope } from '../facts/queries.ts';
import type { Checkpoint } from './checkpoints.ts';
import { unpackLots, unpackVersions } from './lots/packed-lots.ts';
import {
  type LotVersion,
  type PackedLots,
  type PackedVersions,
  type StoredLotRow,
  selectFirstLots,
  selectLotsOf,
  selectLotsSince,
  selectOtherLots,
  selectVersionsOf,
  selectVersionsSince,
} from './lots/queries.ts';
import type { StoredLots, VersionedLot } from './lots/versioned-lots.ts';

/** The state of a checkpoint with lots in it: all, or those that can be touched. */
export interface LoadedState {
  readonly book: Book;
  /** Its lots. */
  readonly base: readonly VersionedLot[];
  /** The rows of its lots that have not changed since. */
  readonly lots: readonly StoredLotRow[];
  /** Versions of that checkpoint and of later ones. */
  readonly versions: readonly LotVersion[];
  /** The rows of lots that have changed since; null where they were not read. */
  readonly since: readonly StoredLotRow[] | null;
  /** Empty where all lots are here. */
  readonly firsts: readonly FirstLots[];
}

/** All of a state. */
export async function loadWhole(sql: Sql, scope: BookScope, checkpoint: Checkpoint): Promise<LoadedState> {
  const loaded = await loadCheckpoints(sql, scope.taxpayerId, new Map([[scope.book, checkpoint]]));
  return loaded.get(scope.book) ?? nothingLoaded(checkpoint.withoutLots);
}

export function nothingLoaded(book: Book): LoadedState {
  return { book, base: [], lots: [], versions: [], since: null, firsts: [] };
}

/** All lots of a book, and its versions of a checkpoint and of later ones. */
export interface PackedState {
  readonly lots: readonly PackedLots[];
  readonly versions: readonly PackedVersions[];
}

/** Asked for at once: the database is at work while what it said first is read. */
export async function selectPackedState(sql: Sql, scope: BookScope, day: string): Promise<PackedState> {
  const [lots, versions] = await Promise.all([selectLotsSince(sql, scope, null), selectVersionsSince(sql, scope, day)]);
  return { lots, versions };
}

export async function loadPacked(checkpoint: Checkpoint, { lots, versions }: PackedState): Promise<LoadedState> {
  const [unchanged, since]: [StoredLotRow[], StoredLotRow[]] = [[], []];
  for (const lot of lots.flatMap(unpackLots)) (isIn(checkpoint, lot) ? unchanged : since).push(lot);
  return { ...(await loadedOf(checkpoint, unchanged, versions.flatMap(unpackVersions))), since };
}

/** All of a state of each book. */
export async function loadCheckpoints(
  sql: Sql,
  taxpayerId: string,
  checkpoints: ReadonlyMap<string, Checkpoint>,
): Promise<Map<string, LoadedState>> {
  const days = new Map([...checkpoints].map(([book, { day }]) => [book, day]));
  const earlier = new Map([...days].filter(([book]) => checkpoints.get(book)?.last === false));
  const packedVersions = earlier.size === 0 ? [] : await selectVersionsOf(sql, taxpayerId, earlier);
  const packedLots = days.size === 0 ? [] : await selectLotsOf(sql, taxpayerId, days);
  const versions = Map.groupBy(packedVersions, ({ book }) => book);
  const lots = Map.groupBy(packedLots, ({ book }) => book);
  const loaded = new Map<string, LoadedState>();
  for (const [book, checkpoint] of checkpoints) {
    const own = (lots.get(book) ?? []).flatMap(unpackLots);
    loaded.set(book, await loadedOf(checkpoint, own, (versions.get(book) ?? []).flatMap(unpackVersions)));
  }
  return loaded;
}

/** Of a state what can be touched: of each pool at least so many lots. */
export async function loadWorkingSet(
  sql: Sql,
  scope: BookScope,
  checkpoint: Checkpoint,
  workingSet: WorkingSet,
  lotsAtLeast: number,
): Promise<LoadedState> {
  // In the last state all lots are as their rows are.
  const day = checkpoint.last ? null : checkpoint.day;
  const versions = day === null ? [] : (await selectVersionsSince(sql, scope, day)).flatMap(unpackVersions);
  const others = await selectOtherLots(sql, scope, day, {
    purchasedFrom: formatDay(workingSet.purchasedFrom),
    labels: workingSet.labels,
    transits: workingSet.transits,
    transitAccount: transitPrefix.trim(),
  });
  const lots = new Map(others.map((lot) => [lot.id, lot]));
  const firsts: FirstLots[] = [];
  for (const [order, pools] of Map.groupBy(workingSet.pools, (pool) => pool.order)) {
    for (const found of await selectFirst(sql, scope, day, order, pools, lotsAtLeast)) {
      firsts.push(found);
      for (const lot of found.rows) lots.set(lot.id, lot);
    }
  }
  return { ...(await loadedOf(checkpoint, [...lots.values()], versions)), firsts };
}

/** Of a state that is about to change: the rows that were read of it, and those of lots that have changed since. */
export async function storedLots(
  sql: Sql,
  scope: BookScope,
  loaded: LoadedState,
  checkpoint: Checkpoint | null,
): Promise<StoredLots> {
  const day = checkpoint?.day ?? null;
  const since = loaded.since ?? (await selectLotsSince(sql, scope, day)).flatMap(unpackLots);
  const versions =
    day === null ? (await selectVersionsSince(sql, scope, null)).flatMap(unpackVersions) : loaded.versions;
  return { lots: [...loaded.lots, ...since], versions };
}

function isIn({ day }: Checkpoint, { validFrom }: StoredLotRow | LotVersion): boolean {
  return validFrom === null || validFrom < day;
}

async function loadedOf(
  checkpoint: Checkpoint,
  lots: readonly StoredLotRow[],
  versions: readonly LotVersion[],
): Promise<LoadedState> {
  const base: VersionedLot[] = [];
  for (const row of [...lots, ...versions.filter((version) => isIn(checkpoint, version))]) {
    const { id, validFrom, state } = row;
    base.push({ id, validFrom, state, lot: unpackLot(state), row, seen: 0 });
    if (base.length % lotsPerTurn === 0) await nextTurn();
  }
  const open = base.map(({ lot }) => lot);
  return { book: withLots(checkpoint.withoutLots, open), base, lots, versions, since: null, firsts: [] };
}

/** To unpack so many takes some milliseconds. */
const lotsPerTurn = 1_000;

type Found = FirstLots & { readonly rows: readonly StoredLotRow[] };

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
    const own = rows.get(at + 1) ?? [];
    return { key, account, all: own.length < limit, rows: own, lots: own.map((lot) => unpackLot(lot.state)) };
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
