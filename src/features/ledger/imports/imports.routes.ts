import { Elysia, t } from 'elysia';
import { fileRefusals } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { formats } from '../../../formats/index.ts';
import { download } from '../../../http/download.ts';
import { parseUuid, requireFound } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readCursor, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import { bringIn, followImport, group, recordedRead, write } from '../../../http/operations.ts';
import { prefersAsync } from '../../../http/requests.ts';
import { binary, closed, id, listOf, listQuery, problems } from '../../../http/schemas.ts';
import { eventStream } from '../../../http/sse.ts';
import { type Access, reaches } from '../../people/auth/access.ts';
import { dryRun } from '../books/books.schemas.ts';
import { dismissPossible, selectPossible } from '../transactions/matched.queries.ts';
import { alike } from '../transactions/matched.ts';
import { importEventKinds, importEvents } from './events.ts';
import { accountRoutes } from './file-accounts.routes.ts';
import type { ImportDeps } from './import-deps.ts';
import {
  deleteMapping,
  type MappingRow,
  selectHeader,
  selectImport,
  selectImports,
  selectMappings,
} from './imports.queries.ts';
import { Format, Import, SavedMapping, UndoPreview } from './imports.schemas.ts';
import { importQuery, toImportOptions } from './options.ts';
import { rejectRoutes, rejectsCsv } from './rejects.routes.ts';
import { Changes, rereadRoutes } from './reread.routes.ts';
import { compareImport } from './reread.ts';
import { runImport } from './run.ts';
import { keepSwept } from './sweep.ts';
import { previewUndo, restoreImport, undoImport } from './undo.ts';
import { selectAllUndone } from './undone.queries.ts';
import { fileTypes, openUpload } from './upload.ts';
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

const uploadRoute = (deps: ImportDeps, access: Access) =>
  new Elysia().use(access).post(
    '/transactions/import',
    async (context) => {
      const { request, server, taxpayer, caller, query: parameters, set } = context;
      deps.rateLimits.take('work', caller.userId);
      const options = toImportOptions(parameters, prefersAsync(request));
      // Disables the idle timeout, because uploads have their own limit.
      server?.timeout(request, 0);
      const sent = await openUpload(request);
      const digest = (text: string): string => fingerprintOf(text, options);
      const savedResponse = await idempotent(
        deps,
        context,
        (saveResponse) =>
          runImport(deps, taxpayer, { ...sent, digest: () => digest(sent.digest()) }, options, saveResponse),
        async () => digest(await sent.readToEnd()),
      );
      const { id } = savedResponse.response;
      const client = parameters.client === undefined ? '' : `?client=${encodeURIComponent(parameters.client)}`;
      if (!options.dryRun) set.headers.location = `/v1/imports/${id}${client}`;
      if (savedResponse.code === 202) set.headers['preference-applied'] = 'respond-async';
      return savedResponse;
    },
    onBooks('importTransactions', bringIn('file_imported'), {
      summary: 'Import a file',
      description:
        'A CSV, an Excel workbook, an OFX or QFX file, a Flex query in XML, an FDX document or a PDF with one, or a ZIP or gzip of any, as the body or as the part `file` of multipart/form-data. Returns 201 once its rows are stored and the gains are up to date, 200 for a dry run, and with `Prefer: respond-async` 202 as soon as the file has arrived. Rows that are already stored are duplicates. A line that cannot be read does not stop others.',
      parse: 'none',
      query: importQuery,
      response: {
        200: Import,
        201: Import,
        202: Import,
        ...problems('plan_limit', 'conflict', 'year_locked', 'ambiguous_format', 'ambiguous_file', ...fileRefusals),
      },
      detail: {
        requestBody: {
          required: true,
          content: {
            // Listed first, because generated clients use the first content type.
            'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: binary } } },
            'text/csv': { schema: { type: 'string' }, example: exampleFile },
            ...packedFiles,
          },
        },
      },
    }),
  );

/** All other files: packed ones, workbooks, OFX and QFX, Flex queries and PDFs. */
const packedFiles = Object.fromEntries(
  fileTypes
    .filter((type) => type !== 'text/csv')
    .map((type) => [type, { schema: { type: 'string', contentMediaType: type } }] as const),
);

