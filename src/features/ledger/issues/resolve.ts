import { formatDay } from '../../../base/day.ts';
import { parseMoney, parseQuantity } from '../../../base/decimal.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import type { IssueKind, Transaction } from '../../../engine/model.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { releaseTransactions } from '../../people/plans/limits.ts';
import { recompute } from '../recompute/recompute.ts';
import { selectTransactions } from '../transactions/list.queries.ts';
import { reopenRejects, settleRejects } from '../transactions/rejected.queries.ts';
import {
  isOfRejectedLines,
  type LinesOfIssue,
  linesOfIssue,
  parseRejectedKey,
} from '../transactions/rejected-lines.ts';
import type { ResolutionValues } from '../transactions/resolutions.queries.ts';
import { isDatedByRow, takesBasis } from '../transactions/resolutions.ts';
import { collectTouched, type TouchedKeys, toTransaction, touch } from '../transactions/rows/columns.ts';
import { removeRows } from '../transactions/store.ts';
import { removeStatedClasses, stateClass } from './class-resolutions.ts';
import {
  deleteBrokenPairs,
  deleteResolutions,
  insertResolution,
  type ResolutionAction,
  selectIssue,
  selectPairing,
  selectWorklistRow,
} from './issues.queries.ts';
import { addMissingContracts, addMissingLot, addOriginalDiscounts } from './missing-positions.ts';
import { loadTransferEnds } from './pairing.ts';
import { resolveProposed, undoReplacement } from './proposed-row-resolutions.ts';
import {
  amountRule,
  effectOn,
  ordinalOf,
  parseBasis,
  type ResolutionContext,
  type ResolutionEffect,
  type ResolutionInput,
  requireIssueRow,
} from './resolution.ts';

/** Stores a resolution and recomputes the books, in the caller's transaction and under the taxpayer's lock. */
export async function resolveIssue(
  deps: Deps,
  sql: Sql,
  taxpayer: Taxpayer,
  factId: string,
  input: ResolutionInput,
): Promise<void> {
  const { touched } = await storeIssueResolution(deps, sql, taxpayer, factId, input);
  await recompute(sql, taxpayer.id, touched, { sources: 'same' });
  // Refuses an answer that does not resolve the issue, because the resolution would hide it.
  if ((await selectIssue(sql, taxpayer.id, factId)) !== undefined) {
    throw invalidMember('', 'This answer does not resolve the issue. Check the values, or choose a different answer.');
  }
}

/** The effect of an answer, before the books are recomputed. */
interface ResolvedIssue {
  readonly touched: TouchedKeys;
  /** The other leg of a pair, whose own issue is also resolved. */
  readonly otherId: string | null;
}

/** Stores a resolution. The caller must recompute the affected books. */
export async function storeIssueResolution(
  deps: Deps,
  sql: Sql,
  taxpayer: Taxpayer,
  factId: string,
  input: ResolutionInput,
): Promise<ResolvedIssue> {
  const issue = await selectIssue(sql, taxpayer.id, factId);
  if (issue === undefined) {
    if ((await selectWorklistRow(sql, taxpayer.id, factId)) === undefined) throw notFound();
    throw new Refusal('conflict', 'This issue is already resolved. Reopen it first.');
  }
  const rejected = await linesOfIssue(sql, taxpayer.id, factId);
  if (rejected !== undefined) {
    await setAside(deps, sql, taxpayer.id, { issueId: factId, ...rejected }, input);
    return { touched: new Map(), otherId: null };
  }
  const rows = new Map((await selectTransactions(sql, taxpayer.id, issue.transactions)).map((row) => [row.id, row]));
  const transactions = issue.transactions.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [toTransaction(row)];
  });
  const { takes, resolve } = issue.issue === 'row_differs' ? resolveProposed : findResolver(input.action, issue.issue);
  refuseUnusedMembers(input, takes);
  const {
    touched,
    alsoAdded = [],
    ...stored
  } = await resolve({ deps, sql, taxpayer, issue, answer: input, transactions });
  if (issue.issue === 'transfer_unpaired') {
    const legs = [stored.transactionId, ...(stored.otherId === null ? [] : [stored.otherId])];
    await deleteBrokenPairs(sql, taxpayer.id, legs);
  }
  for (const row of [stored, ...alsoAdded.map((added) => ({ ...stored, ...added }))]) {
    await insertResolution(sql, taxpayer.id, {
      id: crypto.randomUUID(),
      issueId: factId,
      action: input.action,
      note: input.note ?? '',
      issue,
      at: deps.clock.now(),
      ...row,
    });
  }
  return { touched, otherId: stored.otherId };
}

