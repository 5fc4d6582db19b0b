import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Day, formatDay } from '../../../../base/day.ts';
import { nextTurn } from '../../../../base/deadline.ts';
import type { Sql } from '../../../../db/connection.ts';
import { transitAccount } from '../../../../engine/book/own-accounts.ts';
import { isReversal, withoutReversed } from '../../../../engine/events/corrections.ts';
import { withBookNames } from '../../../../engine/events/form-names.ts';
import { Ledger } from '../../../../engine/events/ledger.ts';
import type { StoredOrder } from '../../../../engine/lot-methods.ts';
import type { Rules } from '../../../../engine/model.ts';
import { type Book, emptyBook, engineVersion, rulesHash } from '../../../../engine/replay.ts';
import { packWithoutLots, unpackLot, unpackWithoutLots, withLots } from '../../../../engine/resume/packed.ts';
import { canResume, leavesUnsettled, unsettledDays } from '../../../../engine/resume/resuming.ts';
import type { FirstLots, PoolWorkingSet, WorkingSet } from '../../../../engine/resume/working-set.ts';
import type { AcceptedIssues, Restatements } from '../../transactions/resolutions.ts';
import { parseDayColumn } from '../../transactions/rows.ts';
import { type Days, daysText } from '../fact-writer.ts';
import type { BookScope } from '../facts.queries.ts';
import { readHistories } from './history.ts';
import {
  type CheckpointHead,
  type CheckpointRow,
  deleteCheckpoints,
  type HeadRequest,
  type LotVersion,
  type NewCheckpoint,
  type PackedLots,
  type PackedVersions,
  type PoolScope,
  type Stamp,
  type StoredLotRow,
  selectCheckpointHeads,
  selectCheckpoints,
  selectFirstLots,
  selectLotsSince,
  selectLotVersions,
  selectOtherLots,
  selectStoredLots,
  selectWholeLots,
  upsertCheckpoints,
} from './state.queries.ts';
import { type StoredLots, unpackLots, unpackVersions, type VersionedLot } from './stored-lots.ts';

/** How much of a book is read at a time. Tests use low limits, so that books are read in parts whenever possible. */
export interface ReadLimits {
  /** Books with at most this number of lots are read completely. */
  readonly wholeLotsMax: number;
  /** The minimum number of first lots to read from a pool with sales. */
  readonly firstLotsMin: number;
  /** The number of lots to read per disposal. A disposal uses one or two lots, and one lot must remain. */
  readonly lotsPerTaking: number;
  /** The number of arriving rows to store at a time. Selecting fewer from all waiting rows would take longer. */
  readonly rowsPerBatch: number;
}

export const defaultReadLimits: ReadLimits = {
  wholeLotsMax: 256,
  firstLotsMin: 16,
  lotsPerTaking: 2,
  rowsPerBatch: 50_000,
};

/** A book to bring up to date. `from` is the first day that changed. Null replays the whole book. */
export interface ReplayRequest {
  readonly book: string;
  readonly keys: readonly string[];
  readonly from: string | null;
  /** Whether nothing of the book is stored. */
  readonly fresh: boolean;
  /** Whether the book has other keys than before. */
  readonly regrouped: boolean;
}

/** Shared inputs for replaying a taxpayer's books. */
export interface ReplayContext {
  readonly rules: Rules;
  readonly restatements: Restatements;
  readonly accepted: AcceptedIssues;
  /** The last day with complete rows for all books. Null if there are no rows. */
  readonly through: Day | null;
  readonly limits: ReadLimits;
  /** The number of rows in the account. Undefined if it is unknown, because not all books are replayed. */
  readonly accountRows?: number | undefined;
}

/** The stored state of a book before a change, and the rows after that state. */
export interface OpenedBook {
  readonly kind: 'opened';
  readonly request: ReplayRequest;
  readonly stored: StoredCheckpoints;
  /** The lots of the checkpoint, if they were read together with it. */
  readonly lots: PackedState | null;
  /** The rows, without reversed trades and their reversals. */
  readonly ledger: Ledger;
  /** Returns whether a row after the day changes earlier results. A replay cannot resume from such a day. */
  readonly isUnsettled: (day: Day) => boolean;
}

