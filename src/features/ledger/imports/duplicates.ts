import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { parseUuid, requireFound } from '../../../http/errors.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { followImport, group, write } from '../../../http/operations/operations.ts';
import { closed, id, listOf, listQuery } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { dismissPossible, selectPossible } from '../transactions/matched.queries.ts';
import { alike } from '../transactions/matched.ts';

const { onBooks } = group('Imports');

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
export const duplicateRoutes = (deps: Deps, access: Access) =>
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
