import { type Day, dayOf, formatDay, parseDay, yearOf } from '../../../base/day.ts';
import { parseMoney, parseQuantity, parseWrittenQuantity } from '../../../base/decimal.ts';
import { invalidMember } from '../../../base/refusal.ts';
import { classifyAssets } from '../../../engine/events/classes.ts';
import { countsOn } from '../../../engine/events/events.ts';
import type { AssetClass, Transaction } from '../../../engine/model.ts';
import { countTransactions } from '../../people/plans/limits.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { draftOfMembers, type MemberTexts } from '../transactions/change.ts';
import { toClassRules } from '../transactions/elections.ts';
import { type TouchedKeys, touch } from '../transactions/rows/columns.ts';
import { prepare } from '../transactions/staged/prepare.ts';
import { storeByHand } from '../transactions/store.ts';
import { findMissingUnits, isOfUnheld } from './proposals.ts';
import {
  type DiscountOfYear,
  effectOn,
  parseBasis,
  type ResolutionContext,
  type ResolutionEffect,
  requireIssueRow,
} from './resolution.ts';

/** Adds an opening lot for units that were bought before the first imported row. */
export async function addMissingLot(context: ResolutionContext): Promise<ResolutionEffect> {
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
export async function addMissingContracts(context: ResolutionContext): Promise<ResolutionEffect> {
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
export async function addOriginalDiscounts(context: ResolutionContext): Promise<ResolutionEffect> {
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
