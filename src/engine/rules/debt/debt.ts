import { formatDay } from '../../../base/day.ts';
import { type Cents, centsToMoney, formatCents, proportion, roundToCents } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { LotDebt, OpenLot } from '../../book/book.ts';
import { type Fold, isRetirement, raise, roundCarrying, writeIncome } from '../../book/fold.ts';
import { toLotDebt } from '../../book/lot-debt.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import { rebase, remainingDebt } from '../../book/remaining.ts';
import { rowsToday } from '../../book/rows-today.ts';
import { isDebt } from '../../events/classes.ts';
import { type AcquireEvent, dollars, type Event, type IncomeEvent } from '../../events/event.ts';
import { toAssetKey } from '../../events/keys.ts';
import type { Disposal } from '../../model.ts';
import { lettersOf } from '../lines/columns.ts';
import type { TakenLots } from '../lots/take.ts';
import {
  computeDiscountInterest,
  computeUnamortizedPremium,
  type DiscountInterest,
  type SoldDebt,
} from './discount.ts';

/**
 * Returns the terms of a debt instrument that its purchase states. Accrued interest paid is not basis (Pub. 550, "Bonds
 * Sold Between Interest Dates").
 */
export function readDebtTerms(fold: Fold, event: AcquireEvent): LotDebt | undefined {
  const { tx, ordinal } = event;
  if (tx.asset !== event.asset || (tx.maturity === null && tx.accruedInterest === null)) return undefined;
  const paid = tx.type === 'buy' && ordinal === 0 ? dollars(tx, tx.accruedInterest) : null;
  const isTaxed = !isRetirement(fold, event.account);
  return toLotDebt(tx.maturity, paid === null || !isTaxed ? 0n : roundCarrying(fold, `accrued ${event.key}`, paid));
}

/**
 * Removes interest from the line of a debt instrument. The part of its gain that is interest is removed with code D
 * (i8949, column (f)) and written as income. If nothing states that part, an issue is raised, and an estimate is used
 * if there is one.
 */
export function withDiscount(
  fold: Fold,
  event: Event,
  line: Disposal,
  terms: Pick<SoldDebt, 'maturity' | 'stated' | 'isAccruing'>,
): Disposal {
  const isOfDebt = isDebt(line.assetClass) || terms.maturity !== null || terms.stated !== null;
  if (!isOfDebt || line.basisUnknown || line.quantity <= 0n) return line;
  const { quantity, assetClass, proceeds, basis, acquired, sold } = line;
  const debt = { ...{ quantity, assetClass, proceeds, basis, acquired, sold }, ...terms };
  const discountInterest = computeDiscountInterest(debt);
  const premium = event.tx.type === 'reported_sale' ? 0n : computeUnamortizedPremium(debt);
  if (premium > 0n) raisePremium(fold, event, line, premium);
  if (discountInterest.isDue) fold.redeemedToday.add(line.id);
  if (discountInterest.unknown > 0n) raiseUnknown(fold, event, line, discountInterest);
  if (discountInterest.interest === 0n) return line;
  writeInterest(fold, event, `${line.id}/discount`, discountInterest.interest as Cents);
  return disposalWith(line, {
    code: lettersOf(`${line.code}D`),
    adjustment: (line.adjustment - discountInterest.interest) as Cents,
  });
}

/**
 * Returns the accrued market discount of a sale, in cents, from its own row or from form rows of the same day. Returns
 * null if no row states it.
 */
export function statedDiscount(fold: Fold, event: Event): bigint | null {
  const { tx, key, account } = event;
  const rowDiscount = dollars(tx, tx.marketDiscount);
  if (rowDiscount !== null) return roundToCents(rowDiscount);
  if (tx.type !== 'sell' || tx.quantity === null || !isDebt(event.assetClass)) return null;
  let [units, discount, isStated] = [0n, 0n, false];
  for (const row of rowsToday(fold).values()) {
    const shown = row.type === 'reported_sale' ? dollars(row, row.marketDiscount) : null;
    if (shown === null || row.account !== account || toAssetKey(row.asset, row.assetClass) !== key) continue;
    isStated = true;
    units += row.quantity ?? 0n;
    discount += roundToCents(shown);
  }
  if (!isStated || units <= 0n) return null;
  return tx.quantity >= units ? discount : proportion(discount, tx.quantity, units);
}

/**
 * Writes the accrued interest received with the price of a bond as interest income, less the accrued interest paid for
 * the same units.
 */
export function settleAccrued(fold: Fold, event: Event, { slices }: TakenLots): void {
  if (isRetirement(fold, event.account)) return;
  const { tx } = event;
  const received = tx.type === 'sell' && event.ordinal === 0 ? dollars(tx, tx.accruedInterest) : null;
  let paid = 0n;
  for (const { debt } of slices) if (debt !== undefined) paid += debt.accrued;
  const interest = (received === null ? 0n : roundCarrying(fold, `accrued ${event.key}`, received)) - paid;
  if (interest !== 0n) writeInterest(fold, event, `${tx.id}/${event.ordinal}.accrued`, interest as Cents);
}

