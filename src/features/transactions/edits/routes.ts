import { Elysia } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { uuidOf } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, mapPage, page, readSequence } from '../../../http/list.ts';
import { booksQuery, idParams, listOf, listQuery, problems } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../auth/access.ts';
import { changeRows, deleteRows, type EditContext, type Edited, type Recompute, readOne } from '../change.ts';
import { filterOf } from '../list/filter.ts';
import { selectListed } from '../list/queries.ts';
import { todayOf } from '../read.ts';
import { Transaction } from '../schemas.ts';
import { inTurn } from '../turn.ts';
import { type EditRow, selectEdits } from './queries.ts';
import { BulkEdit, BulkEdited, bulkRowsMax, Edit } from './schemas.ts';
import { revertRow, undoEdit } from './undo.ts';

/** Names the edit that a response is about. */
export const editHeader = 'edit-id';

const tags = ['Transactions'];

/** Edits of many rows at once, and what was edited, to be undone. */
export const bulkRoutes = (deps: Deps, access: Access, recompute: Recompute) =>
  new Elysia()
    .use(access)
    .post(
      '/bulk',
      (context) => {
        const { caller, taxpayer, body } = context;
        deps.rateLimits.take('work', caller.userId);
        return idempotent(deps, context, (saveResponse) =>
          inTurn(deps, taxpayer.id, async (sql) => {
            const ids = await idsOf(deps, sql, taxpayer, body);
            const edited = await edit({ deps, recompute }, sql, taxpayer, ids, body);
            return saveResponse(sql, { status: 200 as const, body: edited });
          }),
        );
      },
      {
        books: true,
        query: booksQuery({}),
        body: BulkEdit,
        response: { 200: BulkEdited, ...problems('plan_limit', 'not_found', 'conflict', 'year_locked', 'invalid') },
        detail: {
          summary: 'Correct or remove many at once',
          description: `The rows of these ids, or those that a filter finds, at most ${bulkRowsMax}. They are changed all, or none where one of them may not be changed: a row that the change makes invalid, a frozen allocation, a locked year. The gains are recomputed once. The edit can be undone.`,
          operationId: 'editTransactions',
          tags,
        },
      },
    )
    .get(
      '/edits',
      async ({ taxpayer, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const before = readSequence(asked.cursor);
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => selectEdits(sql, taxpayer.id, before, limit),
          { readOnly: true },
        );
        return mapPage(
          page(rows, limit, (row) => [row.sequence]),
          editView,
        );
      },
      {
        books: true,
        query: booksQuery(listQuery),
        response: { 200: listOf(Edit), ...problems('not_found', 'invalid') },
        detail: { summary: 'Edits by hand, newest first', operationId: 'listEdits', tags },
      },
    )
    .post(
      '/edits/:id/undo',
      ({ taxpayer, params }) =>
        inTurn(deps, taxpayer.id, async (sql) =>
          editView(await undoEdit({ deps, recompute }, sql, taxpayer, uuidOf(params.id))),
        ),
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Edit, ...problems('not_found', 'conflict', 'year_locked', 'plan_limit') },
        detail: {
          summary: 'Undo an edit',
          description:
            'Its rows are what they were before it: all of them, or none. It is refused where a later edit of a row stands, where rows are gone or came back since, and where a year is locked.',
          operationId: 'undoEdit',
          tags,
        },
      },
    )
    .post(
      '/:id/revert',
      async ({ taxpayer, params, set }) => {
        const id = uuidOf(params.id);
        return inTurn(deps, taxpayer.id, async (sql) => {
          set.headers[editHeader] = await revertRow({ deps, recompute }, sql, taxpayer.id, id);
          return readOne(deps, sql, taxpayer.id, id);
        });
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Transaction, ...problems('not_found', 'conflict', 'year_locked') },
        detail: {
          summary: 'Back to what the file says',
          description: 'Takes back every correction of the row, as an edit that can be undone itself (`Edit-Id`).',
          operationId: 'revertTransaction',
          tags,
        },
      },
    );

type Asked = typeof BulkEdit.static;

async function idsOf(deps: Deps, sql: Sql, taxpayer: Taxpayer, { ids, filter }: Asked): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) throw refused('/ids', 'State either ids or a filter.');
  if (filter === undefined) return [...new Set((ids ?? []).map(uuidOf))];
  if (Object.keys(filter).length === 0) throw refused('/filter', 'A filter states one member at least.');
  const wanted = filterOf(filter, todayOf(deps, taxpayer.timeZone));
  const found = await selectListed(sql, taxpayer.id, wanted, {
    by: null,
    descending: false,
    after: null,
    limit: bulkRowsMax,
  });
  if (found.length <= bulkRowsMax) return found.map(({ id }) => id);
  throw refused('/filter', `It finds more than ${bulkRowsMax} rows, and one edit changes no more. Narrow it.`);
}

async function edit(
  context: EditContext,
  sql: Sql,
  taxpayer: Taxpayer,
  ids: readonly string[],
  { set, delete: deletes }: Asked,
): Promise<Edited | { readonly editId: null; readonly rows: 0 }> {
  if ((set === undefined) === (deletes === undefined)) throw refused('/set', 'State either set or delete.');
  const nothing = { editId: null, rows: 0 } as const;
  if (ids.length === 0) return nothing;
  if (set === undefined) return deleteRows(context, sql, taxpayer.id, ids);
  return (await changeRows(context, sql, taxpayer, ids, set)) ?? nothing;
}

function refused(pointer: string, detail: string): Refusal {
  return new Refusal('invalid', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}

function editView({ id, action, rows, createdAt, undoneAt }: EditRow) {
  return { id, action, rows, createdAt: createdAt.toISOString(), undoneAt: undoneAt?.toISOString() ?? null };
}
