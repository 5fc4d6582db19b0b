import { Elysia, t } from 'elysia';
import { Refusal, type RefusalCode } from '../../base/refusal.ts';
import { writeZip, type ZipEntry } from '../../base/zip.ts';
import type { Deps } from '../../deps.ts';
import { reportFormats } from '../../forms/index.ts';
import { nameBooks } from '../../http/audit/audited-request.ts';
import { download } from '../../http/download.ts';
import { notFound, parseUuid } from '../../http/errors.ts';
import { idempotent } from '../../http/idempotency.ts';
import { group, recordedRead, write } from '../../http/operations.ts';
import { binary, closed, id, oneOf, Problem, problems, year, yearParameter } from '../../http/schemas.ts';
import { runCalculation } from '../gains/calculations.ts';
import { createReports } from '../gains/reports/create.ts';
import type { RenderPool } from '../gains/reports/render.ts';
import { selectNewestReport } from '../gains/reports/reports.queries.ts';
import { findBooks } from '../gains/reports/stored.ts';
import { inTurn } from '../ledger/transactions/store.ts';
import type { Access, Caller } from '../people/auth/access.ts';
import { countClients, readClientBooks } from '../people/auth/auth.queries.ts';
import { requireRolePermission } from '../people/auth/permissions.ts';
import { requireClientCapacity } from '../people/auth/plan.ts';
import { type ClientRow, readClients } from '../people/clients/clients.queries.ts';

const { signedIn } = group('Clients');

interface BulkOptions {
  /** Recomputes a taxpayer's books if an older release computed them. */
  readonly beforeBooks: (taxpayerId: string) => Promise<void>;
  readonly pool: RenderPool;
}

/** Defines the routes that process several clients of a CPA at once. */
export const bulkClientRoutes = (deps: Deps, access: Access, { beforeBooks, pool }: BulkOptions) =>
  new Elysia({ prefix: '/clients' })
    .use(access)
    .post(
      '/calculate',
      async (context) => {
        const { caller, body, request, server } = context;
        const used = await deps.database.asService((sql) => countClients(sql, caller.userId));
        requireClientCapacity(caller.plan, used, 0);
        const clients = await readChosenClients(deps, caller, body.clients);
        server?.timeout(request, 0);
        const options = { year: body.year, beforeBooks, signal: request.signal };
        return idempotent(deps, context, async (saveResponse) => {
          const data = await calculateClients(deps, caller, clients, options);
          return deps.database.asService((sql) => saveResponse(sql, { status: 200, body: { data } }));
        });
      },
      signedIn('calculateClients', write('books_calculated'), {
        summary: 'Calculate the books of several clients and create their reports',
        description:
          'Processes the clients one after the other. If your access to a client is read-only, that client gets an error, and the others continue. With `year`, creates only the reports for that year.',
        body: closed(
          {
            year: t.Optional(year),
            clients: t.Optional(
              t.Array(id, {
                maxItems: chosenClientsMax,
                description: 'Limits the operation to these clients. The default is all.',
              }),
            ),
          },
          { title: 'BulkCalculation', examples: [{ year: 2024 }] },
        ),
        response: {
          200: closed({
            data: t.Array(
              closed(
                {
                  client: id,
                  name: t.String(),
                  status: oneOf(['completed', 'refused']),
                  reports: t.Array(closed({ id, year })),
                  problem: t.Optional(closed({ code: Problem.properties.code, detail: t.String() })),
                },
                { title: 'ClientCalculation' },
              ),
            ),
          }),
          ...problems('plan_limit', 'idempotency_mismatch'),
        },
      }),
    )
    .get(
      '/reports',
      async ({ caller, query: parameters, request, server }) => {
        deps.rateLimits.take('work', caller.userId);
        const clients = await readChosenClients(deps, caller, parameters.clients?.split(','));
        nameBooks(clients.map((client) => client.id));
        server?.timeout(request, 0);
        const { year: taxYear, format = '8949' } = parameters;
        const options = { year: taxYear, format, pool, signal: request.signal };
        const pieces = writeZip(reportsOfClients(deps, caller, clients, options));
        return download(deps, {
          fileName: `clients-${taxYear}-${format}.zip`,
          mediaType: 'application/zip',
          body: toStream(pieces),
        });
      },
      signedIn('downloadClientReports', recordedRead(['reports'], 'reports_downloaded'), {
        summary: 'Download a year’s reports of several clients as one ZIP',
        description:
          'Contains the newest report of each client. `READ ME.txt` lists missing reports and those whose books have changed since: `POST /clients/calculate` creates new ones.',
        query: {
          year: yearParameter,
          format: t.Optional(oneOf(formatIds, 'Default: 8949.')),
          clients: t.Optional(t.String({ maxLength: 4000, description: 'Comma-separated ids. The default is all.' })),
        },
        response: problems('not_found'),
        detail: { responses: { 200: { description: 'The ZIP.', content: { 'application/zip': { schema: binary } } } } },
      }),
    );

const formatIds = reportFormats.map((format) => format.id);

/** Renders reports as the client reads them, and never ahead of a slow client. */
function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

interface ReportArchiveOptions {
  readonly year: number;
  readonly format: string;
  readonly pool: RenderPool;
  readonly signal: AbortSignal;
}

/**
 * The maximum size of one report. The PDF for a year with 100,000 lines is about a third of this size. A ZIP with ten
 * reports of this size needs no 64-bit sizes.
 */
