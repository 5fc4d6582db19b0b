import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import type { FormChoices } from '../../../forms/choices.ts';
import { checkChoices } from '../../../forms/format-choices.ts';
import { reportFormat, reportFormats } from '../../../forms/index.ts';
import { download } from '../../../http/download.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { group, readReport, recordedRead, writeReport } from '../../../http/operations.ts';
import {
  binary,
  closed,
  id,
  instant,
  listOf,
  listQuery,
  oneOf,
  problems,
  year,
  yearParameter,
} from '../../../http/schemas.ts';
import { blobRefusals } from '../../ledger/blobs/read.ts';
import type { Access } from '../../people/auth/access.ts';
import { choicesQuery, createReport, pickFormChoices } from './create.ts';
import type { RenderPool } from './render.ts';
import { listReports, type ReportRow } from './reports.queries.ts';
import { acceptedFormat, findBooks, findReport } from './stored.ts';

const formatIds = reportFormats.map((format) => format.id);

const Report = closed(
  {
    id,
    year,
    revision: t.String({ description: 'The revision of the report’s books, as in the summary.' }),
    stale: t.Boolean({
      description: 'Whether the books have changed since. The report still has the old numbers; create a new one.',
    }),
    createdAt: instant,
    formats: t.Array(oneOf(formatIds), { description: 'The available download formats.' }),
  },
  { title: 'Report' },
);

const ReportFile = closed(
  {
    format: oneOf(formatIds),
    fileName: t.String(),
    mediaType: t.String(),
    warnings: t.Array(t.String(), { description: 'Sentences.' }),
    answerable: t.Array(t.String(), {
      description: 'The warnings that answers in Lotbook remove: open issues and assumed forms.',
    }),
    assumedForms: t.Array(t.String(), {
      description: 'The accounts whose form is assumed. Set their forms with PATCH /tax/settings.',
    }),
  },
  { title: 'ReportFile' },
);

const { onBooks } = group('Reports');

/**
 * Creates, lists and downloads reports of a year. Each report stores the state of the books, and is rendered when it is
 * downloaded.
 */
export const reports = (deps: Deps, access: Access, pool: RenderPool) =>
  new Elysia({ prefix: '/tax/reports' })
    .use(access)
    .post(
      '',
      (context) => {
        const { books, body, caller, taxpayer } = context;
        deps.rateLimits.take('work', caller.userId);
        return idempotent(deps, context, (saveResponse) =>
          books.change(async (sql) => {
            pool.prepare();
            const report = await createReport(sql, taxpayer.id, body.year, deps.clock.now());
            return saveResponse(sql, { status: 201 as const, body: toReportItem(report) });
          }),
        );
      },
      onBooks('createReport', writeReport('report_created'), {
        summary: 'Create the report for a year',
        description: 'If nothing has changed since the last report, the response is the existing report.',
        body: closed({ year }, { examples: [{ year: 2024 }] }),
        response: { 201: Report, ...problems('plan_limit') },
      }),
    )
    .get(
      '',
      async ({ books, query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const filter = { before: readSequence(query.cursor), year: query.year ?? null };
        const rows = await books.read((sql) => listReports(sql, taxpayer.id, filter, limit));
        return page(rows, limit, (row) => [row.sequence], toReportItem);
      },
      onBooks('listReports', readReport, {
        summary: 'List reports, newest first',
        query: { ...listQuery, year: t.Optional(yearParameter) },
        response: { 200: listOf(Report) },
      }),
    )
    .get(
      '/:id',
      async ({ params, taxpayer }) => toReportItem(await findReport(deps, taxpayer.id, params.id)),
      onBooks('getReport', readReport, { summary: 'Get a report', response: { 200: Report } }),
    )
    .get(
      '/:id/download',
      async ({ params, query, request, server, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const reportRequest = parseReportRequest(query, request);
        const books = await findBooks(deps, taxpayer.id, params.id);
        server?.timeout(request, 0);
        const { fileName, mediaType, body } = await pool.render({ ...reportRequest, ...books }, request.signal);
        return download(deps, { fileName, mediaType, body, headers: { vary: 'accept, cookie' } });
      },
      onBooks('downloadReport', recordedRead(['reports'], 'report_downloaded'), {
        summary: 'Download a report',
        description:
          'The file is rendered on demand from the books of the report, and always has the same bytes. Options that the format does not use are refused.',
        query: choicesQuery,
        response: problems(...blobRefusals),
        detail: { responses: { 200: { description: 'The file.', content: buildMediaTypes() } } },
      }),
    )
    .get(
      '/:id/warnings',
      async ({ params, query, request, caller, taxpayer }) => {
        deps.rateLimits.take('work', caller.userId);
        const reportRequest = parseReportRequest(query, request);
        const books = await findBooks(deps, taxpayer.id, params.id);
        const { body, ...head } = await pool.render({ ...reportRequest, headOnly: true, ...books }, request.signal);
        await new Response(body).arrayBuffer();
        return {
          format: reportRequest.format,
          ...head,
          warnings: [...head.warnings],
          answerable: [...head.answerable],
          assumedForms: [...head.assumedForms],
        };
      },
      onBooks('listReportWarnings', readReport, {
        summary: 'Get the name, type and warnings of a download',
        description:
          'Warnings state whether the year has open issues, their number, and that the file is a draft. They also state which lines the importing software will not understand, and what you must complete yourself.',
        query: choicesQuery,
        response: { 200: ReportFile, ...problems(...blobRefusals) },
      }),
    );

/** Parses the request. Refuses options that the format does not accept, before any books are read. */
function parseReportRequest(query: FormChoices & { readonly format?: string }, request: Request) {
  const format = query.format ?? acceptedFormat(request.headers.get('accept'));
  const choices = pickFormChoices(query);
  const known = reportFormat(format);
  if (known === undefined) throw new Error(`There is no report format ${format}.`);
  checkChoices(known, choices);
  return { format, choices };
}

function toReportItem({ id, year, revision, stale, createdAt }: ReportRow) {
  return { id, year, revision, stale, createdAt: createdAt.toISOString(), formats: [...formatIds] };
}

/** Returns all media types, for the API document. */
function buildMediaTypes() {
  const file = { schema: binary };
  const mediaTypes = [...reportFormats.map(({ mediaType }) => mediaType.split(';')[0] ?? ''), 'application/zip'];
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, file]));
}
