import { createHash } from 'node:crypto';
import { isObject } from '../../../base/json.ts';
import { Refusal } from '../../../base/refusal.ts';
import { unzip, type ZippedFile } from '../../../base/zip.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { recompute } from '../recompute/recompute.ts';
import { inTurn } from '../transactions/store.ts';
import {
  countTransactions,
  insertArchiveImport,
  insertRows,
  keepUsedPrices,
  readRows,
  selectFilled,
  selectShapes,
  type TableShape,
  tryStatement,
  updateSettings,
} from './archives.queries.ts';
import { archiveUses, fileOfTable, type Manifest, manifestName, settingsTable, tablesOf } from './contents.ts';
import { ArchiveError, checkManifest, checkRows, invalidArchive, rowError } from './row-check.ts';

interface ArchiveImport {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly years: readonly number[];
}

/** Imports an archive into an empty account. Stores either everything or nothing. */
export async function importIntoAccount(
  deps: Deps,
  archive: Blob,
  { userId, taxpayerId }: { readonly userId: string; readonly taxpayerId: string },
): Promise<ArchiveImport> {
  const files = await readFiles(archive);
  const manifest = await readManifest(files);
  return inTurn(deps, taxpayerId, async (sql) => {
    const filled = await selectFilled(
      sql,
      taxpayerId,
      kept.filter((name) => !fillsItself.has(name)),
    );
    if (filled !== undefined)
      throw new ArchiveError(`The account is not empty: it has rows in ${filled}. Use a new account.`);
    const shapes = new Map(
      (await selectShapes(sql, [settingsTable, ...kept, 'year_summaries'])).map((s) => [s.name, s]),
    );
    let rows = 0;
    for (const table of manifest.tables) {
      const shape = shapes.get(table.name);
      // Skips tables that are only for the owner to read. Rejects unknown tables, because skipping them would silently
      // lose data.
      if (shape === undefined && !Object.hasOwn(archiveUses, table.name)) throw newer(manifest, table.name);
      if (shape === undefined || !isStored(shape)) continue;
      const unknown = table.columns.find((column) => !shape.columns.includes(column));
      if (unknown !== undefined) throw newer(manifest, `${table.name}.${unknown}`);
      const users = { there: manifest.userId, here: userId };
      let before = 0;
      for await (const lines of readLines(files, manifest, table.name)) {
        checkRows(shape, lines, table.columns, before);
        await storeRows(sql, taxpayerId, shape, { rows: lines, columns: table.columns, users }, before);
        before += lines.length;
      }
      rows += before;
    }
    await countTransactions(sql, taxpayerId);
    await keepUsedPrices(sql, taxpayerId, deps.clock.now());
    const { years } = await recalculate(sql, taxpayerId, manifest);
    if (manifest.engine === engineVersion) await compareSummaries(sql, taxpayerId, files, manifest, shapes);
    await insertArchiveImport(sql, taxpayerId, deps.clock.now());
    return { manifest, rows, years };
  });
}

const kept = tablesOf('kept');
/** Tables that contain rows even in a new account. */
const fillsItself: ReadonlySet<string> = new Set(['notifications', 'muted_notifications', 'notified_subjects']);

const isStored = ({ name }: TableShape): boolean => name === settingsTable || (kept as string[]).includes(name);

async function readFiles(archive: Blob): Promise<ReadonlyMap<string, ZippedFile>> {
  const all = await unzip(archive).catch((error: unknown) => {
    throw new ArchiveError(error instanceof Error ? error.message : String(error));
  });
  // The stated sizes can be trusted, because `unzip` never unpacks more than the stated size of a file.
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > unpackedBytesMax) throw new ArchiveError('The archive unpacks to more than 20 GB.');
  return new Map(all.map((file) => [file.name, file]));
}

async function readManifest(files: ReadonlyMap<string, ZippedFile>): Promise<Manifest> {
  const file = files.get(manifestName);
  if (file === undefined || file.bytes > manifestBytesMax) throw new ArchiveError('This is not a Lotbook export.');
  const pieces = await Array.fromAsync(file.read()).catch((error: unknown) => {
    throw damagedArchive(manifestName, error);
  });
  const manifest = parsedManifest(new TextDecoder().decode(Buffer.concat(pieces)));
  if (isObject(manifest) && typeof manifest.format === 'number' && manifest.format !== 1)
    throw newer({ lotbook: String(manifest.lotbook) }, `format ${manifest.format}`);
  const fault = checkManifest(manifest);
  if (fault !== undefined) throw invalidArchive(`${manifestName}, ${fault.pointer || 'the file'}: ${fault.detail}`);
  return manifest as Manifest;
}

function parsedManifest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArchive(`${manifestName} is not valid JSON`);
  }
}

