import type { Day } from '../../../base/day.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import {
  type AssetMember,
  assetMembers,
  exchangesItself,
  renameToBookNames,
  sameSecurity,
} from '../../../engine/events/same-assets.ts';
import type { ClassRules, Statement } from '../../../engine/model.ts';
import { membersOfKind, statementMembers } from '../../../engine/statement-members.ts';
import type { Draft, Outcome, Reader } from '../../../formats/format.ts';
import { escapeFormula, toLotbookCells } from '../../../formats/lotbook/lotbook-write.ts';
import { type LotbookColumn, lotbookColumns, memberOf } from '../../../formats/lotbook-columns.ts';
import { actions } from '../../../formats/read.ts';
import { lotbook } from '../../../formats/sources/lotbook.ts';
import { notFound } from '../../../http/errors.ts';
import { computeEtag, requireMatch } from '../../../http/etag.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { countTransactions, notifyLimitNear, releaseTransactions, reserveTransactions } from '../../people/plans.ts';
import { type DerivableRow, selectDerivable, selectDerivableRows } from './derived.queries.ts';
import { insertEdit } from './edits.queries.ts';
import { toClassRules } from './elections.ts';
import { parseStatedNames, type TouchedKeys, toStatedTransaction, toTransaction, touch } from './rows.ts';
import { prepare } from './staging.ts';
import { correctRows, removeRows, storeByHand } from './store.ts';
import { isAllocated, selectElections } from './transactions.queries.ts';
import { Transaction } from './transactions.schemas.ts';
import { getToday, viewRows } from './view.ts';

/**
 * Recomputes the gains after a change, in the same transaction. `app.ts` provides it, because gains depend on
 * transactions.
 */
export type Recompute = (
  sql: Sql,
  taxpayerId: string,
  touched: TouchedKeys,
  options?: { readonly sources: 'same' | 'any' },
) => Promise<unknown>;

export interface EditContext {
  readonly deps: Deps;
  readonly recompute: Recompute;
}

/**
 * Adds a transaction manually. Like all functions below, it runs in the caller's transaction and under the taxpayer's
 * lock.
 */
export async function addByHand(
  { deps, recompute, isAnswer = false }: EditContext & { readonly isAnswer?: boolean },
  sql: Sql,
  taxpayer: Taxpayer,
  members: MemberTexts,
) {
  const { timeZone, ...rules } = await createResolver(sql, taxpayer.id);
  const draft = draftOfMembers(members, timeZone);
  refuseItself(draft, rules);
  // Answers count toward the plan but are never blocked by its limit.
  if (isAnswer) await countTransactions(sql, taxpayer.id, 1);
  else {
    await reserveTransactions(sql, taxpayer, 1);
    await notifyLimitNear(sql, taxpayer, deps.clock.now());
  }
  const id = crypto.randomUUID();
  const row = prepare(draft, draft.line, { ...rules, sourceClass: null, timeZone: null });
  const touched = await storeByHand(sql, taxpayer.id, row, id, deps.clock.now());
  await recompute(sql, taxpayer.id, touched, { sources: row.statement.type === 'reported_sale' ? 'any' : 'same' });
  return readOne(deps, sql, taxpayer.id, id);
}

/** Corrects one row. Properties that are missing from the patch do not change. */
export async function patchOne(context: EditContext, sql: Sql, taxpayer: Taxpayer, id: string, patch: MemberTexts) {
  const edit = await changeRows(context, sql, taxpayer, [id], patch);
  return { editId: edit?.editId ?? null, view: await readOne(context.deps, sql, taxpayer.id, id) };
}

