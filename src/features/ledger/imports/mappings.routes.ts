import { Elysia, t } from 'elysia';
import { parseUuid, requireFound } from '../../../http/errors.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { followImport, group, write } from '../../../http/operations/operations.ts';
import { listOf, listQuery } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { deleteMapping, type MappingRow, selectMappings } from './mappings.queries.ts';
import { SavedMapping } from './mappings.schemas.ts';

const { onBooks } = group('Imports');

/** Lists and deletes the mappings for files in unknown formats. A mapping is saved when it is sent with an import. */
export const mappingRoutes = (access: Access) =>
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