const manifestBytesMax = 50_000_000;
/** About a hundred times the size of ten years of books with daily trades. */
const unpackedBytesMax = 20_000_000_000;

/** Stores a batch. If the database rejects it, retries each row alone and names the first rejected row in the error. */
async function storeRows(
  sql: Sql,
  taxpayerId: string,
  shape: TableShape,
  archivedRows: Parameters<typeof insertRows>[3],
  before: number,
): Promise<void> {
  const store = async (rows: readonly string[]): Promise<void> => {
    const [row] = rows;
    if (shape.name !== settingsTable) await insertRows(sql, taxpayerId, shape, { ...archivedRows, rows });
    else if (row !== undefined) await updateSettings(sql, taxpayerId, row);
  };
  const why = await tryStatement(sql, () => store(archivedRows.rows));
  if (why === undefined) return;
  for (const [index, row] of archivedRows.rows.entries()) {
    const reason = await tryStatement(sql, () => store([row]));
    if (reason !== undefined) throw rowError(shape.name, before + index + 1, '', reason);
  }
  throw damagedArchive(fileOfTable(shape.name), why);
}

async function recalculate(sql: Sql, taxpayerId: string, { engine, lotbook }: Manifest) {
  try {
    return await recompute(sql, taxpayerId, 'all');
  } catch (error) {
    // The database is unavailable or full. The archive itself may be valid.
    if (error instanceof Error && 'code' in error && !(error instanceof Refusal)) throw error;
    // A value that Lotbook never writes, such as chosen lots that are not a list.
    if (!(error instanceof Refusal))
      throw new ArchiveError(`The archive is not valid: its rows cannot be calculated (${formatReason(error)}).`, {
        cause: error,
      });
    const why = engine === engineVersion ? '' : ` The archive is from Lotbook ${lotbook}, which had different rules.`;
    throw new ArchiveError(`${error.message}${why}`);
  }
}

/**
 * Compares the calculated years with those in the archive. The same rules applied to the same rows give identical
 * bytes, so any difference means that the data is damaged.
 */
async function compareSummaries(
  sql: Sql,
  taxpayerId: string,
  files: ReadonlyMap<string, ZippedFile>,
  manifest: Manifest,
  shapes: ReadonlyMap<string, TableShape>,
): Promise<void> {
  const shape = shapes.get('year_summaries');
  if (shape === undefined) throw new Error('The years were not requested.');
  const there = (await Array.fromAsync(readLines(files, manifest, shape.name))).flat();
  const here = (await Array.fromAsync(readRows(sql, taxpayerId, shape))).flat();
  if (there.length === here.length && there.every((line, at) => line === here[at])) return;
  throw new ArchiveError('The calculated years differ from those in the archive. Nothing was stored.');
}

/** The maximum number of characters per INSERT and per row. */
const [batchCharacters, lineCharactersMax] = [1_000_000, 200_000_000];

/** Yields the lines of a table in batches. Throws at the end if the bytes do not match the manifest. */
async function* readLines(
  files: ReadonlyMap<string, ZippedFile>,
  manifest: Manifest,
  table: string,
): AsyncGenerator<string[]> {
  const name = fileOfTable(table);
  const file = files.get(name);
  const known = manifest.files.find((one) => one.name === name);
  if (file === undefined || known === undefined) throw damagedArchive(name, 'it is missing');
  const [decoder, hash] = [new TextDecoder('utf-8', { fatal: true }), createHash('sha256')];
  let lines: string[] = [];
  let [length, rest] = [0, ''];
  try {
    for await (const piece of file.read()) {
      hash.update(piece);
      const [first = '', ...more] = decoder.decode(piece, { stream: true }).split('\n');
      rest += first;
      if (rest.length > lineCharactersMax) throw new Error('a line is too long');
      for (const text of more) {
        lines.push(rest);
        length += rest.length;
        rest = text;
      }
      if (length < batchCharacters) continue;
      yield lines;
      [lines, length] = [[], 0];
    }
    if (hash.digest('hex') !== known.sha256 || rest !== '') throw new Error('its bytes do not match the manifest');
  } catch (error) {
    throw error instanceof ArchiveError ? error : damagedArchive(name, error);
  }
  if (lines.length > 0) yield lines;
}

function formatReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200);
}

function damagedArchive(name: string, why: unknown): ArchiveError {
  return new ArchiveError(`The archive is damaged: ${name}: ${why instanceof Error ? why.message : String(why)}`);
}

function newer({ lotbook }: Pick<Manifest, 'lotbook'>, what: string): ArchiveError {
  return new ArchiveError(
    `The archive was written by a different version of Lotbook (${lotbook}), which has ${what}. Use that version or a later one.`,
  );
}