/** A book that no longer has rows. */
export interface EmptiedBook {
  readonly kind: 'emptied';
  readonly book: string;
}

/**
 * A book to open with its checkpoints. `before` contains the checkpoints that a replay may resume from, oldest first.
 */
export interface BookStart {
  readonly request: ReplayRequest;
  readonly heads: readonly CheckpointHead[];
  readonly before: CheckpointHead[];
}

/** Finds the checkpoints of books. */
export async function findStarts(
  sql: Sql,
  taxpayerId: string,
  orders: readonly ReplayRequest[],
  rules: Rules,
): Promise<BookStart[]> {
  const known = orders.filter(({ fresh }) => !fresh);
  const checkpointHeads =
    known.length === 0 ? [] : await selectCheckpointHeads(sql, taxpayerId, known.map(toHeadRequest), stampOf(rules));
  const headsOf = Map.groupBy(checkpointHeads, ({ book }) => book);
  return orders.map((request) => {
    const { book, from } = request;
    const heads = headsOf.get(book) ?? [];
    return { request, heads, before: from === null ? [] : heads.filter((head) => head.valid && head.day < from) };
  });
}

function toHeadRequest({ book, from }: ReplayRequest): HeadRequest {
  return { book, withDays: from === null };
}

/**
 * Reads the last checkpoint of each book that a replay can resume from before the change, and the rows after that
 * checkpoint.
 */
export async function openBooks(
  sql: Sql,
  taxpayerId: string,
  starts: readonly BookStart[],
  context: ReplayContext,
): Promise<(OpenedBook | EmptiedBook)[]> {
  const opened: (OpenedBook | EmptiedBook)[] = [];
  for (let asked = starts; asked.length > 0; ) {
    const tried = await openAt(sql, taxpayerId, asked, context);
    // Tries an earlier checkpoint for some books, because a reversal can refer to a trade before the checkpoint.
    asked = asked.filter((_, at) => tried[at] === null);
    opened.push(...tried.filter((one) => one !== null));
  }
  return opened;
}

/** Returns null if the book cannot resume from that checkpoint. */
async function openAt(
  sql: Sql,
  taxpayerId: string,
  starts: readonly BookStart[],
  { restatements, limits, rules, accountRows }: ReplayContext,
): Promise<(OpenedBook | EmptiedBook | null)[]> {
  const asked = starts.map((start) => ({ ...start, head: start.before.pop() }));
  const daysOf = (some: typeof asked) =>
    new Map(some.flatMap(({ request, head }) => (head === undefined ? [] : [[request.book, head.day]])));
  const whole = asked.filter(({ head, heads }) => head !== undefined && isReadAtOnce(head, heads, limits));
  const spans = asked.map(({ request, head }) => ({
    book: request.book,
    keys: request.keys,
    after: head?.day ?? null,
  }));
  const [rows, histories, states] = await Promise.all([
    selectCheckpoints(sql, taxpayerId, daysOf(asked)),
    readHistories(sql, taxpayerId, spans, restatements, accountRows),
    selectPackedStates(sql, taxpayerId, daysOf(whole)),
  ]);
  return asked.map(({ request, heads, head }) => {
    const { book } = request;
    const row = rows.get(book);
    const history = histories.get(book) as Ledger;
    if (row === undefined && history.size === 0) return { kind: 'emptied', book };
    const reaching = history.others.some(leavesUnsettled) ? withBookNames(history.transactions(), rules) : [];
    const kept = row === undefined ? null : unpackCheckpoint(row, head === heads.at(-1));
    if (kept !== null && !canResume(kept.withoutLots, reaching)) return null;
    const ledger = reaching.some(isReversal) ? Ledger.of(withoutReversed(reaching)) : history;
    const stored = { heads, kept, keptDays: row?.days ?? '' };
    const lots = states.get(book) ?? null;
    return { kind: 'opened', request, stored, lots, ledger, isUnsettled: unsettledDays(reaching) };
  });
}

