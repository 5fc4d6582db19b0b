import { createHash } from 'node:crypto';
import { Elysia } from 'elysia';
import manifest from '../../../../package.json' with { type: 'json' };
import { withDeadline } from '../../../base/deadline.ts';
import { Refusal } from '../../../base/refusal.ts';
import { writeZip, type ZipEntry } from '../../../base/zip.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { decompressText } from '../../../formats/rows/source-text.ts';
import { download } from '../../../http/download.ts';
import { group, recordedRead } from '../../../http/operations.ts';
import { binary, problems } from '../../../http/schemas.ts';
import type { Access, Caller, Taxpayer } from '../../people/auth/access.ts';
import { requireRecentSignIn } from '../../people/auth/recent-proof.ts';
import { type KeptBytes, readBytes } from '../blobs/read.ts';
import { exportLines } from '../transactions/export.ts';
import { selectTextsAfter } from '../transactions/transactions.queries.ts';
import {
  type ImportedText,
  readRows,
  selectAccount,
  selectKeptFiles,
  selectShapes,
  type TableShape,
} from './archives.queries.ts';
import { excludedData, fileOfTable, type Manifest, manifestName, settingsTable, tablesOf } from './contents.ts';

const { onBooks } = group('Accounts');

/**
 * Each export holds a database connection until the client has read it, so there is a limit per server. Each user can
 * run one at a time.
 */
const atOnceMax = 2;
const retrySeconds = 30;

/** Defines the route that exports all data of an account as one file. */
export const archiveRoutes = (deps: Deps, access: Access) => {
  const underWay = new Set<string>();
  return new Elysia({ prefix: '/account' }).use(access).get(
    '/export',
    async ({ caller, taxpayer, request, server }) => {
      if (caller.isDemo)
        throw new Refusal(
          'forbidden',
          "These are the demo books, which can't be exported. Create an account to export your own data.",
        );
      requireRecentSignIn(caller);
      deps.rateLimits.take('work', caller.userId);
      if (underWay.has(caller.userId)) {
        const detail = 'You already have an export in progress. Try again when it is done.';
        throw new Refusal('rate_limited', detail, { retryAfterSeconds: retrySeconds });
      }
      if (underWay.size >= atOnceMax) {
        const detail = 'The server is busy with other exports. Try again in a minute.';
        throw new Refusal('overloaded', detail, { retryAfterSeconds: retrySeconds });
      }
      underWay.add(caller.userId);
      server?.timeout(request, 0);
      const body = streamArchive(deps, caller, taxpayer, () => underWay.delete(caller.userId));
      const day = deps.clock.now().toISOString().slice(0, 10);
      return download(deps, { fileName: `lotbook-${day}.zip`, mediaType: 'application/zip', body });
    },
    onBooks('exportAccount', recordedRead([], 'account_exported'), {
      summary: 'Export all data of the account as one ZIP',
      description:
        'The ZIP contains all transactions as Lotbook CSV, the content of imported files, and every table as JSON lines: settings, resolved issues, prices, balances, locks, reports, notes and notifications. For an account it also contains sessions, devices and tokens, without secrets. `manifest.json` lists versions, sizes and SHA-256 hashes. To import the ZIP into an empty account on another server, use `lotbook import-archive`. With `client`, the ZIP contains that client’s books and no account data. Requires a recent sign-in. Only one export runs at a time. It reflects the state at its start.',
      response: problems('reauthentication_required'),
      detail: { responses: { 200: { description: 'The ZIP.', content: { 'application/zip': { schema: binary } } } } },
    }),
  );
};

function streamArchive(deps: Deps, caller: Caller, taxpayer: Taxpayer, over: () => void): ReadableStream<Uint8Array> {
  const { userId } = caller;
  return createOutputStream(async (write) => {
    const isOwn = taxpayer.id === caller.taxpayerId;
    const json = isOwn ? await deps.database.asService((sql) => selectAccount(sql, userId), { readOnly: true }) : null;
    const exportRequest = {
      taxpayerId: taxpayer.id,
      timeZone: taxpayer.timeZone,
      account: json === null ? null : { userId, json },
      at: deps.clock.now(),
    };
    await deps.database.asTaxpayer(
      taxpayer.id,
      async (sql) => {
        for await (const piece of writeZip(archiveEntries(deps, sql, exportRequest))) await write(piece);
      },
      { readOnly: true, snapshot: true },
    );
  }, over);
}

interface ArchiveExportRequest {
  readonly taxpayerId: string;
  readonly timeZone: string;
  /** The user who owns the account, with the account data outside the books. Null for a client's books. */
  readonly account: { readonly userId: string; readonly json: string } | null;
  readonly at: Date;
}

/**
 * Yields all data of a taxpayer as archive files. Reads in batches in the caller's transaction. The manifest comes last
 * and lists the other files.
 */
