import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { withoutNestedLoops } from '../../../db/integrity.ts';
import type { Deps } from '../../../deps.ts';
import { toLotbookCells } from '../../../formats/lotbook/lotbook-write.ts';
import { memberOf } from '../../../formats/lotbook-columns.ts';
import { decompressText } from '../../../formats/rows/source-text.ts';
import { notFound } from '../../../http/errors.ts';
import { readBytes } from '../blobs/read.ts';
import type { Resolution } from '../transactions/derive.ts';
import { deleteRejects, selectProposedRows } from '../transactions/row-issues.queries.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { type TouchedKeys, toTransaction, touch } from '../transactions/rows.ts';
import { type ArrivingRows, removeImport } from '../transactions/store.ts';
import { handOverText, selectTextsAfter } from '../transactions/transactions.queries.ts';
import { deleteImport, recordNumbers, selectImport } from './imports.queries.ts';
import {
  countShared,
  handOverDuplicates,
  type ImportedRow,
  type KeptFile,
  selectKeptFile,
  selectOnlyInImport,
  selectPrevious,
} from './reread.queries.ts';

/**
 * Replaces an import with a reread of its file. Stores the new rows in addition to the old ones, and then removes the
 * old import. Rows in both versions stay, with their corrections and answers. Rows that are only in the old version are
 * removed. If a row differs, the new version takes precedence.
 */
export async function replaceRows(
  sql: Sql,
  scope: StageScope,
  replacement: {
    readonly replaces: string;
    readonly stored: ArrivingRows;
    readonly resolution: Resolution;
    readonly at: Date;
  },
) {
  const { replaces, stored, resolution, at } = replacement;
  const old = { ...scope, importId: replaces };
  await stored.close();
  const changes = await compareRows(sql, scope, replaces, false);
  await handOverDuplicates(sql, scope, replaces);
  const removal = await removeImport(sql, old, resolution, at);
  await deleteRejects(sql, old);
  await recordNumbers(sql, old, []);
  return {
    changes,
    /** The change in the number of rows, in addition to the rows that the import itself added. */
    added: removal.stored - removal.removed,
    shared: await countShared(sql, scope),
    touched: mergeTouched(stored.touched, removal.touched),
  };
}

/** Deletes the old import after its text has been handed over to the new one. */
export async function dropReplaced(sql: Sql, old: StageScope): Promise<void> {
  await handOverText(sql, old);
  await deleteImport(sql, old);
}

function mergeTouched(one: TouchedKeys, other: TouchedKeys): TouchedKeys {
  const all = new Map(one);
  for (const [key, day] of other) touch(all, key, day);
  return all;
}

/** Reads a few megabytes of text at a time. */
const piecesPerRead = 16;

/** Returns the import whose file is requested. The file must have been read completely and stored. */
export async function readKeptFile(deps: Deps, scope: StageScope): Promise<KeptFile> {
  const file = await deps.database.asTaxpayer(scope.taxpayerId, (sql) => selectKeptFile(sql, scope), {
    readOnly: true,
  });
  if (file === undefined) throw notFound();
  if (file.status === 'running')
    throw new Refusal('conflict', 'This import is still running. Request the file again when it is done.');
  if (file.status === 'failed')
    throw new Refusal('conflict', 'This import failed, so its file was not saved. Select the file again.');
  return file;
}

/**
 * Streams the text of the file as uploaded, in UTF-8. Loads the first piece before returning, so that the request fails
 * if the storage does not respond.
 */
export async function originalText(deps: Deps, scope: StageScope): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const pieces = readPieces(deps, scope);
  let first: IteratorResult<string> | undefined = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await pieces.next());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* readPieces(deps: Deps, scope: StageScope): AsyncGenerator<string> {
  let line = 0;
  for (;;) {
    const after = line;
    const pieces = await deps.database.asTaxpayer(
      scope.taxpayerId,
      (sql) => selectTextsAfter(sql, scope, after, piecesPerRead),
      { readOnly: true },
    );
    for (const piece of pieces) yield decompressText({ content: await readBytes(deps, scope.taxpayerId, piece) });
    const last = pieces.at(-1);
    if (last === undefined || pieces.length < piecesPerRead) return;
    line = last.firstLine;
  }
}

/** The maximum number of rows to compare in each file. If there are more, the result is marked as truncated. */
const rowsMax = 1_000;