/**
 * Returns whether all lots are read together with the checkpoint. A replay from an earlier checkpoint uses most of the
 * lots, so the limit is higher for it.
 */
function isReadAtOnce(head: CheckpointHead, heads: readonly CheckpointHead[], { wholeLotsMax }: ReadLimits): boolean {
  return head !== heads.at(-1) && head.lots <= wholeLotsMax * timesEarlier;
}

const timesEarlier = 32;

/** Estimates how many rows and lots must be read to open and replay a book. */
export function estimateSize({ heads, before }: BookStart, rows: number, { wholeLotsMax }: ReadLimits): number {
  const head = before.at(-1);
  if (head === undefined) return rows;
  return rows + Math.min(head.lots, head === heads.at(-1) ? wholeLotsMax : wholeLotsMax * timesEarlier);
}

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
interface PackedState {
  readonly lots: readonly PackedLots[];
  readonly versions: readonly PackedVersions[];
}

/**
 * Selects the packed state of each book. `days` contains the day of the checkpoint for each book. Sends both queries at
 * once, so the database works on the second while the first result is read.
 */
async function selectPackedStates(
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
  /** The number of lots and versions after the replay. Before it, there were about as many. */
  readonly lots: number;
}

/** Reading this number of lots takes a few milliseconds. */
const fewLots = 2_500;

/**
 * Returns the lot rows that were read for these states, and the rows of lots that have changed since their checkpoints.
 */