/** A file with a wash sale, crypto that moves between accounts, and crypto without a purchase. */
const exampleFile = `date,type,account,asset,quantity,amount,fee
2023-01-05,buy,Schwab,AAPL,20,2500.00,0
2024-02-01,sell,Schwab,AAPL,10,1850.00,1.50
2024-03-01,buy,Schwab,KO,100,6000.00,0
2024-11-20,sell,Schwab,KO,100,5600.00,0
2024-12-02,buy,Schwab,KO,40,2360.00,0
2024-12-16,dividend,Schwab,KO,,48.50,
2024-05-10T14:30:00Z,buy,Kraken,BTC,0.5,31000.00,50
2024-07-01T10:00:00Z,withdrawal,Kraken,BTC,0.1,,
2024-07-01T10:20:00Z,deposit,Ledger,BTC,0.1,,
2024-11-15T09:00:00Z,sell,Kraken,BTC,0.2,18200.00,30
2024-11-18T16:00:00Z,sell,Kraken,ETH,1,3100.00,5
`;

/** Returns a fingerprint of the request. The same file with different options is a different request. */
function fingerprintOf(digest: string, options: object): string {
  return `${digest} ${JSON.stringify(options)}`;
}

const PossibleDuplicate = closed(
  {
    id,
    transactionId: t.String({ description: 'The later transaction.' }),
    otherId: t.String(),
    importId: t.String({
      description: 'The import of the later transaction, or of the other one if the later one was entered manually.',
    }),
    detail: t.String(),
  },
  {
    title: 'PossibleDuplicate',
    examples: [
      {
        id: '0b8f1c1e-5d4c-4b57-9d0a-6f0d2a1c7e11',
        transactionId: '8dd4636e-78aa-432c-6c3c-694cd77a7fc6',
        otherId: '7918089d-5766-f5a8-0716-661473e30fb1',
        importId: '53c3ec83-a853-47ac-8706-22be23f30a70',
        detail: alike,
      },
    ],
  },
);

/**
 * Lists rows that two kinds of files seem to share. Both rows stay until one is removed or the user confirms that both
 * are real.
 */
const duplicateRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/imports/possible-duplicates' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [after] = readCursor(parameters.cursor, ['uuid']) ?? [];
        const rows = await books.read((sql) =>
          selectPossible(sql, taxpayer.id, { after: after ?? null, limit: limit + 1 }),
        );
        return page(rows, limit, (row) => [row.id]);
      },
      onBooks('listPossibleDuplicates', followImport, {
        summary: 'List possible duplicates',
        description:
          'Lists transactions that may also come from another kind of file of the same source or from a manual entry. Both count. Remove one with DELETE /transactions/:id, or keep both.',
        query: listQuery,
        response: { 200: listOf(PossibleDuplicate) },
      }),
    )
    .delete(
      '/:id',
      async ({ books, taxpayer, params }) => {
        const pair = parseUuid(params.id);
        requireFound(await books.change((sql) => dismissPossible(sql, taxpayer.id, pair, deps.clock.now())));
      },
      onBooks('resolvePossibleDuplicate', write('duplicate_dismissed'), {
        summary: 'Keep both',
        description: 'Confirms that these are two transactions. The pair is not shown again.',
        response: { 204: t.Void() },
      }),
    );

/** Lists and deletes the mappings for files in unknown formats. A mapping is saved when it is sent with an import. */
const mappingRoutes = (access: Access) =>
  new Elysia({ prefix: '/imports/mappings' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [usedAt, id] = readCursor(parameters.cursor, ['instant', 'uuid']) ?? [];
        const after = usedAt === undefined || id === undefined ? null : { usedAt, id };
        const rows = await books.read((sql) => selectMappings(sql, taxpayer.id, after, limit + 1));
        return page(rows, limit, (row) => [row.usedAt.toISOString(), row.id], mappingView);
      },
      onBooks('listMappings', followImport, {
        summary: 'List saved mappings, last used first',
        description:
          'A mapping sent with an import is saved under the header of its file, so the next file needs no parameter.',
        query: listQuery,
        response: { 200: listOf(SavedMapping) },
      }),
    )
    .delete(
      '/:id',
      async ({ books, taxpayer, params }) => {
        const id = parseUuid(params.id);
        requireFound(await books.change((sql) => deleteMapping(sql, taxpayer.id, id)));
      },
      onBooks('deleteMapping', write('mapping_forgotten'), {
        summary: 'Delete a saved mapping',
        description: 'Transactions imported with it stay.',
        response: { 204: t.Void() },
      }),
    );

function mappingView({ id, header, mapping, createdAt, usedAt }: MappingRow) {
  return { id, header, mapping, createdAt: createdAt.toISOString(), usedAt: usedAt.toISOString() };
}