/** Accepts an unreadable line with a note. Unreadable lines have no row yet. They can also be fixed one by one. */
async function setAside(
  deps: Deps,
  sql: Sql,
  taxpayerId: string,
  { issueId, lines, together }: LinesOfIssue & { readonly issueId: string },
  input: ResolutionInput,
): Promise<void> {
  if (input.action !== 'accept')
    throw invalidMember('/action', 'Fix the line with POST /imports/rejects/:id, or accept it with a note.');
  refuseUnusedMembers(input, []);
  if (input.note === undefined || input.note === '')
    throw invalidMember('/note', 'Enter a note that explains why the line can be left out.');
  const at = deps.clock.now();
  await settleRejects(sql, taxpayerId, lines, {
    state: 'dismissed',
    note: input.note,
    transactionId: null,
    at,
    ...(together ? { acceptedAs: issueId } : {}),
  });
}

/** Removes the resolutions of an issue. The issue opens again unless its rows have changed since. */
export async function reopenIssue(deps: Deps, sql: Sql, taxpayer: Taxpayer, factId: string): Promise<void> {
  const touched = await removeResolution(deps, sql, taxpayer, factId);
  await recompute(sql, taxpayer.id, touched, { sources: 'same' });
}

/** Removes a resolution without recomputing the books. Returns the affected books. */
export async function removeResolution(deps: Deps, sql: Sql, taxpayer: Taxpayer, factId: string): Promise<TouchedKeys> {
  const taxpayerId = taxpayer.id;
  if (isOfRejectedLines(factId)) {
    if (!(await reopenRejects(sql, taxpayerId, factId, parseRejectedKey(factId)))) throw notFound();
    return new Map();
  }
  await undoReplacement(deps, sql, taxpayer, factId);
  const removed = await deleteResolutions(sql, taxpayerId, factId);
  if (removed.length === 0) throw notFound();
  const touched = collectTouched(removed.map((one) => ({ asset_key: one.asset_key, day: one.from_day })));
  const rows = removed.map((one) => one.transaction_id);
  await removeStatedClasses(sql, taxpayerId, removed);
  for (const row of await selectTransactions(sql, taxpayerId, rows)) {
    const tx = toTransaction(row);
    for (const key of listAssetKeys(tx)) touch(touched, key, tx.on);
  }
  for (const { added_id } of removed) {
    if (added_id === null) continue;
    const removed = await removeRows(sql, taxpayerId, [added_id]);
    await releaseTransactions(sql, taxpayerId, removed.rows);
    for (const [key, day] of removed.touched) touch(touched, key, day);
  }
  return touched;
}

/** How an action resolves an issue, and the request properties that it uses. */
interface Resolver {
  readonly takes: readonly (keyof ResolutionInput)[];
  readonly resolve: (context: ResolutionContext) => Promise<ResolutionEffect>;
}

function findResolver(action: ResolutionAction, kind: IssueKind): Resolver {
  const units = ['acquired', 'quantity'] as const;
  switch (action) {
    case 'accept':
      return { takes: [], resolve: async (context) => effectOn(requireIssueRow(context), {}) };
    case 'basis':
      if (kind === 'oversold' || kind === 'option_not_open' || kind === 'unreconciled')
        return { takes: ['basis', ...units], resolve: addMissingLot };
      return {
        takes: ['basis', ...units, ...(kind === 'gift_incomplete' ? ['amount' as const] : [])],
        resolve: supplyBasis,
      };
    case 'value':
      if (kind === 'option_not_open') return { takes: ['amount', ...units], resolve: addMissingContracts };
      return { takes: ['amount', ...(withoutFee.has(kind) ? [] : ['fee' as const])], resolve: setValue };
    case 'pair':
      return { takes: ['with'], resolve: pairLegs };
    case 'class':
      return { takes: ['assetClass', 'collectible'], resolve: stateClass };
    case 'add':
      if (kind === 'discount_unknown') return { takes: ['discounts'], resolve: addOriginalDiscounts };
      throw invalidMember(
        '/action',
        'add works only for an unknown discount or a row that conflicts with a later file.',
      );
    case 'replace':
      throw invalidMember('/action', `${action} works only for a row that conflicts with a later file.`);
  }
}

/** Kinds of issues whose value never includes a fee. */
const withoutFee: ReadonlySet<IssueKind> = new Set(['gift_incomplete', 'discount_unknown']);

/** Refuses properties that the action does not use, because the client expects them to have an effect. */
function refuseUnusedMembers(input: ResolutionInput, takes: readonly string[]): void {
  const others = Object.keys(input).filter((name) => name !== 'action' && name !== 'note' && !takes.includes(name));
  if (others.length === 0) return;
  const detail = `The action ${input.action} takes only ${['note', ...takes].join(', ')} here.`;
  throw new Refusal('invalid', detail, {
    errors: others.map((name) => ({ pointer: `/${name}`, code: 'invalid', detail })),
  });
}

