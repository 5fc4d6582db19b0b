import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged, write } from '../../api/changes.ts';
import { formatCount } from '../../format/amounts.ts';
import { say } from '../../parts/toasts.tsx';
import type { ListFilter } from './filter.ts';

/** The transaction fields to send. Null clears a value. */
export type MemberInput = Readonly<Record<string, string | null>>;

type NewTransaction = Parameters<typeof api.transactions.post>[0];
type BulkBody = Parameters<typeof api.transactions.bulk.post>[0];
type Patch = NonNullable<Parameters<ReturnType<typeof api.transactions>['patch']>[0]>;

/** The maximum number of rows that one edit can change by their ids. */
export const bulkMost = 1_000;
/** The maximum number of rows that one edit can change by the filter of the list. */
export const filteredMost = 100_000;

/** The rows to edit: some by their ids, or all that match the filter of the list. */
export type Selection = { readonly ids: ReadonlySet<string> } | { readonly filter: ListFilter; readonly count: number };

export function countSelected(selection: Selection): number {
  return 'ids' in selection ? selection.ids.size : selection.count;
}

/** Adds a transaction manually, and shows a toast to undo it. */
export async function addTransaction(members: MemberInput): Promise<string> {
  const { id } = await unwrapResponse(api.transactions.post(members as unknown as NewTransaction));
  done('Added.', async () => {
    await write(api.transactions({ id }).delete());
  });
  return id;
}

/** Corrects a transaction. */
export async function changeTransaction(id: string, patch: MemberInput): Promise<void> {
  const apiResponse = await api.transactions({ id }).patch(patch as Patch);
  await unwrapResponse(Promise.resolve(apiResponse));
  done('Changed.', createUndo(apiResponse.response.headers.get('edit-id')));
}

export async function deleteTransaction(id: string): Promise<void> {
  const apiResponse = await api.transactions({ id }).delete();
  await unwrapResponse(Promise.resolve(apiResponse));
  done('Deleted.', createUndo(apiResponse.response.headers.get('edit-id')));
}

/** Reverts every correction of a transaction. */
export async function revertTransaction(id: string): Promise<void> {
  const apiResponse = await api.transactions({ id }).revert.post();
  await unwrapResponse(Promise.resolve(apiResponse));
  done('Reverted.', createUndo(apiResponse.response.headers.get('edit-id')));
}

/** Changes or deletes many transactions, either all of them or none. */
export async function editMany(
  selection: Selection,
  edit: { readonly set: MemberInput } | { readonly delete: true },
): Promise<void> {
  const which = 'ids' in selection ? { ids: [...selection.ids] } : selection;
  const how = 'set' in edit ? { set: edit.set as Patch } : { delete: true as const };
  const { editId, rows } = await unwrapResponse(api.transactions.bulk.post({ ...which, ...how } as BulkBody));
  done(`${'set' in edit ? 'Changed' : 'Deleted'} ${formatCount(rows, 'transaction')}.`, createUndo(editId));
}

/** Undoes an edit and restores its rows. */
export async function undoEdit(editId: string): Promise<void> {
  await write(api.transactions.edits({ id: editId }).undo.post());
}

function done(text: string, undo: (() => Promise<void>) | null): void {
  booksChanged();
  say(text, undo);
}

export function createUndo(editId: string | null): (() => Promise<void>) | null {
  return editId === null ? null : () => undoEdit(editId);
}