async function* archiveEntries(deps: Deps, sql: Sql, exportRequest: ArchiveExportRequest): AsyncGenerator<ZipEntry> {
  const { taxpayerId, timeZone, account, at } = exportRequest;
  const read = (kept: KeptBytes): Promise<Uint8Array> => readBytes(deps, taxpayerId, kept);
  const files: { name: string; bytes: number; sha256: string }[] = [];
  const entry = (name: string, texts: Iterable<string> | AsyncIterable<string>): ZipEntry => ({
    name,
    content: withChecksum(texts, (sum) => files.push({ name, ...sum })),
  });
  yield entry('READ ME.txt', [readMe]);
  if (account !== null) yield entry('account.json', [account.json]);
  yield entry(
    'transactions.csv',
    exportLines((work) => work(sql), taxpayerId, timeZone),
  );
  for (const [at, file] of (await selectKeptFiles(sql, taxpayerId)).entries()) {
    yield entry(`files/${formatFileName(file, at)}`, readFile(sql, taxpayerId, file, read));
  }
  const tables: { name: string; columns: readonly string[]; rows: number }[] = [];
  for (const shape of await selectShapes(sql, [settingsTable, ...tablesOf('kept', 'checked', 'told')])) {
    const { name, columns } = shape;
    const table = { name, columns, rows: 0 };
    yield entry(fileOfTable(name), readTableLines(sql, taxpayerId, shape, table, read));
    tables.push(table);
  }
  const written: Manifest = {
    format: 1,
    lotbook: manifest.version,
    engine: engineVersion,
    takenAt: at.toISOString(),
    taxpayerId,
    userId: account?.userId ?? null,
    tables,
    files,
    staysBehind: excludedData,
  };
  yield { name: manifestName, content: new TextEncoder().encode(`${JSON.stringify(written, null, 2)}\n`) };
}

async function* readTableLines(
  sql: Sql,
  taxpayerId: string,
  shape: TableShape,
  table: { rows: number },
  read: ReadBytes,
): AsyncGenerator<string> {
  for await (const rows of readRows(sql, taxpayerId, shape)) {
    table.rows += rows.length;
    for (const row of rows) yield `${shape.mayNameObject ? await withOwnBytes(row, read) : row}\n`;
  }
}

type ReadBytes = (kept: KeptBytes) => Promise<Uint8Array>;

/** Replaces a reference to a bucket object with its bytes, because the archive does not include the bucket. */
async function withOwnBytes(row: string, read: ReadBytes): Promise<string> {
  const { content, blob, ...others } = JSON.parse(row) as Record<string, unknown>;
  if (typeof blob !== 'string') return JSON.stringify({ ...others, content });
  const bytes = await read({ content: null, blob });
  return JSON.stringify({ ...others, content: `\\x${Buffer.from(bytes).toString('hex')}` });
}

const piecesPerRead = 8;

async function* readFile(sql: Sql, taxpayerId: string, { id }: ImportedText, read: ReadBytes): AsyncGenerator<string> {
  for (let line = 0; ; ) {
    const pieces = await selectTextsAfter(sql, { taxpayerId, importId: id }, line, piecesPerRead);
    for (const piece of pieces) yield decompressText({ content: await read(piece) });
    const last = pieces.at(-1);
    if (pieces.length < piecesPerRead || last === undefined) return;
    line = last.firstLine;
  }
}

async function* withChecksum(
  texts: Iterable<string> | AsyncIterable<string>,
  done: (sum: { bytes: number; sha256: string }) => void,
): AsyncGenerator<Uint8Array> {
  const [encoder, hash] = [new TextEncoder(), createHash('sha256')];
  let bytes = 0;
  for await (const text of texts) {
    const piece = encoder.encode(text);
    bytes += piece.length;
    hash.update(piece);
    yield piece;
  }
  done({ bytes, sha256: hash.digest('hex') });
}

/** Returns a plain ASCII name, as ZIP file names should be. The position of the import makes each name unique. */
function formatFileName({ fileName }: ImportedText, at: number): string {
  const plain = (fileName ?? '')
    .normalize('NFKD')
    .replace(/[^\w .@-]/g, '')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(-80);
  return `${String(at + 1).padStart(4, '0')} ${plain === '' ? 'import.csv' : plain}`;
}

const readMe = `This archive contains everything that Lotbook stores for these books.

transactions.csv  All transactions as Lotbook CSV, including your answers to issues. You can import it into any account.
files/            The text of each imported file, in the order of the imports.
account.json      The account: email address, plan, sessions, devices, tokens, passkeys. It contains no secrets.
tables/           The stored tables, one JSON object per line. They include taxpayers (settings), imports,
                  transactions, edits and edited_rows (earlier values), resolutions (resolved issues), prices,
                  valuations, balances, year_locks and locked_lines, review_steps, review_notes, allocations,
                  reports and report_books (the compressed books of each report), messages,
                  notifications, import_mappings, year_summaries, audit_entries (activity log).
                  Calculated data, such as open lots and lines, is recalculated after an import.
manifest.json     The versions that wrote this archive, and the size and SHA-256 of each file.

An operator can import it into an empty account on another server: lotbook import-archive FILE EMAIL
It is not encrypted. It contains names, tax numbers and all transactions, so keep it in a safe place.
`.replaceAll('\n', '\r\n');

/** How long a client may stall before it is disconnected. The export keeps a transaction open during that time. */
const idleMilliseconds = 60_000;

/**
 * Returns a function's output as a stream. The function starts with the first read and writes only as fast as the
 * client reads. If the client disconnects, `write` throws an error.
 */
function createOutputStream(
  work: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
  over: () => void,
): ReadableStream<Uint8Array> {
  let wanted = Promise.withResolvers<void>();
  wanted.promise.catch(() => {});
  let [hasBegun, isLeft] = [false, false];
  const begin = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      await work(async (piece) => {
        if (isLeft) throw new Error('The reader is gone.');
        wanted = Promise.withResolvers<void>();
        wanted.promise.catch(() => {});
        controller.enqueue(piece);
        await withDeadline(wanted.promise, idleMilliseconds, 'The reader accepts no more data.');
      });
      if (!isLeft) controller.close();
    } catch (error) {
      if (!isLeft) controller.error(error);
    } finally {
      over();
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (hasBegun) return wanted.resolve();
        hasBegun = true;
        void begin(controller);
      },
      cancel() {
        isLeft = true;
        wanted.reject(new Error('The reader is gone.'));
        if (!hasBegun) over();
      },
    },
    { highWaterMark: 0 },
  );
}