/** Sets the basis of the row that opened the lot. An issue about a sale lists that row second. */
async function supplyBasis(context: ResolutionContext): Promise<ResolutionEffect> {
  const { issue, answer } = context;
  const opener = context.transactions[1] ?? requireIssueRow(context);
  if (!takesBasis(opener.type)) {
    throw invalidMember(
      '/action',
      `A ${opener.type} has no basis of its own. Correct the row, or accept the issue with a note.`,
    );
  }
  if (answer.quantity !== undefined && parseQuantity(answer.quantity) !== opener.quantity)
    throw invalidMember('/quantity', 'The basis is for all units of the row. Leave out the quantity.');
  const basisValues = parseBasis(context, opener);
  if (basisValues.acquired !== undefined && basisValues.acquired !== formatDay(opener.on) && isDatedByRow(opener.type))
    throw invalidMember(
      '/acquired',
      `The row already has the acquisition date ${formatDay(opener.on)}. Leave out the date.`,
    );
  return effectOn(
    opener,
    issue.issue === 'gift_incomplete' ? giftBasis(context, opener, basisValues) : basisValues,
    requireIssueRow(context),
  );
}

/** Adds the donor's purchase date and the value at the gift to the answer, if the row has neither. */
function giftBasis({ answer }: ResolutionContext, gift: Transaction, values: ResolutionValues): ResolutionValues {
  if (gift.acquired === null && values.acquired === undefined)
    throw invalidMember('/acquired', 'Enter the donor’s purchase date.');
  if (answer.amount === undefined) {
    if (gift.fmv !== null && !isForeign(gift)) return values;
    throw invalidMember('/amount', `Enter the value in US dollars on ${formatDay(gift.on)}, the day of the gift.`);
  }
  return { ...values, amount: parseWorth(answer) };
}

async function setValue(context: ResolutionContext): Promise<ResolutionEffect> {
  const { issue, answer } = context;
  const tx = requireIssueRow(context);
  if (issue.issue === 'gift_incomplete') return effectOn(tx, { figure: 'fmv', amount: parseWorth(answer) });
  if (issue.issue === 'discount_unknown') return effectOn(tx, { figure: 'marketDiscount', amount: parseWorth(answer) });
  if (issue.issue !== 'value_missing')
    throw invalidMember('/action', 'No value is missing here. Choose a different action.');
  const figure = ordinalOf(issue.id) === 2 ? 'fee' : (rowOf(tx.type).askedValue ?? 'amount');
  const amount = parseWorth(answer);
  if (figure === 'fee' && answer.fee !== undefined)
    throw invalidMember('/fee', 'The amount is the fee here. Leave out the fee.');
  const fee = answer.fee === undefined ? undefined : parseMoney(answer.fee);
  if (answer.fee !== undefined && (fee === undefined || fee < 0n))
    throw invalidMember('/fee', "Enter a fee like 1.50. It can't be negative.");
  if (isForeign(tx) && figure !== 'fee' && tx.fee !== null && fee === undefined) {
    throw invalidMember('/fee', `The fee is in ${tx.currency}. Enter it in US dollars too.`);
  }
  return effectOn(tx, { figure, amount, ...(answer.fee === undefined ? {} : { fee: answer.fee }) });
}

function parseWorth({ amount }: ResolutionInput): string {
  const worth = amount === undefined ? undefined : parseMoney(amount);
  if (amount === undefined || worth === undefined || worth < 0n)
    throw invalidMember('/amount', `Enter the value in US dollars, like 7500.00. ${amountRule}`);
  return amount;
}

function isForeign({ currency }: Transaction): boolean {
  return currency !== '' && currency !== 'USD';
}

/** Pairs a withdrawal and a deposit as the two ends of one transfer. */
async function pairLegs({ sql, taxpayer, issue, answer, transactions }: ResolutionContext): Promise<ResolutionEffect> {
  const [own] = transactions;
  if (issue.issue !== 'transfer_unpaired' || own === undefined)
    throw invalidMember('/action', 'This transaction is not part of a transfer. Choose a different action.');
  const { left, arrived } = await loadTransferEnds(sql, taxpayer.id, own, answer.with ?? '');
  for (const leg of [left, arrived]) {
    if ((await selectPairing(sql, taxpayer.id, leg.id)) === undefined) continue;
    throw invalidMember(
      '/with',
      'One of the two transactions is already matched, or marked as having no other end. Undo that first.',
    );
  }
  return { ...effectOn(left, {}), otherId: arrived.id };
}
