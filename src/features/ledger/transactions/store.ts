import type { Day } from '../../../base/day.ts';
import { Refusal } from '../../../base/refusal.ts';
import { type Database, type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import type { Transaction } from '../../../engine/model.ts';
import { type IdempotentContext, idempotent } from '../../../http/idempotency.ts';
import { type Resolution, settle } from './derive.ts';
import { selectTouched } from './edits.queries.ts';
import type { AccountSource } from './evidence.ts';
import { type Family, insertPossible } from './matched.queries.ts';
import { matchEntered, matchStaged } from './matched.ts';
import {
  deleteProposed,
  type FileDays,
  holdProposed,
  mayPropose,
  type ProposedRow,
  redirectProposed,
  selectOrphans,
  selectProposedTargets,
} from './row-issues.queries.ts';
import { prepareProposed } from './row-issues.ts';
import { type StageScope, selectIdKey, type TouchedRow } from './rows.queries.ts';
import { collectTouched, parseDayColumn, type TouchedKeys, touch } from './rows.ts';
import {
  deleteStaged,
  hasTransactions,
  insertEntered,
  insertStaged,
  type LastLine,
  numberRepeated,
  planForBulk,
  planForFew,
  type SentScope,
  type StagedKey,
  selectStagedGroups,
  selectStagedSecondKeys,
  sentRows,
  storeFresh,
  updateEditions,
} from './staged.queries.ts';
import { type PreparedRow, Staging } from './staging.ts';
import {
  deleteRows,
  deleteStagedDuplicates,
  linkStoredRows,
  selectSharedAccounts,
  unlinkImport,
} from './transactions.queries.ts';

export interface StoredFile {
  readonly imported: number;
  readonly duplicates: number;
  /** The number of file lines that the duplicates come from. */
  readonly duplicateLines: number;
  /** Duplicates that are proposed to replace a stored row. Each one is held for review. */
  readonly proposed: number;
  /** Stored rows that may duplicate rows from another kind of file. */
  readonly possibleDuplicates: number;
  readonly touched: TouchedKeys;
}

/**
 * Stages rows of an import that already has `before` staged rows. Any row may be equal to an earlier one. Takes no
 * lock.
 */
export async function stage(sql: Sql, scope: StageScope, before: number, rows: readonly PreparedRow[]): Promise<void> {
  const staging = new Staging(await selectIdKey(sql, scope.taxpayerId));
  for (const row of rows) staging.add(row, true);
  await insertStaged(sql, scope, before, staging.take());
}

/** Returns rows with known ids as a source for a statement, so that they need not be staged. */
function sendRows(sql: Sql, scope: SentScope, rows: readonly { readonly id: string; readonly row: PreparedRow }[]) {
  const sent = new Staging(null);
  for (const { id, row } of rows) sent.add(row, false, id);
  return sentRows(sql, scope, sent.take());
}

/** A file that is completely staged. */
export interface StagedFile {
  readonly rows: number;
  /** Whether the file may contain equal rows. */
  readonly repeats: boolean;
  /** The last line of a file whose newest rows come first. Null for other files. */
  readonly lastLine: LastLine;
  /** The kind of file, and the other kinds that cover the same accounts. Omitted if the kind is unknown. */
  readonly family?: Family;
  /** Omitted if the file has no rows. */
  readonly days?: FileDays;
  /** Whether the user declared that the file corrects an earlier file. Omitted if not specified. */
  readonly correction?: boolean | undefined;
  /** Gives staged rows the ids of equal rows that are stored under a different account. */
  readonly recognize?: (() => Promise<void>) | undefined;
}

/**
 * The maximum number of rows to join one by one. Larger imports are joined in bulk, because joining rows one by one
 * takes ten times as long per row.
 */
const fewRows = 5_000;

/** An import's staged rows while they become transactions. */
export interface ArrivingRows extends StoredFile {
  /** The accounts of all rows in the file. For duplicates, these are the accounts of the stored rows. */
  readonly accounts: readonly Omit<AccountSource, 'format'>[];
  readonly arrivals: Arrivals;
  /** Stores all rows that are still waiting. */
  close(): Promise<void>;
}

/**
 * Prepares the staged rows of an import to become transactions. Removes rows that are already stored, and holds back
 * rows that need review. The caller must hold the taxpayer's lock.
 */
export async function takeStaged(
  sql: Sql,
  scope: StageScope,
  { rows, repeats, lastLine, family, days, correction, recognize }: StagedFile,
  at: Date,
  resolution: Resolution,
  waitingMin?: number,
): Promise<ArrivingRows> {
  if (rows > fewRows) await planForBulk(sql);
  if (repeats) await numberRepeated(sql, scope, lastLine);
  const mayKnow = await hasTransactions(sql, scope.taxpayerId);
  const matched = mayKnow && family !== undefined ? await matchStaged(sql, scope, family) : [];
  if (mayKnow) await recognize?.();
  const { known, unsettled, lines } = mayKnow
    ? await linkStoredRows(sql, scope, lastLine)
    : { known: 0, unsettled: 0, lines: 0 };
  if (known > 0) await deleteStagedDuplicates(sql, scope);
  const asks = mayKnow && known < rows && family !== undefined && days !== undefined;
  const held =
    asks && (await mayPropose(sql, scope, family, days))
      ? await holdProposed(sql, scope, { family, days, lastLine, correction })
      : noneHeld;
  const possible = [...matched, ...held.unsure];
  const duplicates = known + held.rows;
  if (rows > fewRows) await planForFew(sql);
  const fresh = await selectStagedGroups(sql, scope);
  const accounts = known === 0 ? fresh.accounts : [...fresh.accounts, ...(await selectSharedAccounts(sql, scope))];
  const arrivals =
    duplicates < rows ? await openArrivals(sql, scope, fresh.keys, lastLine, at, waitingMin) : noArrivals;
  if (possible.length > 0 || unsettled > 0) await arrivals.bring();
  const possibleDuplicates = possible.length > 0 ? await insertPossible(sql, scope.taxpayerId, possible) : 0;
  const settled: TouchedKeys = unsettled > 0 ? await settle(sql, scope, false, resolution) : new Map();
  const touched = new Map(arrivals.touched);
  for (const [key, day] of settled) touch(touched, key, day);
  return {
    ...{
      imported: rows - duplicates,
      duplicates,
      duplicateLines: lines + held.lines,
      proposed: held.rows,
      possibleDuplicates,
      touched,
      arrivals,
      accounts,
    },
    close: async () => {
      await arrivals.bring();
      if (arrivals.stored + duplicates === 0 && rows > 0) throw stagedLost();
      if (arrivals.stored + duplicates !== rows) {
        throw new Error(
          `Only ${arrivals.stored + duplicates} of ${rows} staged rows were stored or found to be duplicates.`,
        );
      }
      await deleteStaged(sql, scope);
    },
  };
}

/**
 * Returns a refusal for an import whose staged rows are gone. The table is unlogged, so staged rows do not survive a
 * crash of PostgreSQL.
 */
export function stagedLost(): Refusal {
  const detail = 'The database was restarted before this file was saved. No rows were imported. Import it again.';
  return new Refusal('database_unavailable', detail, { retryAfterSeconds: 1 });
}

const noneHeld = { rows: 0, lines: 0, unsure: [] };

/**
 * Undoes an import. Removes its rows that have no other source. Stores the rows that other files proposed as
 * replacements, because the rows that they would replace are gone. The caller must hold the taxpayer's lock.
 */
export async function removeImport(
  sql: Sql,
  scope: StageScope,
  resolution: Resolution,
  at: Date,
): Promise<{ removed: number; stored: number; touched: TouchedKeys }> {
  const { taxpayerId } = scope;
  await deleteProposed(sql, scope);
  const targets = await selectProposedTargets(sql, scope);
  const settled = await settle(sql, scope, true, resolution);
  const { removed, touched } = await unlinkImport(sql, scope);
  const all = mergeTouched(settled, touched);
  const orphans = targets.length === 0 ? [] : await selectOrphans(sql, taxpayerId, targets);
  const [stored, instead] = [new Set<string>(), new Map<string, string>()];
  for (const row of orphans) {
    // If several rows are proposed, stores the one from the earliest import. The others are then proposed as
    // replacements for that row.
    const chosen = instead.get(row.transaction_id) ?? row.id;
    instead.set(row.transaction_id, chosen);
    if (chosen !== row.id) continue;
    stored.add(row.id);
    for (const [key, day] of await storeProposed(sql, taxpayerId, row, resolution, at)) touch(all, key, day);
  }
  for (const [from, to] of instead) await redirectProposed(sql, taxpayerId, from, to);
  return { removed, stored: stored.size, touched: all };
}

/** Stores a proposed row as a transaction of its import, or adds its import as a source of an existing transaction. */
export async function storeProposed(
  sql: Sql,
  taxpayerId: string,
  row: ProposedRow,
  resolution: Resolution,
  at: Date,
): Promise<TouchedKeys> {
  const scope = { taxpayerId, importId: row.import_id };
  const prepared = prepareProposed(row, row.file_line, resolution);
  const sent = sendRows(sql, scope, [{ id: row.id, row: prepared }]);
  const lastLine = row.place === row.file_line ? null : row.place + row.file_line - 1;
  const { known } = await linkStoredRows(sql, scope, lastLine, sent);
  if (known > 0) return new Map();
  await storeFresh(sql, scope, { but: [] }, lastLine, at, sent);
  return touchedBy(prepared);
}

/**
 * Stores a manual row under a random id. It never counts as a duplicate. If a file may also contain it, the pair is
 * held for review.
 */
export async function storeByHand(
  sql: Sql,
  taxpayerId: string,
  row: PreparedRow,
  id: string,
  at: Date,
): Promise<TouchedKeys> {
  await insertEntered(sql, taxpayerId, sendRows(sql, { taxpayerId, importId: null }, [{ id, row }]), at);
  const possible = await matchEntered(sql, taxpayerId, id);
  if (possible.length > 0) await insertPossible(sql, taxpayerId, possible);
  return touchedBy(row);
}

function touchedBy({ keys, statement }: PreparedRow): TouchedKeys {
  return new Map(keys.map((key) => [key, statement.on]));
}

/** A stored row and its new content. */
interface Correction {
  readonly before: Transaction;
  readonly after: PreparedRow;
}

/**
 * Corrects rows but keeps their identities. Importing the same file again does not restore the old versions, and undoing
 * the import removes the rows.
 */
export async function correctRows(
  sql: Sql,
  taxpayerId: string,
  corrections: readonly Correction[],
): Promise<TouchedKeys> {
  const rows = corrections.map(({ before, after }) => ({ id: before.id, row: after }));
  await updateEditions(sql, taxpayerId, sendRows(sql, { taxpayerId, importId: null }, rows));
  const touched = new Map<string, Day>();
  for (const { before, after } of corrections) {
    for (const key of listAssetKeys(before)) touch(touched, key, before.on);
    for (const key of after.keys) touch(touched, key, after.statement.on);
  }
  return touched;
}

/** Deletes rows and their sources. Importing their files again restores them. */
export async function removeRows(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<{ readonly rows: number; readonly touched: TouchedKeys }> {
  const touched = collectTouched(await selectTouched(sql, taxpayerId, ids));
  return { rows: await deleteRows(sql, taxpayerId, ids), touched };
}

function mergeTouched(settled: TouchedKeys, rows: readonly TouchedRow[]): Map<string, Day> {
  const touched = collectTouched(rows);
  for (const [key, day] of settled) touch(touched, key, day);
  return touched;
}

/** Longer than the limit for other requests, because a whole history may be recomputed. */
export const statementSecondsMax = 600;

/** Runs a transaction under the taxpayer's lock, after the work that is already queued on this server. */
export function inTurn<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return deps.taxpayerQueue(taxpayerId, () => underLock(deps.database, taxpayerId, work));
}

/** Runs a change like `inTurn`. Its result is the response, which is saved for the request's `Idempotency-Key`. */
export function onceInTurn<Status extends number, Body>(
  deps: Deps,
  context: IdempotentContext & { readonly taxpayer: { readonly id: string } },
  status: Status,
  work: (sql: Sql) => Promise<Body>,
) {
  return idempotent(deps, context, (saveResponse) =>
    inTurn(deps, context.taxpayer.id, async (sql) => saveResponse(sql, { status, body: await work(sql) })),
  );
}

/** Runs work like `inTurn`, rolls it back, and returns its result. */
export async function inTurnTakenBack<T>(deps: Deps, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    await inTurn(deps, taxpayerId, async (sql) => {
      throw new TakenBack(await work(sql));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  }
  throw new Error('A dry run was committed.');
}

/** Thrown to roll back the transaction. */
class TakenBack extends Error {
  constructor(readonly result: unknown) {
    super('A dry run rolls back.');
  }
}

/** Runs a transaction under the taxpayer's lock. The caller must already have its turn in the queue. */
export function underLock<T>(database: Database, taxpayerId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.asTaxpayer(
    taxpayerId,
    async (sql) => {
      await withTaxpayerLock(sql, taxpayerId);
      return work(sql);
    },
    { statementSecondsMax },
  );
}

/**
 * Staged rows that are becoming transactions. Rows that only affect their own book can wait until it is computed: the
 * database stores the rows of some books while the engine computes the previous ones.
 */
export interface Arrivals {
  /** All affected books, whether their rows are stored or still waiting. */
  readonly touched: TouchedKeys;
  /** The last day of the waiting rows, or null if there are none. */
  readonly lastDay: Day | null;
  /** The number of rows stored so far. */
  readonly stored: number;
  /** Returns the number of waiting rows in a book. */
  waiting(key: string): number;
  /** Stores the waiting rows of these books, or of all books. */
  bring(keys?: readonly string[]): Promise<void>;
}

/** If fewer rows than this could wait, all rows are stored immediately. */
const waitingMinDefault = 20_000;

/** Opens the new rows of an import. Stores rows that affect other books immediately. */
async function openArrivals(
  sql: Sql,
  scope: StageScope,
  keys: readonly StagedKey[],
  lastLine: LastLine,
  at: Date,
  waitingMin = waitingMinDefault,
): Promise<Arrivals> {
  const others = keys.every((row) => row.alone) ? [] : await selectStagedSecondKeys(sql, scope);
  const touched = new Map<string, Day>();
  for (const { asset_key, day } of [...keys, ...others]) touch(touched, asset_key, parseDayColumn(day));
  const moved = new Set(others.map((row) => row.asset_key));
  const alone = keys.filter((row) => row.alone && !moved.has(row.asset_key));
  const isMany = alone.reduce((sum, row) => sum + row.rows, 0) >= waitingMin;
  const waiting = new Map(isMany ? alone.map((row) => [row.asset_key, row.rows]) : []);
  const days = isMany ? alone.map((row) => row.last).sort() : [];
  const but = [...waiting.keys()];
  const stored = but.length < keys.length ? await storeFresh(sql, scope, { but }, lastLine, at) : 0;
  const last = days.at(-1);
  const lastDay = last === undefined ? null : parseDayColumn(last);
  return new Waiting(touched, lastDay, waiting, stored, (of) => storeFresh(sql, scope, { of }, lastLine, at));
}

class Waiting implements Arrivals {
  constructor(
    readonly touched: TouchedKeys,
    readonly lastDay: Day | null,
    private readonly rows: Map<string, number>,
    public stored: number,
    private readonly store: (keys: readonly string[]) => Promise<number>,
  ) {}

  waiting(key: string): number {
    return this.rows.get(key) ?? 0;
  }

  async bring(keys: readonly string[] = [...this.rows.keys()]): Promise<void> {
    const some = keys.filter((key) => this.rows.has(key));
    if (some.length === 0) return;
    for (const key of some) this.rows.delete(key);
    this.stored += await this.store(some);
  }
}

/** Used for a change that is already stored. */
export const noArrivals: Arrivals = {
  touched: new Map(),
  lastDay: null,
  stored: 0,
  waiting: () => 0,
  bring: async () => {},
};