/** Applies a patch to all of these rows or none, as one edit that can be undone. */
export async function changeRows(
  { deps, recompute }: EditContext,
  sql: Sql,
  taxpayer: Taxpayer,
  ids: readonly string[],
  patch: MemberTexts,
): Promise<EditResult | undefined> {
  await refuseAllocated(sql, taxpayer.id, ids);
  // An empty patch changes nothing (RFC 7396) and does not mark the row as corrected.
  if (Object.keys(patch).length === 0) return undefined;
  const { timeZone, ...rules } = await createResolver(sql, taxpayer.id);
  const editId = await insertEdit(sql, taxpayer.id, { action: 'change', ids, at: deps.clock.now() });
  const touched = new Map<string, Day>();
  let isSameSource = true;
  const read = openCells();
  for (const some of batches(ids)) {
    const rows = await selectDerivableRows(sql, taxpayer.id, some);
    if (rows.length < some.length) throw notFound();
    const corrections = rows.map((before) => {
      // Uses the class from the row itself, not the resolved class.
      const statement = { ...toStatedTransaction(before), assetClass: before.stated_class };
      const draft = buildDraft(statement, withoutBookNames(patch, before), before, {
        timeZone,
        read,
        rows: ids.length,
      });
      refuseItself(draft, rules);
      if (before.account !== draft.account || [before.type, draft.type].includes('reported_sale')) isSameSource = false;
      const how = { ...rules, sourceClass: before.source_class, timeZone: before.time_zone };
      return { before: toTransaction(before), after: prepare(draft, before.line, how) };
    });
    addTouched(touched, await correctRows(sql, taxpayer.id, corrections));
  }
  await recompute(sql, taxpayer.id, touched, { sources: isSameSource ? 'same' : 'any' });
  return { editId, rows: ids.length };
}

/**
 * Returns the patch without names that equal the row's names in the books, so that the row keeps its original names.
 */
function withoutBookNames(patch: MemberTexts, row: DerivableRow): MemberTexts {
  const [stated, booked] = [parseStatedNames(row), toTransaction(row)];
  const isSame = (member: AssetMember): boolean => stated[member] !== undefined && patch[member] === booked[member];
  const same: ReadonlySet<string> = new Set(assetMembers.filter(isSame));
  return same.size === 0 ? patch : Object.fromEntries(Object.entries(patch).filter(([name]) => !same.has(name)));
}

/** Refuses a row that would exchange a security for itself because the settings treat both names as one security. */
function refuseItself(draft: Statement, { assets }: ClassRules): void {
  if (!exchangesItself(draft, renameToBookNames(draft, assets))) return;
  throw invalidMember('/receivedAsset', `${sameSecurity(draft)}.`);
}

/** The result of an edit. */
export interface EditResult {
  readonly editId: string;
  readonly rows: number;
}

export async function deleteOne(context: EditContext, sql: Sql, taxpayerId: string, id: string): Promise<EditResult> {
  return deleteRows(context, sql, taxpayerId, [id]);
}

/** Deletes all of these rows or none, as one edit that can be undone. */
export async function deleteRows(
  { deps, recompute }: EditContext,
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<EditResult> {
  await refuseAllocated(sql, taxpayerId, ids);
  const editId = await insertEdit(sql, taxpayerId, { action: 'delete', ids, at: deps.clock.now() });
  const touched = new Map<string, Day>();
  let rows = 0;
  for (const some of batches(ids)) {
    const removed = await removeRows(sql, taxpayerId, some);
    if (removed.rows < some.length) throw notFound();
    rows += removed.rows;
    addTouched(touched, removed.touched);
  }
  await releaseTransactions(sql, taxpayerId, rows);
  await recompute(sql, taxpayerId, touched);
  return { editId, rows };
}

/** Splits the rows of an edit, so that only some are in memory at a time. */
export function* batches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += batchRows) yield ids.slice(at, at + batchRows);
}

const batchRows = 5_000;

