import { Elysia, t } from 'elysia';
import { writeZip } from '../../../base/zip.ts';
import type { Deps } from '../../../deps.ts';
import { reportFormats } from '../../../forms/index.ts';
import { nameBooks } from '../../../http/audit/audited-request.ts';
import { download } from '../../../http/download.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { group, recordedRead, write } from '../../../http/operations/operations.ts';
import { binary, closed, id, oneOf, Problem, problems, year, yearParameter } from '../../../http/schemas.ts';
import type { RenderPool } from '../../gains/reports/render.ts';
import type { Access } from '../../people/auth/access.ts';
import { countClients } from '../../people/auth/auth.queries.ts';
import { requireClientCapacity } from '../../people/auth/plan.ts';
import { calculateClients, chosenClientsMax, readChosenClients, reportsOfClients } from './archive.ts';

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
