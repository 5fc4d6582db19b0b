import type { Day } from '../../../base/day.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../auth/access.ts';
import { takeTransactionRoom } from '../../plans/limits.ts';
import { addTouched, type EditContext, refuseAllocated, resolutionOf } from '../change.ts';
import { deriveRestored } from '../derived/derive.ts';
import { selectDerivable } from '../derived/queries.ts';
import { touchedOf } from '../rows/touched.ts';
import {
  type EditRow,
  insertEdit,
  restoreChanged,
  restoreDeleted,
  selectEdit,
  selectFirstEdit,
  selectTouched,
  selectUndoFaults,
  settleRestored,
  type UndoFaults,
  updateUndone,
} from './queries.ts';

/** The rows of an edit are what they were before it: all of them, or none. Under the taxpayer's lock, as all below. */
export async function undoEdit(context: EditContext, sql: Sql, taxpayer: Taxpayer, id: string): Promise<EditRow> {
  const edit = await selectEdit(sql, taxpayer.id, id);
  if (edit === undefined) throw notFound();
  const faults = await selectUndoFaults(sql, taxpayer.id, edit);
  refuseFaults(edit, faults);
  const restore = async (): Promise<void> => {
    if (edit.action !== 'delete') return restoreChanged(sql, taxpayer.id, id);
    await takeTransactionRoom(sql, taxpayer, edit.rows);
    await restoreDeleted(sql, taxpayer.id, id);
  };
  await bringBack(context, sql, taxpayer.id, faults.ids, restore);
  await updateUndone(sql, taxpayer.id, id, context.deps.clock.now());
  return { ...edit, undoneAt: context.deps.clock.now() };
}

/** A row says what its file says again. It is an edit of its own, which can be undone. */
export async function revertRow(context: EditContext, sql: Sql, taxpayerId: string, id: string): Promise<string> {
  await refuseAllocated(sql, taxpayerId, [id]);
  const row = await selectDerivable(sql, taxpayerId, id);
  if (row === undefined) throw notFound();
  if (!row.corrected) throw new Refusal('conflict', 'This row was never corrected: it says what was first stated.');
  const first = await selectFirstEdit(sql, taxpayerId, id);
  if (first === undefined) throw new Refusal('conflict', 'This row was entered by hand: no file states it.');
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
  const touch = async (): Promise<void> => addTouched(touched, touchedOf(await selectTouched(sql, taxpayerId, ids)));
  await touch();
  await restore();
  await settleRestored(sql, taxpayerId, ids);
  await touch();
  const resolution = await resolutionOf(sql, taxpayerId);
  addTouched(touched, await deriveRestored(sql, taxpayerId, ids, resolution));
  await recompute(sql, taxpayerId, touched);
}

function refuseFaults({ action, rows, undoneAt }: EditRow, { editedLater, stored, unsourced }: UndoFaults): void {
  const refuse = (detail: string): never => {
    throw new Refusal('conflict', `${detail} Nothing was changed.`);
  };
  const of = (count: number): string => (rows === 1 ? 'its row' : `${count} of its ${rows} rows`);
  if (undoneAt !== null) refuse('This edit is undone already.');
  if (editedLater > 0) refuse(`A later edit changed ${of(editedLater)}. Undo that one first.`);
  if (action !== 'delete' && stored < rows) {
    refuse(`An import was undone or rows were deleted since: ${of(rows - stored)} ${rows === 1 ? 'is' : 'are'} gone.`);
  }
  if (action === 'delete' && stored > 0) refuse(`A file brought ${of(stored)} back since.`);
  if (action === 'delete' && unsourced > 0) refuse(`The import of ${of(unsourced)} was undone since.`);
}
