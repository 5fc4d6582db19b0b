import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../http/errors.ts';
import type { Taxpayer } from '../auth/access.ts';
import { countTransactions, releaseTransactionRoom, takeTransactionRoom } from '../plans/limits.ts';
import { selectDerivable } from './derived/queries.ts';
import { draftOfMembers, type MemberTexts, patchedDraft } from './edit.ts';
import { classRulesOf } from './elections.ts';
import { isAllocated, selectElections } from './queries.ts';
import { todayOf, viewRows } from './read.ts';
import { transactionOf } from './rows/columns.ts';
import type { Touched } from './rows/touched.ts';
import { prepare } from './staged/prepare.ts';
import { correct, removeOne, storeByHand } from './store.ts';

/** Brings the gains after a change, in its transaction: given by `app.ts`, for gains stand right of transactions. */
export type Recompute = (
  sql: Sql,
  taxpayerId: string,
  touched: Touched,
  options?: { readonly sources: 'same' | 'any' },
) => Promise<unknown>;

export interface EditContext {
  readonly deps: Deps;
  readonly recompute: Recompute;
}

/** One by hand. In the caller's transaction, under the taxpayer's lock, as all below. */
export async function addByHand(
  { deps, recompute, isAnswer = false }: EditContext & { readonly isAnswer?: boolean },
  sql: Sql,
  taxpayer: Taxpayer,
  members: MemberTexts,
) {
  const { timeZone, ...rules } = await resolutionOf(sql, taxpayer.id);
  const draft = draftOfMembers(members, timeZone);
  // An answer to an issue is never refused by the plan.
  if (isAnswer) await countTransactions(sql, taxpayer.id, 1);
  else await takeTransactionRoom(sql, taxpayer, 1);
  const id = crypto.randomUUID();
  const row = prepare(draft, draft.line, { ...rules, sourceClass: null, timeZone: null });
  const touched = await storeByHand(sql, taxpayer.id, row, id, deps.clock.now());
  await recompute(sql, taxpayer.id, touched, { sources: row.statement.type === 'reported_sale' ? 'any' : 'same' });
  return readOne(deps, sql, taxpayer.id, id);
}

/** A correction: what the patch leaves out stays as the row has it. */
export async function patchOne(
  { deps, recompute }: EditContext,
  sql: Sql,
  taxpayer: Taxpayer,
  id: string,
  patch: MemberTexts,
) {
  // An empty patch changes nothing (RFC 7396): the row is not made a correction of itself.
  if (Object.keys(patch).length === 0) return readOne(deps, sql, taxpayer.id, id);
  await refuseAllocated(sql, taxpayer.id, id);
  const { timeZone, ...rules } = await resolutionOf(sql, taxpayer.id);
  const before = await selectDerivable(sql, taxpayer.id, id);
  if (before === undefined) throw notFound();
  // The class that the row itself states, not the one that was made of it.
  const statement = { ...transactionOf(before), assetClass: before.stated_class };
  const draft = patchedDraft(statement, patch, before.time_zone ?? timeZone);
  const row = prepare(draft, before.line, { ...rules, sourceClass: before.source_class, timeZone: before.time_zone });
  const touched = await correct(sql, taxpayer.id, id, row);
  const isSameSource = before.account === draft.account && ![before.type, draft.type].includes('reported_sale');
  if (touched !== undefined) {
    await recompute(sql, taxpayer.id, touched, { sources: isSameSource ? 'same' : 'any' });
  }
  return readOne(deps, sql, taxpayer.id, id);
}

export async function deleteOne({ recompute }: EditContext, sql: Sql, taxpayerId: string, id: string): Promise<void> {
  await refuseAllocated(sql, taxpayerId, id);
  const touched = await removeOne(sql, taxpayerId, id);
  if (touched === undefined) throw notFound();
  await releaseTransactionRoom(sql, taxpayerId, 1);
  await recompute(sql, taxpayerId, touched);
}

/** An allocation cannot be changed (Rev. Proc. 2024-28, section 4.02(6)), and so none of the rows that carry it. */
async function refuseAllocated(sql: Sql, taxpayerId: string, id: string): Promise<void> {
  if (!(await isAllocated(sql, taxpayerId, id))) return;
  const detail = 'This row carries the frozen allocation to wallets, which cannot be changed or taken back.';
  throw new Refusal('conflict', `${detail} Correct the rows of the years until 2024 instead.`);
}

export async function readOne(deps: Deps, sql: Sql, taxpayerId: string, id: string) {
  const row = await selectDerivable(sql, taxpayerId, id);
  const { timeZone } = await resolutionOf(sql, taxpayerId);
  const [view] = row === undefined ? [] : await viewRows(sql, taxpayerId, [row], todayOf(deps, timeZone));
  if (view === undefined) throw notFound();
  return view;
}

async function resolutionOf(sql: Sql, taxpayerId: string) {
  const row = await selectElections(sql, taxpayerId);
  return { ...classRulesOf(row.settings), timeZone: row.time_zone };
}
