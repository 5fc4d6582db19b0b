import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { formats } from '../../../formats/index.ts';
import { download } from '../../../http/download.ts';
import { parseUuid, requireFound } from '../../../http/errors.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import { followImport, group, recordedRead, write } from '../../../http/operations/operations.ts';
import { listOf, listQuery, problems } from '../../../http/schemas.ts';
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

const { onBooks, open } = group('Imports');

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
    .use(mappingRoutes(access))
    .use(duplicateRoutes(deps, access))
    .use(accountRoutes(deps, access))
    .get(
      '/formats',
      () => ({ data: formats.map(formatView), hasMore: false, nextCursor: null }),
      open('listFormats', null, { summary: 'List the supported file formats', response: { 200: listOf(Format) } }),
    );
};

const importRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/imports' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: parameters }) => {
        if (parameters.undone === true) return listUndone(deps, taxpayer.id);
        const limit = parameters.limit ?? limitDefault;
        const before = readSequence(parameters.cursor);
        const rows = await books.read((sql) => selectImports(sql, taxpayer.id, before, limit));
        return page(rows, limit, (row) => [row.sequence], importView);
      },
      onBooks('listImports', followImport, {
        summary: 'List imports, newest first',
        query: {
          ...listQuery,
          undone: t.Optional(
            t.Boolean({
              description:
                'Set to true to list the imports that were undone less than a day ago, the last undone first.',
            }),
          ),
        },
        response: { 200: listOf(Import) },
      }),
    )
    .get(
      '/:id',
      async ({ books, taxpayer, params }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        const row = requireFound(await books.read((sql) => selectImport(sql, scope)));
        return importView(row);
      },
      onBooks('getImport', followImport, { summary: 'Get an import', response: { 200: Import } }),
    )
    .delete(
      '/:id',
      async ({ caller, taxpayer, params, query }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        if (query.dryRun === true) {
          deps.rateLimits.take('work', caller.userId);
          return previewUndo(deps, scope);
        }
        await undoImport(deps, taxpayer, scope);

        return undefined;
      },
      onBooks('deleteImport', write('import_undone'), {
        summary: 'Undo an import',
        description:
          'Removes the transactions that have no other source and recalculates the gains. For a day, POST /imports/:id/restore reverses it. With `dryRun=true` nothing is removed, and the response has the number of transactions and the tax years that would change.',
        query: { dryRun },
        response: { 200: UndoPreview, 204: t.Void(), ...problems('conflict', 'year_locked') },
      }),
    )
    .post(
      '/:id/restore',
      ({ taxpayer, params }) =>
        restoreImport(deps, taxpayer, { taxpayerId: taxpayer.id, importId: parseUuid(params.id) }),
      onBooks('revokeImportDeletion', write('import_restored'), {
        summary: 'Restore an undone import',
        description:
          'Restores the transactions, edits, answers and file exactly as before the undo. This is possible for a day, unless another file was imported since. GET /imports?undone=true lists these imports.',
        response: { 200: Import, ...problems('conflict', 'year_locked', 'plan_limit') },
      }),
    )
    .get(
      '/:id/changes',
      ({ books, taxpayer, params }) =>
        books.snapshot((sql) => compareImport(sql, { taxpayerId: taxpayer.id, importId: parseUuid(params.id) })),
      onBooks('getImportChanges', followImport, {
        summary: 'Compare a file with the previous one',
        description:
          'Compares the import with the last one of the same format that covers some of the same days of an account. Returns the added, changed and missing rows.',
        response: { 200: Changes },
      }),
    )
    .get(
      '/:id/events',
      async ({ books, request, server, caller, taxpayer, params }) => {
        deps.rateLimits.take('stream', caller.userId);
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        requireFound(await books.read((sql) => selectHeader(sql, scope)));
        const events = (lastEventId: string | undefined, signal: AbortSignal) =>
          importEvents(deps, scope, lastEventId, signal);
        return eventStream(deps, { request, server }, { caller, events, isAllowed: reaches(deps, caller, taxpayer) });
      },
      onBooks('listImportEvents', followImport, {
        summary: 'Stream the progress of an import',
        description:
          'Sends server-sent events from the beginning, even if the import has ended. `Last-Event-ID` resumes after that event; browsers send it when they reconnect.',
        detail: { responses: { 200: eventStreamResponse('Events until the import ends.', importEventKinds) } },
      }),
    )
    .get(
      '/:id/rejects',
      async ({ books, taxpayer, params }) => {
        const scope = { taxpayerId: taxpayer.id, importId: parseUuid(params.id) };
        const header = requireFound(await books.read((sql) => selectHeader(sql, scope)));
        return download(deps, {
          fileName: 'rejects.csv',
          mediaType: 'text/csv; charset=utf-8; header=present',
          body: rejectsCsv(deps, scope, header),
        });
      },
      onBooks('downloadRejectedRows', recordedRead(['read', 'import'], 'rejected_lines_downloaded'), {
        summary: 'Download the rejected rows as CSV',
        description: 'The columns are line number, column and reason, followed by the original columns of the file.',
        detail: {
          responses: { 200: { description: 'CSV.', content: { 'text/csv': { schema: { type: 'string' } } } } },
        },
      }),
    );

/** The most undone imports in a list, which has one page. */
const undoneMax = 100;

async function listUndone({ database }: Deps, taxpayerId: string) {
  const rows = await database.asTaxpayer(taxpayerId, (sql) => selectAllUndone(sql, taxpayerId, undoneMax), {
    readOnly: true,
  });
  const data = rows.map(({ view, undoneAt }) => ({ ...view, undoneAt: undoneAt.toISOString() }));
  return { data, hasMore: false, nextCursor: null };
}

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