/**
 * Reduces the first interest of a bond by the accrued interest paid for it (Pub. 550, "Bonds Sold Between Interest
 * Dates": a return of capital). Any excess reduces the next interest.
 */
export function deductAccrued(fold: Fold, event: IncomeEvent): void {
  if (event.tx.type !== 'interest' || event.amount === null || event.amount <= 0n) return;
  const pool = fold.pools.get(event.key)?.get(event.account);
  if (pool === undefined) return;
  const due = pool.lots.values().filter((lot) => lot.debt !== undefined && lot.acquired < event.on);
  let left: bigint = roundToCents(event.amount);
  const interest = left;
  for (const lot of due.sort((a, b) => a.sequence - b.sequence)) left -= takeAccrued(lot, left);
  if (left < interest)
    writeInterest(fold, event, `${event.tx.id}/${event.ordinal}.accrued`, (left - interest) as Cents);
}

function takeAccrued(lot: OpenLot, most: bigint): bigint {
  const all = remainingDebt(lot);
  if (all === undefined || all.accrued <= 0n || most <= 0n) return 0n;
  const taken = least(all.accrued, most);
  rebase(lot);
  lot.debt = { ...all, accrued: all.accrued - taken };
  return taken;
}

/**
 * Removes the lines of bills paid at maturity unless a form reports them, because they are not needed (Form 1099-INT
 * box 3).
 */
export function dropRedeemed(fold: Fold): void {
  if (fold.redeemedToday.size === 0) return;
  const kept = fold.facts
    .slice(fold.dayStart)
    .filter((fact) => fact.kind !== 'disposal' || !fold.redeemedToday.has(fact.id) || fold.reportedToday.has(fact.id));
  fold.facts.splice(fold.dayStart, fold.facts.length - fold.dayStart, ...kept);
}

function writeInterest(fold: Fold, event: Event, id: string, cents: Cents): void {
  writeIncome(fold, event, { type: 'interest', amount: centsToMoney(cents), id });
}

function raiseUnknown(fold: Fold, event: Event, line: Disposal, { unknown, interest }: DiscountInterest): void {
  const sold = `${line.asset} sold on ${formatDay(line.sold)}`;
  const most = `$${formatCents(unknown as Cents)}`;
  raise(fold, event, 'discount_unknown', describeUnknownDiscount(line, sold, most, interest), {
    dollars: unknown as Cents,
    suffix: line.id.slice(line.id.lastIndexOf('.') + 1),
  });
}

/**
 * Raises an issue about unamortized premium. This applies only to history rows, because a form reports the basis after
 * amortization.
 */
function raisePremium(fold: Fold, event: Event, line: Disposal, premium: bigint): void {
  const detail =
    `The bond ${line.asset} sold on ${formatDay(line.sold)} cost $${formatCents(premium as Cents)} more than its face, and no row amortizes this premium. ` +
    'For a tax-exempt bond, premium is amortized each year and is never a loss (IRC 171(a)(2), 1016(a)(5)). For a taxable bond, amortization is an election (171(c)), which ' +
    'brokers assume in the basis that they report. Enter it as bond_amortization before the sale. If the bond is taxable and you made no election, accept this issue.';
  raise(fold, event, 'premium_unknown', detail, {
    dollars: premium as Cents,
    suffix: line.id.slice(line.id.lastIndexOf('.') + 1),
  });
}

function describeUnknownDiscount(line: Disposal, sold: string, most: string, interest: bigint): string {
  if (line.assetClass === 'treasury_bill')
    return (
      `Up to ${most} of the gain on the Treasury bill ${sold} is interest: its share of the discount until then ` +
      '(IRC 1271(a)(3)). Enter the maturity date.'
    );
  const original =
    'If the bond was issued at a discount, that discount was income each year and was added to the basis (Form 1099-OID; IRC 1272(a), (d)(2)). ' +
    'Enter it as original_issue_discount before the sale.';
  if (interest === 0n)
    return (
      `Up to ${most} of the gain on the bond ${sold} may be accrued market discount, which is interest (IRC 1276(a)(1)). Enter the accrued market ` +
      `discount (Form 1099-B box 1f; 0 for none) or the maturity date. ${original}`
    );
  return (
    `$${formatCents(interest as Cents)} of the gain on the bond ${sold} counts as accrued market discount, which is interest (IRC 1276(a)(1)), based on the days to its ` +
    `maturity. Enter the accrued market discount (Form 1099-B box 1f; 0 for none). ${original}`
  );
}