function buildDraft(
  statement: Parameters<typeof patchedDraft>[0],
  patch: MemberTexts,
  { id, time_zone }: DerivableRow,
  { timeZone, read, rows }: { readonly timeZone: string; readonly read: ReadCells; readonly rows: number },
) {
  try {
    return patchedDraft(statement, patch, time_zone ?? timeZone, read);
  } catch (error) {
    if (rows === 1 || !(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, `Transaction ${id}: ${error.detail} Nothing was changed.`, error.more);
  }
}

export function addTouched(all: Map<string, Day>, more: TouchedKeys | undefined): void {
  for (const [key, day] of more ?? []) touch(all, key, day);
}

/**
 * Refuses to change rows of a finalized allocation, because an allocation is irrevocable (Rev. Proc. 2024-28, section
 * 4.02(6)).
 */
export async function refuseAllocated(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<void> {
  if (!(await isAllocated(sql, taxpayerId, ids))) return;
  const detail = 'This transaction is part of the finalized allocation to wallets, which cannot be changed.';
  throw new Refusal('conflict', `${detail} Correct the transactions of 2024 and earlier years instead.`);
}

export async function readOne(deps: Deps, sql: Sql, taxpayerId: string, id: string) {
  const row = await selectDerivable(sql, taxpayerId, id);
  const { timeZone } = await createResolver(sql, taxpayerId);
  const [view] = row === undefined ? [] : await viewRows(sql, taxpayerId, [row], getToday(deps, timeZone));
  if (view === undefined) throw notFound();
  return view;
}

/** Throws if the row has changed since the client read it (`If-Match`). */
export async function requireUnchanged(deps: Deps, sql: Sql, taxpayerId: string, id: string, request: Request) {
  if (!request.headers.has('if-match')) return;
  requireMatch(request, await transactionTag(await readOne(deps, sql, taxpayerId, id)));
}

/**
 * Returns the entity tag of a transaction. It covers the properties of the transaction itself, but not the results
 * derived from it.
 */
export function transactionTag(view: Readonly<Record<string, unknown>>): Promise<string> {
  const members = Object.keys(Transaction.properties).filter((name) => name !== 'review' && name !== 'source');
  return computeEtag('transaction', JSON.stringify(members.map((name) => view[name] ?? null)));
}

export async function createResolver(sql: Sql, taxpayerId: string) {
  const row = await selectElections(sql, taxpayerId);
  return { ...toClassRules(row.settings), timeZone: row.time_zone };
}

/** The properties of a JSON transaction as text, by name. Null means that a patch removes the value. */
export type MemberTexts = Readonly<Record<string, string | null | undefined>>;

/**
 * Converts a manual transaction to a draft. It is parsed like a row of the Lotbook CSV, so the same rules apply. Errors
 * name the property instead of the column.
 */
export function draftOfMembers(members: MemberTexts, timeZone: string): Draft {
  return openCells()(Object.fromEntries(toColumns(members)), timeZone);
}

/** Returns a draft of the statement with a merge patch applied. */
function patchedDraft(before: Statement, patch: MemberTexts, timeZone: string, read: ReadCells): Draft {
  return read({ ...toLotbookCells(before), ...Object.fromEntries(toColumns(patch)) }, timeZone);
}

const columnOfMember: ReadonlyMap<string, LotbookColumn> = new Map(
  lotbookColumns.map((column) => [memberOf(column), column]),
);

function toColumns(members: MemberTexts): [LotbookColumn, string][] {
  return Object.entries(members).flatMap(([name, value]) => {
    const column = columnOfMember.get(name);
    if (column === undefined || value === undefined) return [];
    return [
      [column, value === null ? '' : freeText.has(column) ? escapeFormula(value) : value] as [LotbookColumn, string],
    ];
  });
}

/** Columns in which a leading apostrophe is dropped. The apostrophe prevents a spreadsheet from executing the text. */
const freeText: ReadonlySet<LotbookColumn> = new Set(
  membersOfKind('name', 'lots', 'note').map((name) => statementMembers[name].column),
);

/** Reads the cells of a row in a time zone. */
type ReadCells = (cells: Partial<Record<LotbookColumn, string>>, timeZone: string) => Draft;

/** Opens the format once per time zone, because that takes much longer than reading a row. */
function openCells(): ReadCells {
  const readers = new Map<string, Reader>();
  return (cells, timeZone) => {
    const reader = readers.get(timeZone) ?? openReader(timeZone);
    readers.set(timeZone, reader);
    return toDraft(reader.read({ line: 0, cells: lotbookColumns.map((column) => cells[column] ?? '') }));
  };
}

function openReader(timeZone: string): Reader {
  const layout = lotbook.layouts[0];
  if (layout === undefined) throw new Error('The Lotbook CSV has no layout.');
  return lotbook.open(layout, { line: 0, cells: [...lotbookColumns] }, { timeZone, preamble: [] });
}

function toDraft([outcome]: readonly Outcome[]): Draft {
  if (outcome?.kind === 'rejected') throw refused(outcome.issue.column, outcome.issue.reason);
  const draft = outcome?.kind === 'read' ? outcome.drafts[0] : undefined;
  if (draft === undefined)
    throw new Refusal(
      'invalid',
      'This transaction has no values to store. Enter at least its type and quantity or amount.',
    );
  return draft.account === '' && !actions.has(draft.type) ? { ...draft, account: lotbook.source } : draft;
}

function refused(column: string | null, reason: string): Refusal {
  const pointer = column === null ? '' : `/${memberOf(column)}`;
  return new Refusal('invalid', `${column === null ? 'The transaction' : memberOf(column)}: ${reason}.`, {
    errors: [{ pointer, code: 'invalid', detail: reason }],
  });
}
