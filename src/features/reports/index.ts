import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { reportFormats } from '../../forms/index.ts';
import { download } from '../../http/download.ts';
import { notFound } from '../../http/errors.ts';
import { idempotent } from '../../http/idempotency.ts';
import { limitDefault, mapPage, page, readSequence } from '../../http/list.ts';
import { rates, takeToken } from '../../http/rates.ts';
import {
  booksQuery,
  closed,
  id,
  idParams,
  instant,
  listOf,
  listQuery,
  oneOf,
  problems,
  year,
} from '../../http/schemas.ts';
import { access } from '../auth/access.ts';
import { acceptedFormat } from './accept.ts';
import { createReport } from './create.ts';
import { listReports, type ReportRow, selectBooks, selectReport } from './queries.ts';
import { RenderPool } from './render.ts';

const formatIds = reportFormats.map((format) => format.id);

const Report = closed(
  {
    id,
    year,
    revision: t.String({ description: 'The state of the books that it holds, as in the summary.' }),
    stale: t.Boolean({ description: 'The books have changed since. It still gives what it held: make a new one.' }),
    createdAt: instant,
    formats: t.Array(oneOf(formatIds), { description: 'What it can be downloaded as.' }),
  },
  { title: 'Report' },
);

const tags = ['Reports'];

/** Reports of a year, pinned to the state of the books they were made of, and drawn when they are downloaded. */
export const reports = (deps: Deps, pool = new RenderPool()) =>
  new Elysia({ prefix: '/tax/reports' })
    .use(access(deps))
    .post(
      '',
      (context) => {
        const { body, caller, taxpayer } = context;
        takeToken(deps, rates.work, caller.userId);
        return idempotent(deps, context, (keep) =>
          deps.database.asTaxpayer(taxpayer.id, async (sql) => {
            const report = await createReport(sql, taxpayer.id, body.year, deps.clock.now());
            return keep(sql, { status: 201 as const, body: itemOf(report) });
          }),
        );
      },
      {
        books: true,
        query: booksQuery({}),
        body: closed({ year }),
        response: { 201: Report, ...problems(409, 422) },
        detail: {
          summary: 'Make the report of a year',
          description: 'The same books give the same report: where nothing has changed, the one that is there.',
          operationId: 'createReport',
          tags,
        },
      },
    )
    .get(
      '',
      async ({ query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const before = readSequence(query.cursor);
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => listReports(sql, taxpayer.id, before, limit),
          { readOnly: true },
        );
        return mapPage(
          page(rows, limit, (row) => [row.sequence]),
          itemOf,
        );
      },
      {
        books: true,
        query: booksQuery(listQuery),
        response: { 200: listOf(Report), ...problems(400) },
        detail: { summary: 'The reports, newest first', operationId: 'listReports', tags },
      },
    )
    .get('/:id', async ({ params, taxpayer }) => itemOf((await find(deps, taxpayer.id, params.id)).report), {
      books: true,
      params: idParams,
      query: booksQuery({}),
      response: { 200: Report, ...problems(404) },
      detail: { summary: 'One report', operationId: 'readReport', tags },
    })
    .get(
      '/:id/download',
      async ({ params, query, request, server, caller, taxpayer }) => {
        takeToken(deps, rates.work, caller.userId);
        const format = query.format ?? acceptedFormat(request.headers.get('accept'));
        const { report, parts } = await find(deps, taxpayer.id, params.id, true);
        server?.timeout(request, 0);
        const stamp = { revision: report.revision, asOf: report.asOf };
        const drawn = await pool.render({ format, stamp, parts }, request.signal);
        const { fileName, mediaType, body } = drawn;
        return download(deps, { fileName, mediaType, body, headers: { vary: 'accept, cookie' } });
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({
          format: t.Optional(
            oneOf(
              formatIds,
              'Without it `Accept` decides (application/pdf, text/csv, application/json), else it is 8949.',
            ),
          ),
        }),
        detail: {
          summary: 'Download a report',
          description: 'Drawn on demand from the books that the report was made of: always the same bytes.',
          operationId: 'downloadReport',
          tags,
          responses: {
            200: { description: 'The file.', content: contentOf() },
          },
        },
      },
    );

async function find(
  deps: Deps,
  taxpayerId: string,
  reportId: string,
  withBooks = false,
): Promise<{ report: ReportRow; parts: Uint8Array[] }> {
  return deps.database.asTaxpayer(
    taxpayerId,
    async (sql) => {
      const report = await selectReport(sql, taxpayerId, reportId);
      if (report === undefined) throw notFound();
      return { report, parts: withBooks ? await selectBooks(sql, taxpayerId, report.digest) : [] };
    },
    { readOnly: true },
  );
}

function itemOf({ id, year, revision, stale, createdAt }: ReportRow) {
  return { id, year, revision, stale, createdAt: createdAt.toISOString(), formats: [...formatIds] };
}

/** Every media type there is, for the document. */
function contentOf() {
  const file = { schema: { type: 'string', format: 'binary' } } as const;
  return Object.fromEntries(reportFormats.map(({ mediaType }) => [mediaType.split(';')[0] ?? '', file]));
}
