import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { formats } from '../../../formats/index.ts';
import { download } from '../../../http/download.ts';
import { notFound, parseUuid } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import { booksQuery, idParams, listOf, listQuery, problems, query } from '../../../http/schemas.ts';
import { eventStream } from '../../../http/sse.ts';
import { type Access, reaches } from '../../people/auth/access.ts';
import { dryRun } from '../books/books.schemas.ts';
import { accountRoutes } from './accounts/accounts.routes.ts';
import { duplicateRoutes } from './duplicates.ts';
import { importEventKinds, importEvents } from './events.ts';
import type { ImportDeps } from './import-deps.ts';
import { selectHeader, selectImport, selectImports } from './imports.queries.ts';
import { Format, Import, UndoPreview } from './imports.schemas.ts';
import { mappingRoutes } from './mappings.routes.ts';
import { rejectRoutes } from './rejects.routes.ts';
import { rejectsCsv } from './rejects.ts';
import { rereadRoutes } from './reread.routes.ts';
import { Changes } from './reread.schemas.ts';
import { compareImport } from './reread.ts';
import { keepSwept } from './sweep.ts';
import { previewUndo, restoreImport, undoImport } from './undo.ts';
import { selectAllUndone } from './undone.queries.ts';
import { uploadRoute } from './upload.routes.ts';
import { importView } from './view.ts';

const tags = ['Imports'];

/** Imports files, reports their status, and undoes imports. */
export const imports = (deps: ImportDeps, access: Access) => {
  let stopSweeping = (): void => {};
  return new Elysia()
    .onStart(() => {
      stopSweeping = keepSwept(deps);
    })
    .onStop(() => stopSweeping())
    .use(uploadRoute(deps, access))
    .use(importRoutes(deps, access))
    .use(rereadRoutes(deps, access))
    .use(rejectRoutes(deps, access))
    .use(mappingRoutes(deps, access))
    .use(duplicateRoutes(deps, access))
    .use(accountRoutes(deps, access))
    .get('/formats', () => ({ data: formats.map(formatView), hasMore: false, nextCursor: null }), {
      query: query({}),
      response: { 200: listOf(Format) },
      detail: { summary: 'List the supported file formats', operationId: 'listFormats', tags },
    });
};

const importRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/imports' })
    .use(access)
    .get(
      '',
      async ({ taxpayer, query: parameters }) => {
        if (parameters.undone === true) return listUndone(deps, taxpayer.id);
        const limit = parameters.limit ?? limitDefault;
        const before = readSequence(parameters.cursor);
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => selectImports(sql, taxpayer.id, before, limit),
          { readOnly: true },
        );
        return mapPage(
          page(rows, limit, (row) => [row.sequence]),
          importView,
        );
      },
      {
        books: true,
        query: booksQuery({
          ...listQuery,
          undone: t.Optional(
            t.Boolean({
              description:
                'Set to true to list the imports that were undone less than a day ago, the last undone first.',
            }),
          ),
        }),
        response: { 200: listOf(Import), ...problems('not_found') },
        detail: { summary: 'List imports, newest first', operationId: 'listImports', tags },
      },
    )
    .get(
      '/:id',
      async ({ taxpayer, params }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        const row = await deps.database.asTaxpayer(taxpayer.id, (sql) => selectImport(sql, scope), { readOnly: true });
        if (row === undefined) throw notFound();
        return importView(row);
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Import, ...problems('not_found') },
        detail: { summary: 'Get an import', operationId: 'getImport', tags },
      },
    )
    .delete(
      '/:id',
      async ({ caller, taxpayer, params, query, set }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        if (query.dryRun === true) {
          deps.rateLimits.take('work', caller.userId);
          return previewUndo(deps, scope);
        }
        await undoImport(deps, taxpayer, scope);
        set.status = 204;
        return undefined;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({ dryRun }),
        response: { 200: UndoPreview, 204: t.Void(), ...problems('not_found', 'conflict', 'year_locked') },
        detail: {
          summary: 'Undo an import',
          description:
            'Removes the transactions that have no other source and recalculates the gains. For a day, POST /imports/:id/restore reverses it. With `dryRun=true` nothing is removed, and the response has the number of transactions and the tax years that would change.',
          operationId: 'deleteImport',
          tags,
        },
      },
    )
    .post(
      '/:id/restore',
      ({ taxpayer, params }) =>
        restoreImport(deps, taxpayer, { taxpayerId: taxpayer.id, importId: parseUuid(params.id) }),
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Import, ...problems('not_found', 'conflict', 'year_locked', 'plan_limit') },
        detail: {
          summary: 'Restore an undone import',
          description:
            'Restores the transactions, edits, answers and file exactly as before the undo. This is possible for a day, unless another file was imported since. GET /imports?undone=true lists these imports.',
          operationId: 'revokeImportDeletion',
          tags,
        },
      },
    )
    .use(importFiles(deps, access));

