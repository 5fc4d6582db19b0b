import { Elysia } from 'elysia';
import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { parseUuid } from '../../../../http/errors.ts';
import { limitDefault, page, readSequence } from '../../../../http/list.ts';
import { group, read, write } from '../../../../http/operations/operations.ts';
import { listOf, listQuery, problems } from '../../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../../people/auth/access.ts';
import { changeRows, deleteRows, type EditContext, type EditResult, type Recompute, readOne } from '../change.ts';
import { countListed, selectListedIds } from '../list.queries.ts';
import { toListFilter } from '../list-filter.ts';
import { Transaction } from '../transactions.schemas.ts';
import { inTurn, onceInTurn } from '../turn.ts';
import { getToday } from '../view.ts';
import { type EditRow, selectEdits } from './edits.queries.ts';
import { BulkEditRequest, BulkEditResult, bulkRowsMax, Edit, filteredRowsMax } from './edits.schemas.ts';
import { revertRow, undoEdit } from './undo.ts';

/** The response header that contains the id of the edit. */
export const editHeader = 'edit-id';
export const editNote = 'The header `Edit-Id` contains the id of the edit, which you can undo.';

const { onBooks } = group('Transactions');

/** Edits many transactions at once, and lists and undoes edits. */
export const bulkRoutes = (deps: Deps, access: Access, recompute: Recompute) =>
  new Elysia()
    .use(access)
    .post(
      '/bulk',
      (context) => {
        const { caller, taxpayer, body, request, server } = context;
        // Thousands of rows can take longer than a connection may be idle.
        server?.timeout(request, 0);
        deps.rateLimits.take('work', caller.userId);
        return onceInTurn(deps, context, 200, async (sql) => {
          const ids = await selectIds(deps, sql, taxpayer, body);
          return edit({ deps, recompute }, sql, taxpayer, ids, body);
        });
      },
      onBooks('updateTransactions', write('transactions_edited'), {
        summary: 'Update or delete many transactions',
        description: `Selects up to ${bulkRowsMax} transactions by ids or by a filter, or up to ${filteredRowsMax} by a filter with their number (\`count\`). Changes all of them or none. Refused if the change would make one invalid, or affects a finalized allocation or a locked year. The gains are recalculated once. You can undo the edit.`,
        body: BulkEditRequest,
        response: { 200: BulkEditResult, ...problems('plan_limit', 'conflict', 'year_locked') },
      }),
    )
    .get(
      '/edits',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const before = readSequence(parameters.cursor);
        const rows = await books.read((sql) => selectEdits(sql, taxpayer.id, before, limit));
        return page(rows, limit, (row) => [row.sequence], editView);
      },
      onBooks('listEdits', read, {
        summary: 'List manual edits, newest first',
        query: listQuery,
        response: { 200: listOf(Edit) },
      }),
    )
    .post(
      '/edits/:id/undo',
      ({ taxpayer, params, request, server }) => {
        server?.timeout(request, 0);
        return inTurn(deps, taxpayer.id, async (sql) =>
          editView(await undoEdit({ deps, recompute }, sql, taxpayer, parseUuid(params.id))),
        );
      },
      onBooks('revokeEdit', write('edit_undone'), {
        summary: 'Undo an edit',
        description:
          'Restores all transactions of the edit, or none. Refused if a later edit changed one of them, if one has been deleted or restored since, or if a year is locked.',
        response: { 200: Edit, ...problems('conflict', 'year_locked', 'plan_limit') },
      }),
    )
    .post(
      '/:id/revert',
      async ({ taxpayer, params, set }) => {
        const id = parseUuid(params.id);
        return inTurn(deps, taxpayer.id, async (sql) => {
          set.headers[editHeader] = await revertRow({ deps, recompute }, sql, taxpayer.id, id);
          return readOne(deps, sql, taxpayer.id, id);
        });
      },
      onBooks('resetTransaction', write('transaction_reverted'), {
        summary: 'Revert a transaction to the original',
        description: `Removes every correction of the transaction. ${editNote}`,
        response: { 200: Transaction, ...problems('conflict', 'year_locked') },
      }),
    );

type EditRequest = typeof BulkEditRequest.static;

async function selectIds(
  deps: Deps,
  sql: Sql,
  taxpayer: Taxpayer,
  { ids, filter, count }: EditRequest,
): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) throw invalidMember('/ids', 'Send either `ids` or `filter`.');
  if (filter === undefined) return [...new Set((ids ?? []).map(parseUuid))];
  if (Object.keys(filter).length === 0 && count === undefined)
    throw invalidMember('/filter', 'Set at least one field of `filter`, or `count`.');
  const listFilter = toListFilter(filter, getToday(deps, taxpayer.timeZone));
  const matches = await selectListedIds(sql, taxpayer.id, listFilter, (count ?? bulkRowsMax) + 1);
  if (count === undefined && matches.length > bulkRowsMax)
    throw invalidMember(
      '/count',
      `The filter matches more than ${bulkRowsMax} transactions. Set \`count\` to their number, or narrow the filter.`,
    );
  if (count === undefined || matches.length === count) return matches;
  const [one, now] = [count, await countListed(sql, taxpayer.id, listFilter)].map((each) =>
    each.toLocaleString('en-US'),
  );
  throw new Refusal(
    'conflict',
    `The list has changed: ${now} transactions match now instead of ${one}. Nothing was changed. Check the list, and try again.`,
  );
}

async function edit(
  context: EditContext,
  sql: Sql,
  taxpayer: Taxpayer,
  ids: readonly string[],
  { set, delete: deletes }: EditRequest,
): Promise<EditResult | { readonly editId: null; readonly rows: 0 }> {
  if ((set === undefined) === (deletes === undefined)) throw invalidMember('/set', 'Send either `set` or `delete`.');
  const nothing = { editId: null, rows: 0 } as const;
  if (ids.length === 0) return nothing;
  if (set === undefined) return deleteRows(context, sql, taxpayer.id, ids);
  return (await changeRows(context, sql, taxpayer, ids, set)) ?? nothing;
}

function editView({ id, action, rows, createdAt, undoneAt }: EditRow) {
  return { id, action, rows, createdAt: createdAt.toISOString(), undoneAt: undoneAt?.toISOString() ?? null };
}