export async function storedLots(
  sql: Sql,
  taxpayerId: string,
  states: ReadonlyMap<string, LoadedFrom>,
): Promise<Map<string, StoredLots>> {
  const begun = [...states].filter(([, { checkpoint }]) => checkpoint === null);
  if (begun.length === states.size && begun.reduce((sum, [, { lots }]) => sum + lots, 0) <= fewLots) {
    return wholeLots(sql, taxpayerId, [...states.keys()]);
  }
  const unread = [...states].filter(([, { loaded }]) => loaded.since === null);
  const days = new Map(unread.map(([book, { checkpoint }]) => [book, checkpoint?.day ?? null]));
  const since = Map.groupBy(await selectLotsSince(sql, taxpayerId, days), bookOf);
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

async function wholeLots(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<Map<string, StoredLots>> {
  const packed = Map.groupBy(await selectWholeLots(sql, taxpayerId, books), bookOf);
  return new Map(
    books.map((book) => {
      const [lots, versions]: [StoredLotRow[], LotVersion[]] = [[], []];
      for (const { validTo, ...part } of packed.get(book) ?? []) {
        if (validTo === null) lots.push(...unpackLots(part));
        else versions.push(...unpackVersions({ ...part, validTo }));
      }
      return [book, { lots, versions }];
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

/** The state of a book at the end of a day. The lots are stored in separate rows. */
export interface Checkpoint {
  readonly day: string;
  readonly withoutLots: Book;
  /** The number of lots in the book. */
  readonly lots: number;
  /** True if this is the book's last checkpoint, so that no lot has changed since. */
  readonly last: boolean;
}

/** The checkpoints of a book before a replay. */
export interface StoredCheckpoints {
  /** All checkpoints, oldest first. */
  readonly heads: readonly CheckpointHead[];
  /** The checkpoint that the replay resumes from. Null if it starts from the beginning. */
  readonly kept: Checkpoint | null;
  /** The digests stored with that checkpoint, one for each day since the previous checkpoint. */
  readonly keptDays: string;
}

export function stampOf(rules: Rules): Stamp {
  return { engine: engineVersion, rules: rulesHash(rules) };
}

export function packCheckpoint(day: string, book: Book): Pick<CheckpointRow, 'day' | 'state' | 'lots'> {
  // Uses the fastest compression level, because each import writes the state and the next import reads it.
  const state = deflateRawSync(packWithoutLots(book), { level: 1 });
  return { day, state, lots: book.pools.reduce((sum, pool) => sum + pool.lots.length, 0) };
}

export function unpackCheckpoint({ day, state, lots }: CheckpointRow, last: boolean): Checkpoint {
  return { day, withoutLots: unpackWithoutLots(inflateRawSync(state).toString('utf8')), lots, last };
}

/** Returns whether both days are in the same year, because a year has only one checkpoint, after its last day. */
export function isReplacedBy(kept: Checkpoint, day: string): boolean {
  return kept.day.slice(0, 4) === day.slice(0, 4);
}

/** The checkpoints of a book after a replay. `days` contains the digest of each day's facts. */
interface NewCheckpoints {
  readonly book: string;
  readonly stored: StoredCheckpoints;
  readonly checkpoints: readonly NewCheckpoint[];
  readonly days: Days;
}

/** Replaces all checkpoints of each book that come after the one that its replay resumed from. */
export async function writeCheckpoints(
  sql: Sql,
  taxpayerId: string,
  books: readonly NewCheckpoints[],
  rules: Rules,
): Promise<void> {
  const obsolete: { book: string; day: string }[] = [];
  const added: (NewCheckpoint & { readonly book: string })[] = [];
  for (const { book, stored, checkpoints, days } of books) {
    const { heads, kept, keptDays } = stored;
    const first = checkpoints[0];
    const isReplaced = kept !== null && first !== undefined && isReplacedBy(kept, first.day);
    const stays = (day: string): boolean => kept !== null && (isReplaced ? day < kept.day : day <= kept.day);
    obsolete.push(...heads.filter(({ day }) => !stays(day)).map(({ day }) => ({ book, day })));
    for (const one of withDays(checkpoints, days)) {
      const isHead = isReplaced && one.day === first.day;
      added.push({ ...one, book, days: isHead ? joinTexts(keptDays, one.days) : one.days });
    }
  }
  const replaced = new Set(added.map(nameOf));
  const deleted = obsolete.filter((one) => !replaced.has(nameOf(one)));
  if (deleted.length > 0) await deleteCheckpoints(sql, taxpayerId, deleted);
  if (added.length > 0) await upsertCheckpoints(sql, taxpayerId, stampOf(rules), added);
}

function nameOf({ book, day }: { readonly book: string; readonly day: string }): string {
  return `${day} ${book}`;
}

/** Adds to each checkpoint the digests of the days since the previous checkpoint. */
function withDays(checkpoints: readonly NewCheckpoint[], days: Days): NewCheckpoint[] {
  const all = [...days].sort(([a], [b]) => a - b);
  let at = 0;
  return checkpoints.map((checkpoint) => {
    const until = parseDayColumn(checkpoint.day);
    const from = at;
    while (at < all.length && (all[at]?.[0] ?? 0) <= until) at++;
    return { ...checkpoint, days: daysText(new Map(all.slice(from, at))) };
  });
}

function joinTexts(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a} ${b}`;
}

/**
 * Returns the last state before a day that a replay can resume from, and the day of that state. Without a checkpoint,
 * returns an empty book.
 */
export async function resumeBefore(
  sql: Sql,
  scope: BookScope,
  day: string,
  rules: Rules,
): Promise<{ readonly book: Book; readonly day: string | null }> {
  const kept = await checkpointBefore(sql, scope, day, rules);
  if (kept === null) return { book: emptyBook(), day: null };
  return { book: (await loadWhole(sql, scope, kept)).book, day: kept.day };
}

/** Returns the last checkpoint before a day that this engine created with these rules. Null if there is none. */
export async function checkpointBefore(
  sql: Sql,
  { taxpayerId, book }: BookScope,
  day: string,
  rules: Rules,
): Promise<Checkpoint | null> {
  const heads = await selectCheckpointHeads(sql, taxpayerId, [{ book, withDays: false }], stampOf(rules));
  const head = heads.findLast((one) => one.valid && one.day < day);
  if (head === undefined) return null;
  const row = (await selectCheckpoints(sql, taxpayerId, new Map([[book, head.day]]))).get(book);
  return row === undefined ? null : unpackCheckpoint(row, head === heads.at(-1));
}