/** The most undone imports in a list, which has one page. */
const undoneMax = 100;

async function listUndone({ database }: Deps, taxpayerId: string) {
  const rows = await database.asTaxpayer(taxpayerId, (sql) => selectAllUndone(sql, taxpayerId, undoneMax), {
    readOnly: true,
  });
  const data = rows.map(({ view, undoneAt }) => ({ ...view, undoneAt: undoneAt.toISOString() }));
  return { data, hasMore: false, nextCursor: null };
}

const importFiles = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/:id/changes',
      ({ taxpayer, params }) =>
        deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => compareImport(sql, { taxpayerId: taxpayer.id, importId: parseUuid(params.id) }),
          { snapshot: true, readOnly: true },
        ),
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Changes, ...problems('not_found') },
        detail: {
          summary: 'Compare a file with the previous one',
          description:
            'Compares the import with the last one of the same format that covers some of the same days of an account. Returns the added, changed and missing rows.',
          operationId: 'getImportChanges',
          tags,
        },
      },
    )
    .get(
      '/:id/events',
      async ({ request, server, caller, taxpayer, params }) => {
        deps.rateLimits.take('stream', caller.userId);
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        const header = await deps.database.asTaxpayer(taxpayer.id, (sql) => selectHeader(sql, scope), {
          readOnly: true,
        });
        if (header === undefined) throw notFound();
        const events = (lastEventId: string | undefined, signal: AbortSignal) =>
          importEvents(deps, scope, lastEventId, signal);
        return eventStream(deps, { request, server }, { caller, events, isAllowed: reaches(deps, caller, taxpayer) });
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        detail: {
          summary: 'Stream the progress of an import',
          description:
            'Sends server-sent events from the beginning, even if the import has ended. `Last-Event-ID` resumes after that event; browsers send it when they reconnect.',
          operationId: 'listImportEvents',
          tags,
          responses: { 200: eventStreamResponse('Events until the import ends.', importEventKinds) },
        },
      },
    )
    .get(
      '/:id/rejects',
      async ({ taxpayer, params }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        const header = await deps.database.asTaxpayer(taxpayer.id, (sql) => selectHeader(sql, scope), {
          readOnly: true,
        });
        if (header === undefined) throw notFound();
        return download(deps, {
          fileName: 'rejects.csv',
          mediaType: 'text/csv; charset=utf-8; header=present',
          body: rejectsCsv(deps, scope, header),
        });
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        detail: {
          summary: 'Download the rejected rows as CSV',
          description: 'The columns are line number, column and reason, followed by the original columns of the file.',
          operationId: 'downloadRejectedRows',
          tags,
          responses: { 200: { description: 'CSV.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      },
    );

function formatView(format: (typeof formats)[number]) {
  return {
    id: format.id,
    name: format.name,
    source: format.source,
    assetClass: format.assetClass,
    layouts: format.layouts.map(({ id, required, onlyWhenAsked = false }) => ({
      id,
      headers: [...required],
      onlyWhenNamed: onlyWhenAsked,
      asks: [
        ...(format.asksDateOrder === true ? (['dateOrder'] as const) : []),
        ...(format.asksSide?.includes(id) === true ? (['side'] as const) : []),
      ],
    })),
  };
}
