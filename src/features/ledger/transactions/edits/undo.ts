import type { Day } from '../../../../base/day.ts';
import { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { notFound } from '../../../../http/errors.ts';
import type { Taxpayer } from '../../../people/auth/access.ts';
import { reserveTransactions } from '../../../people/plans/limits.ts';
import { addTouched, batches, createResolver, type EditContext, refuseAllocated } from '../change.ts';
import { deriveRestored } from '../derive.ts';
import { selectDerivable } from '../derived.queries.ts';
import { collectTouched } from '../rows/columns.ts';
import {
  type EditRow,
  insertEdit,
  restoreChanged,
  restoreDeleted,
  selectEdit,
  selectEditOfOriginal,
  selectTouched,
  selectUndoFaults,
  settleRestored,
  type UndoFaults,
  updateUndone,
} from './edits.queries.ts';

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
export async function revertRow(context: EditContext, sql: Sql, taxpayerId: string, id: string): Promise<string> {
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
