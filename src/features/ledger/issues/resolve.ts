import { type Day, dayOf, formatDay, parseDay, yearOf } from '../../../base/day.ts';
import { parseMoney, parseQuantity, parseWrittenQuantity } from '../../../base/decimal.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { classifyAssets } from '../../../engine/events/classes.ts';
import { countsOn } from '../../../engine/events/events.ts';
import { listAssetKeys } from '../../../engine/events/keys.ts';
import type { AssetClass, IssueKind, Transaction } from '../../../engine/model.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { countTransactions, releaseTransactions } from '../../people/plans.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { recompute } from '../recompute/recompute.ts';
import { draftOfMembers, type MemberTexts } from '../transactions/change.ts';
import { toClassRules } from '../transactions/elections.ts';
import { selectTransactions } from '../transactions/list.queries.ts';
import { isDatedByRow, takesBasis } from '../transactions/resolutions.ts';
import { type ResolutionValues, reopenRejects, settleRejects } from '../transactions/row-issues.queries.ts';
import { isOfRejectedLines, type LinesOfIssue, linesOfIssue, parseRejectedKey } from '../transactions/row-issues.ts';
import { collectTouched, type TouchedKeys, toTransaction, touch } from '../transactions/rows.ts';
import { prepare } from '../transactions/staging.ts';
import { removeRows, storeByHand } from '../transactions/store.ts';
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
import { loadTransferEnds } from './pairing.ts';
import { findMissingUnits, isOfUnheld } from './proposals.ts';
import { resolveProposed, undoReplacement } from './proposed-row-resolutions.ts';
import {
  amountRule,
  type DiscountOfYear,
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

/** Adds an opening lot for units that were bought before the first imported row. */
async function addMissingLot(context: ResolutionContext): Promise<ResolutionEffect> {
  const { issue, answer } = context;
  const tx = requireIssueRow(context);
  if (issue.issue === 'unreconciled' && !isOfUnheld(issue, tx))
    throw invalidMember('/action', 'No purchase is missing here. Choose a different action.');
  const quantity = await parseUnits(context, tx);
  const basisValues = parseBasis(context, tx);
  // Corporate actions come before the purchases of their day.
  const date = issue.issue === 'unreconciled' ? formatDay((tx.on - 1) as Day) : formatDay(openOn(tx));
  if (basisValues.acquired !== undefined && basisValues.acquired > date)
    throw invalidMember('/acquired', `Enter a purchase date on or before ${date}.`);
  const opening = {
    date,
    type: 'opening_lot',
    account: issue.account,
    asset: issue.asset,
    assetClass: getAssetClass(tx, issue.asset),
    quantity,
    basis: basisValues.basis,
    acquired: basisValues.acquired,
    note: answer.note,
  };
  return { ...effectOn(tx, { ...basisValues, quantity }), ...(await addRow(context, opening)) };
}

/** Adds a `sell_to_open` for contracts that were written before the first imported row. */
async function addMissingContracts(context: ResolutionContext): Promise<ResolutionEffect> {
  const { issue, answer } = context;
  const tx = requireIssueRow(context);
  const quantity = await parseUnits(context, tx);
  const amount = answer.amount === undefined ? undefined : parseMoney(answer.amount);
  if (answer.amount === undefined || amount === undefined || amount < 0n)
    throw invalidMember('/amount', "Enter the premium received less fees, like 150.00. It can't be negative.");
  const written = answer.acquired === undefined ? undefined : parseDay(answer.acquired);
  if (answer.acquired === undefined || written === undefined || written > openOn(tx))
    throw invalidMember('/acquired', `Enter the date when they were written, on or before ${formatDay(openOn(tx))}.`);
  const contractValues = { amount: answer.amount, acquired: answer.acquired, quantity };
  const { account, asset } = issue;
  const opening = { date: answer.acquired, type: 'sell_to_open', account, asset, quantity, amount: answer.amount };
  return { ...effectOn(tx, contractValues), ...(await addRow(context, { ...opening, note: answer.note })) };
}

/**
 * Returns the day when the missing units must have been held. An option that was closed late counts on its expiration
 * date.
 */
function openOn(tx: Transaction): Day {
  return Math.min(tx.on, countsOn(tx)) as Day;
}

/**
 * Returns the number of units to add. Refuses more than the missing units, because later sales would use up the extra
 * units.
 */
async function parseUnits({ sql, taxpayer, issue, answer }: ResolutionContext, tx: Transaction): Promise<string> {
  const missing = await findMissingUnits(sql, taxpayer.id, issue, tx);
  const text = answer.quantity ?? missing;
  if (text === undefined) throw invalidMember('/quantity', 'Enter the number of units.');
  const units = parseQuantity(text);
  if (units === undefined || units <= 0n)
    throw invalidMember('/quantity', 'Enter a positive quantity with at most 18 decimals.');
  if (missing !== undefined && units > (parseWrittenQuantity(missing) ?? units))
    throw invalidMember('/quantity', `Only ${missing} are missing. Enter that quantity or less.`);
  return text;
}

/** Adds a row with the values of an answer. */
async function addRow(
  context: ResolutionContext,
  members: MemberTexts,
): Promise<{ readonly addedId: string; readonly touched: TouchedKeys }> {
  const { deps, sql, taxpayer } = context;
  const { settings, time_zone } = await selectTaxpayer(sql, taxpayer.id);
  const draft = draftOfMembers(members, time_zone);
  // Answers count toward the plan but are never blocked by its limit.
  await countTransactions(sql, taxpayer.id, 1);
  const row = prepare(draft, draft.line, { ...toClassRules(settings), sourceClass: null, timeZone: null });
  const addedId = crypto.randomUUID();
  return { addedId, touched: await storeByHand(sql, taxpayer.id, row, addedId, deps.clock.now()) };
}

function getAssetClass(tx: Transaction, asset: string): AssetClass {
  const classes = classifyAssets(tx);
  return asset === tx.asset ? classes.asset : asset === tx.receivedAsset ? classes.received : classes.fee;
}

/**
 * Adds a row of original issue discount for each year entered. The discount was income of that year and increased the
 * basis (IRC 1272(a)(1), (d)(2)). The row for the year of the sale is dated on the day of the sale and sorts before the
 * sale.
 */
async function addOriginalDiscounts(context: ResolutionContext): Promise<ResolutionEffect> {
  const { issue, answer } = context;
  const sale = requireIssueRow(context);
  const saleYear = yearOf(sale.on);
  const discounts = parseDiscounts(answer.discounts ?? [], saleYear);
  const added: { readonly addedId: string; readonly given: { readonly acquired: string; readonly amount: string } }[] =
    [];
  const effect = effectOn(sale, {});
  const touched = new Map(effect.touched);
  for (const { year, amount } of discounts) {
    const on = year === saleYear ? sale.on : (dayOf(year, 12, 31) ?? sale.on);
    const row = await addRow(context, {
      date: formatDay(on),
      type: 'original_issue_discount',
      account: issue.account,
      asset: issue.asset,
      assetClass: sale.assetClass,
      amount,
      note: answer.note,
    });
    for (const [key, day] of row.touched) touch(touched, key, day);
    added.push({ addedId: row.addedId, given: { acquired: formatDay(on), amount } });
  }
  const [first, ...others] = added;
  if (first === undefined) throw invalidMember('/discounts', 'Enter the original issue discount of each year.');
  return { ...effect, ...first, alsoAdded: others, touched };
}

function parseDiscounts(discounts: readonly DiscountOfYear[], saleYear: number): readonly DiscountOfYear[] {
  const years = new Set<number>();
  for (const [at, { year, amount }] of discounts.entries()) {
    const discount = parseMoney(amount);
    if (discount === undefined || discount <= 0n)
      throw invalidMember(`/discounts/${at}/amount`, 'Enter a positive discount with at most 8 decimals.');
    if (year > saleYear)
      throw invalidMember(`/discounts/${at}/year`, `The bond was sold in ${saleYear}. Enter years up to then.`);
    if (years.has(year)) throw invalidMember(`/discounts/${at}/year`, `Enter ${year} only once.`);
    years.add(year);
  }
  return discounts;
}
