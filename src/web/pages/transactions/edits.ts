import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { counted } from '../../format/amounts.ts';
import { say } from '../../parts/toasts.tsx';

/** Transaction members to send; null clears a value. */
export type GivenMembers = Readonly<Record<string, string | null>>;

type NewTransaction = Parameters<typeof api.transactions.post>[0];
type Patch = NonNullable<Parameters<ReturnType<typeof api.transactions>['patch']>[0]>;

/** The most rows that one edit can change. */
export const bulkMost = 1_000;

/** Adds a transaction manually, with a toast to undo it. */
export async function addTransaction(members: GivenMembers): Promise<string> {
  const { id } = await got(api.transactions.post(members as unknown as NewTransaction));
  done('Added.', async () => {
    await got(api.transactions({ id }).delete());
    booksChanged();
  });
  return id;
}

/** Corrects a transaction. */
export async function changeTransaction(id: string, patch: GivenMembers): Promise<void> {
  const answer = await api.transactions({ id }).patch(patch as Patch);
  await got(Promise.resolve(answer));
  done('Changed.', undoOf(answer.response.headers.get('edit-id')));
}

export async function deleteTransaction(id: string): Promise<void> {
  const answer = await api.transactions({ id }).delete();
  await got(Promise.resolve(answer));
  done('Deleted.', undoOf(answer.response.headers.get('edit-id')));
}

/** Reverts every correction of a transaction. */
export async function revertTransaction(id: string): Promise<void> {
  const answer = await api.transactions({ id }).revert.post();
  await got(Promise.resolve(answer));
  done('Reverted.', undoOf(answer.response.headers.get('edit-id')));
}

/** Changes or deletes many transactions: all of them, or none. */
export async function editMany(
  ids: readonly string[],
  edit: { readonly set: GivenMembers } | { readonly delete: true },
): Promise<void> {
  const body = 'set' in edit ? { ids: [...ids], set: edit.set as Patch } : { ids: [...ids], delete: true as const };
  const { editId, rows } = await got(api.transactions.bulk.post(body));
  done(`${'set' in edit ? 'Changed' : 'Deleted'} ${counted(rows, 'transaction')}.`, undoOf(editId));
}

/** Undoes an edit and restores its rows. */
export async function undoEdit(editId: string): Promise<void> {
  await got(api.transactions.edits({ id: editId }).undo.post());
  booksChanged();
}

function done(text: string, undo: (() => Promise<void>) | null): void {
  booksChanged();
  say(text, undo);
}

function undoOf(editId: string | null): (() => Promise<void>) | null {
  return editId === null ? null : () => undoEdit(editId);
}
