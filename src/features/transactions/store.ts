import type { Sql } from '../../db/connection.ts';
import { columnsOf } from './columns.ts';
import { type Resolution, settle } from './derive.ts';
import type { Prepared } from './prepare.ts';
import {
  deleteSources,
  deleteStaged,
  insertStaged,
  type StageScope,
  type StoredIdentity,
  storeEdition,
  type TouchedRow,
  takeOut,
  tellStaged,
  untell,
} from './queries.ts';
import { type Touched, touch, touchedOf } from './touched.ts';

export interface Stored {
  readonly imported: number;
  readonly duplicates: number;
  readonly touched: Touched;
}

/** Adds rows to what the import has staged; `before` rows are there already. Takes no lock. */
export async function stage(sql: Sql, scope: StageScope, before: number, rows: readonly Prepared[]): Promise<void> {
  await insertStaged(sql, scope, before, columnsOf(rows));
}

/** Makes transactions of what the import staged. The caller holds the taxpayer's lock. */
export async function storeStaged(
  sql: Sql,
  scope: StageScope,
  file: { readonly lastLine: number | null; readonly at: Date },
  resolution: Resolution,
): Promise<Stored> {
  const { stored, told, touched } = await tellStaged(sql, scope, file.lastLine, file.at);
  await deleteStaged(sql, scope);
  // Only a row that was there before can be told differently now.
  const settled: Touched = stored < told ? await settle(sql, scope, false, resolution) : new Map();
  return { imported: stored, duplicates: told - stored, touched: merged(settled, touched) };
}

/** Undo: what no other import tells is removed. The caller holds the taxpayer's lock. */
export async function removeImport(
  sql: Sql,
  scope: StageScope,
  resolution: Resolution,
): Promise<{ removed: number; touched: Touched }> {
  const settled = await settle(sql, scope, true, resolution);
  const { removed, touched } = await untell(sql, scope);
  return { removed, touched: merged(settled, touched) };
}

/** One row by hand under a random id: never taken for another one. */
export async function storeByHand(sql: Sql, taxpayerId: string, row: Prepared, id: string, at: Date): Promise<Touched> {
  const identity = { id, fingerprint: null, occurrence: null, created_at: at };
  return touchedOf(await storeAs(sql, taxpayerId, row, identity));
}

/**
 * A correction supersedes the row and keeps its identity: importing the same file again must not bring the old one
 * back, and undoing its import takes it away.
 */
export async function correct(sql: Sql, taxpayerId: string, id: string, row: Prepared): Promise<Touched | undefined> {
  const gone = await takeOut(sql, taxpayerId, id);
  if (gone === undefined) return undefined;
  return touchedOf(gone.touched, await storeAs(sql, taxpayerId, row, gone.identity));
}

/** The row and all that tells it. A later import of its file brings it back. */
export async function removeOne(sql: Sql, taxpayerId: string, id: string): Promise<Touched | undefined> {
  const gone = await takeOut(sql, taxpayerId, id);
  if (gone === undefined) return undefined;
  await deleteSources(sql, taxpayerId, id);
  return touchedOf(gone.touched);
}

async function storeAs(sql: Sql, taxpayerId: string, row: Prepared, identity: StoredIdentity): Promise<TouchedRow[]> {
  const scope = { taxpayerId, importId: identity.id };
  await stage(sql, scope, 0, [row]);
  const touched = await storeEdition(sql, scope, identity);
  await deleteStaged(sql, scope);
  return touched;
}

function merged(settled: Touched, rows: readonly TouchedRow[]): Touched {
  const touched = touchedOf(rows);
  for (const [key, day] of settled) touch(touched, key, day);
  return touched;
}
