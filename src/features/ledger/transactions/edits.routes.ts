import { Elysia, t } from 'elysia';
import type { Day } from '../../../base/day.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { notFound, parseUuid } from '../../../http/errors.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { group, read, write } from '../../../http/operations.ts';
import { closed, id, instant, listOf, listQuery, nullable, oneOf, problems, whole } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../people/auth/access.ts';
import { reserveTransactions } from '../../people/plans.ts';
import {
  addTouched,
  batches,
  changeRows,
  createResolver,
  deleteRows,
  type EditContext,
  type EditResult,
  type Recompute,
  readOne,
  refuseAllocated,
} from './change.ts';
import { deriveRestored } from './derive.ts';
import { selectDerivable } from './derived.queries.ts';
import {
  type EditRow,
  editActions,
  insertEdit,
  restoreChanged,
  restoreDeleted,
  selectEdit,
  selectEditOfOriginal,
  selectEdits,
  selectTouched,
  selectUndoFaults,
  settleRestored,
  type UndoFaults,
  updateUndone,
} from './edits.queries.ts';
import { countListed, selectListedIds } from './list.queries.ts';
import { filterMembers, toListFilter } from './list-filter.ts';
import { collectTouched } from './rows.ts';
import { inTurn, onceInTurn } from './store.ts';
import { Transaction, TransactionUpdate } from './transactions.schemas.ts';
import { getToday } from './view.ts';

/** The maximum number of transactions per edit, by their ids or by a filter without their number. */
export const bulkRowsMax = 1_000;
/** The maximum number of transactions per edit by a filter with their number. */
const filteredRowsMax = 100_000;

const BulkEditRequest = closed(
  {
    ids: t.Optional(
      t.Array(t.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: bulkRowsMax,
        description: 'Use this or `filter`.',
      }),
    ),
    filter: t.Optional(
      closed(filterMembers, {
        title: 'TransactionFilter',
        description: 'The same as the parameters of GET /transactions. Set at least one, or `count`.',
      }),
    ),
    count: t.Optional(
      whole({
        minimum: 1,
        maximum: filteredRowsMax,
        description: `The number of transactions that \`filter\` matches. If it matches another number, nothing is changed. Required for more than ${bulkRowsMax}.`,
      }),
    ),
    set: t.Optional(TransactionUpdate),
    delete: t.Optional(t.Literal(true, { description: 'Use this or `set`.' })),
  },
  {
    title: 'BulkEditRequest',
    examples: [{ filter: { account: 'Ledger', year: 2024 }, set: { account: 'Ledger Nano' } }],
  },
);

const BulkEditResult = closed(
  {
    editId: nullable(t.String({ description: 'The id for undoing the edit; null if nothing was changed.' })),
    rows: whole({ description: 'Number of transactions changed or deleted.' }),
  },
  { title: 'BulkEditResult' },
);

const Edit = closed(
  {
    id,
    action: oneOf(editActions),
    rows: whole(),
    createdAt: instant,
    undoneAt: nullable(instant),
  },
  { title: 'Edit' },
);

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

/**
 * Restores all rows of an edit to their state before it, or none. Like all functions below, it runs under the
 * taxpayer's lock.
 */
export async function undoEdit(context: EditContext, sql: Sql, taxpayer: Taxpayer, id: string): Promise<EditRow> {
  const edit = await selectEdit(sql, taxpayer.id, id);
  if (edit === undefined) throw notFound();
  const faults = await selectUndoFaults(sql, taxpayer.id, edit);
  refuseFaults(edit, faults);
  const restore = async (): Promise<void> => {
    if (edit.action !== 'delete') return restoreChanged(sql, taxpayer.id, id);
    await reserveTransactions(sql, taxpayer, edit.rows);
    await restoreDeleted(sql, taxpayer.id, id);
  };
  await bringBack(context, sql, taxpayer.id, faults.ids, restore);
  await updateUndone(sql, taxpayer.id, id, context.deps.clock.now());
  return { ...edit, undoneAt: context.deps.clock.now() };
}

/** Restores the values from a row's file. This is a new edit, which can be undone. */
async function revertRow(context: EditContext, sql: Sql, taxpayerId: string, id: string): Promise<string> {
  await refuseAllocated(sql, taxpayerId, [id]);
  const row = await selectDerivable(sql, taxpayerId, id);
  if (row === undefined) throw notFound();
  if (!row.corrected)
    throw new Refusal('conflict', 'This transaction was never corrected, so there is nothing to revert.');
  const first = await selectEditOfOriginal(sql, taxpayerId, id);
  if (first === undefined)
    throw new Refusal(
      'conflict',
      'This transaction was entered manually, so there is no file to revert to. Edit it instead.',
    );
  const editId = await insertEdit(sql, taxpayerId, { action: 'revert', ids: [id], at: context.deps.clock.now() });
  await bringBack(context, sql, taxpayerId, [id], () => restoreChanged(sql, taxpayerId, first, id));
  return editId;
}

async function bringBack(
  { recompute }: EditContext,
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
  restore: () => Promise<void>,
): Promise<void> {
  const touched = new Map<string, Day>();
  const touch = async (): Promise<void> =>
    addTouched(touched, collectTouched(await selectTouched(sql, taxpayerId, ids)));
  await touch();
  await restore();
  await settleRestored(sql, taxpayerId, ids);
  await touch();
  const resolution = await createResolver(sql, taxpayerId);
  for (const some of batches(ids)) addTouched(touched, await deriveRestored(sql, taxpayerId, some, resolution));
  await recompute(sql, taxpayerId, touched);
}

function refuseFaults({ action, rows, undoneAt }: EditRow, { editedLater, stored, unsourced }: UndoFaults): void {
  const refuse = (detail: string): never => {
    throw new Refusal('conflict', `${detail} Nothing was changed.`);
  };
  const of = (count: number): string => (rows === 1 ? 'its transaction' : `${count} of its ${rows} transactions`);
  if (undoneAt !== null) refuse('This edit is already undone.');
  if (editedLater > 0) refuse(`A later edit changed ${of(editedLater)}. Undo that edit first.`);
  if (action !== 'delete' && stored < rows) {
    refuse(
      `An import was undone or transactions were deleted since this edit: ${of(rows - stored)} no longer ${rows === 1 ? 'exists' : 'exist'}.`,
    );
  }
  if (action === 'delete' && stored > 0) refuse(`A later import restored ${of(stored)}.`);
  if (action === 'delete' && unsourced > 0)
    refuse(`The import of ${of(unsourced)} was undone since this edit. Import the file again.`);
}