/**
 * Compares a file with the previous file of the same kind. Uses the current rows of both, so the result is calculated
 * for each request. Rows that are missing from the new file are still in the books, because the previous import
 * contains them. Undoing that import removes them.
 */
export async function compareImport(sql: Sql, scope: StageScope) {
  if ((await selectImport(sql, scope)) === undefined) throw notFound();
  return withoutNestedLoops(sql, () => compareWithPrevious(sql, scope));
}

async function compareWithPrevious(sql: Sql, scope: StageScope) {
  const against = await selectPrevious(sql, scope);
  if (against === undefined) return { importId: scope.importId, against: null, ...nothing };
  return { importId: scope.importId, against, ...(await compareRows(sql, scope, against, true)) };
}

/**
 * Compares the rows of two imports. If `within` is true, a row counts as missing only if the later file covers its day
 * and account.
 */
export async function compareRows(sql: Sql, scope: StageScope, against: string, within: boolean) {
  const before = { ...scope, importId: against };
  const fresh = await selectOnlyInImport(sql, scope, against, false, rowsMax + 1);
  const missing = await selectOnlyInImport(sql, before, scope.importId, within, rowsMax + 1);
  const rowsById = new Map(missing.slice(0, rowsMax).map((row) => [row.id, row]));
  const proposed = (await selectProposedRows(sql, scope, rowsMax + 1)).flatMap((row): ChangedRow[] => {
    const old = rowsById.get(row.transaction_id);
    rowsById.delete(row.transaction_id);
    return old === undefined ? [] : [[old, { ...row, line: row.place }]];
  });
  const { added, changed, gone } = pair(fresh.slice(0, rowsMax), [...rowsById.values()]);
  return {
    added: added.map(rowView),
    // Leaves out stored rows that were replaced with the file's values, because they no longer differ.
    changed: [...proposed, ...changed].map(changeView).filter(({ members }) => members.length > 0),
    gone: gone.map(rowView),
    truncated: fresh.length > rowsMax || missing.length > rowsMax,
  };
}

const nothing = { added: [], changed: [], gone: [], truncated: false };

type ChangedRow = readonly [before: ImportedRow, after: ImportedRow];

interface Paired {
  readonly added: readonly ImportedRow[];
  readonly changed: readonly ChangedRow[];
  readonly gone: readonly ImportedRow[];
}

/**
 * Pairs a missing row and a new row as one changed row. They must be in the same account and have the same id, or
 * otherwise the same day, type and asset.
 */
function pair(fresh: readonly ImportedRow[], missing: readonly ImportedRow[]): Paired {
  const changed: ChangedRow[] = [];
  let [added, gone] = [[...fresh], [...missing]];
  for (const keyOf of [namedKey, dayKey]) {
    const waiting = Map.groupBy(gone, keyOf);
    waiting.delete(null);
    const paired = new Set<ImportedRow>();
    for (const row of added) {
      const key = keyOf(row);
      const old = key === null ? undefined : waiting.get(key)?.shift();
      if (old === undefined) continue;
      changed.push([old, row]);
      paired.add(old).add(row);
    }
    added = added.filter((row) => !paired.has(row));
    gone = gone.filter((row) => !paired.has(row));
  }
  return { added, changed, gone };
}

function namedKey(row: ImportedRow): string | null {
  return row.external_id === '' ? null : JSON.stringify([row.account, row.external_id]);
}

function dayKey(row: ImportedRow): string | null {
  return JSON.stringify([row.account, row.type, row.asset, row.on_day]);
}

function changeView([old, now]: ChangedRow) {
  return { before: rowView(old), after: rowView(now), members: listChangedMembers(old, now) };
}

/** Returns the names of the properties that differ. */
function listChangedMembers(before: ImportedRow, after: ImportedRow): string[] {
  const [old, now] = [toLotbookCells(toTransaction(before)), toLotbookCells(toTransaction(after))];
  const columns = Object.keys(now) as (keyof typeof now)[];
  return columns.filter((column) => old[column] !== now[column]).map((column) => memberOf(column));
}

function rowView(row: ImportedRow) {
  const { date, account, asset, quantity, amount, id } = toLotbookCells(toTransaction(row));
  return {
    transactionId: row.id,
    line: row.file_line,
    date,
    type: row.type,
    account,
    asset,
    quantity: quantity || null,
    amount: amount || null,
    externalId: id || null,
  };
}