const fileBytesMax = 100_000_000;

/**
 * Yields each client's newest report for one year, in a folder with the client's name. Renders each report when the ZIP
 * stream reaches it. The last entry lists outdated reports, and missing reports with the reason.
 */
async function* reportsOfClients(
  deps: Deps,
  caller: Caller,
  clients: readonly ClientRow[],
  options: ReportArchiveOptions,
): AsyncGenerator<ZipEntry> {
  const remarks: string[] = [];
  const folders = assignFolderNames(clients);
  for (const client of clients) {
    const folder = folders.get(client.id) ?? client.id;
    try {
      const { fileName, content, isStale } = await renderReport(deps, caller, client, options);
      if (isStale)
        remarks.push(`${client.name}: the books have changed since this report was generated. Generate it again.`);
      yield { name: `${folder}/${fileName}`, content };
    } catch (error) {
      const { code, detail } = refusalOnly(error);
      const reason = code === 'not_found' ? `There is no report for ${options.year}.` : detail;
      remarks.push(`${client.name}: not in this file. ${reason}`);
    }
  }
  if (remarks.length > 0)
    yield { name: 'READ ME.txt', content: new TextEncoder().encode(`${remarks.join('\r\n')}\r\n`) };
}

async function renderReport(
  deps: Deps,
  { userId }: Caller,
  { id }: ClientRow,
  { year, format, pool, signal }: ReportArchiveOptions,
) {
  // The client may have revoked access while earlier reports were rendered.
  const clientBooks = await deps.database.asService((sql) => readClientBooks(sql, userId, id));
  if (clientBooks === undefined) throw notFound();
  const report = await deps.database.asTaxpayer(id, (sql) => selectNewestReport(sql, id, year), { readOnly: true });
  if (report === undefined) throw notFound();
  const books = await findBooks(deps, id, report.id);
  const { fileName, body } = await pool.render({ format, choices: {}, ...books }, signal);
  return { fileName, content: await readAll(body), isStale: report.stale };
}

async function readAll(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > fileBytesMax)
      throw new Refusal('too_large', 'The report is too large for this file. Download it separately.');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** Assigns folder names in plain ASCII, as ZIP file names should be. Appends a number to names that repeat. */
function assignFolderNames(clients: readonly ClientRow[]): Map<string, string> {
  const usedNames = new Set<string>();
  const folders = new Map<string, string>();
  for (const { id, name } of clients) {
    const plain =
      name
        .normalize('NFKD')
        .replace(/[^\w .@-]/g, '')
        .replace(/^[\s.]+|[\s.]+$/g, '')
        .slice(0, 80) || 'Client';
    let folder = plain;
    for (let at = 2; usedNames.has(folder.toLowerCase()); at++) folder = `${plain} ${at}`;
    usedNames.add(folder.toLowerCase());
    folders.set(id, folder);
  }
  return folders;
}

/** Higher than the client limit of any plan. */
const chosenClientsMax = 100;

/** Returns the clients for a bulk operation: either the requested ones or all. Excludes other CPAs' clients. */
async function readChosenClients(
  deps: Deps,
  { userId }: Caller,
  ids: readonly string[] | undefined,
): Promise<ClientRow[]> {
  const rows = await deps.database.asService((sql) => readClients(sql, userId, { limit: chosenClientsMax }));
  if (ids === undefined) return rows.slice(0, chosenClientsMax);
  const chosenIds = new Set(ids.map(parseUuid));
  const chosen = rows.filter(({ id }) => chosenIds.has(id));
  if (chosen.length < chosenIds.size) throw notFound();
  return chosen;
}

/** Returns the reason why a client was left out. Rethrows a bug, which ends the whole operation. */
function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

interface CalculatedClient {
  readonly client: string;
  readonly name: string;
  readonly status: 'completed' | 'refused';
  readonly reports: { readonly id: string; readonly year: number }[];
  readonly problem?: { readonly code: RefusalCode; readonly detail: string };
}

interface BulkCalculationOptions {
  readonly year: number | undefined;
  readonly beforeBooks: (taxpayerId: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs one calculation at a time, because parallel calculations would take the cores and connections that other
 * requests need.
 */
async function calculateClients(
  deps: Deps,
  caller: Caller,
  clients: readonly ClientRow[],
  options: BulkCalculationOptions,
): Promise<CalculatedClient[]> {
  const done: CalculatedClient[] = [];
  for (const client of clients) {
    // The HTTP client disconnected. Finished calculations remain. The error prevents a partial response from being
    // stored for replay.
    if (options.signal.aborted)
      throw new Refusal('bad_request', 'The request was canceled. Finished calculations are kept.');
    deps.rateLimits.take('work', caller.userId);
    done.push(await calculateOne(deps, client, options));
  }
  return done;
}

async function calculateOne(
  deps: Deps,
  { id: client, name, role }: ClientRow,
  { year, beforeBooks }: BulkCalculationOptions,
): Promise<CalculatedClient> {
  try {
    requireRolePermission(role, 'write');
    await beforeBooks(client);
    const { reports } = await inTurn(deps, client, (sql) =>
      runCalculation(deps, sql, client, crypto.randomUUID(), { year }, createReports),
    );
    return { client, name, status: 'completed', reports };
  } catch (error) {
    const { code, detail } = refusalOnly(error);
    return { client, name, status: 'refused', reports: [], problem: { code, detail } };
  }
}
