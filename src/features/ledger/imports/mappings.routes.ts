import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound, parseUuid } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { booksQuery, idParams, listOf, listQuery, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { deleteMapping, type MappingRow, selectMappings } from './mappings.queries.ts';
import { SavedMapping } from './mappings.schemas.ts';

const tags = ['Imports'];

/** Lists and deletes the mappings for files in unknown formats. A mapping is saved when it is sent with an import. */
export const mappingRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/imports/mappings' })
    .use(access)
    .get(
      '',
      async ({ taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [usedAt, id] = readCursor(parameters.cursor, ['instant', 'uuid']) ?? [];
        const after = usedAt === undefined || id === undefined ? null : { usedAt, id };
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => selectMappings(sql, taxpayer.id, after, limit + 1),
          { readOnly: true },
        );
        return mapPage(
          page(rows, limit, (row) => [row.usedAt.toISOString(), row.id]),
          mappingView,
        );
      },
      {
        books: true,
        query: booksQuery(listQuery),
        response: { 200: listOf(SavedMapping), ...problems('not_found') },
        detail: {
          summary: 'List saved mappings, last used first',
          description:
            'A mapping sent with an import is saved under the header of its file, so the next file needs no parameter.',
          operationId: 'listMappings',
          tags,
        },
      },
    )
    .delete(
      '/:id',
      async ({ taxpayer, params, set }) => {
        const id = parseUuid(params.id);
        const isDeleted = await deps.database.asTaxpayer(taxpayer.id, (sql) => deleteMapping(sql, taxpayer.id, id));
        if (!isDeleted) throw notFound();
        set.status = 204;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 204: t.Void(), ...problems('not_found') },
        detail: {
          summary: 'Delete a saved mapping',
          description: 'Transactions imported with it stay.',
          operationId: 'deleteMapping',
          tags,
        },
      },
    );

function mappingView({ id, header, mapping, createdAt, usedAt }: MappingRow) {
  return { id, header, mapping, createdAt: createdAt.toISOString(), usedAt: usedAt.toISOString() };
}
