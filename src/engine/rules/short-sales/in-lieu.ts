import { addDays, type Day, formatDay, longTermOn } from '../../../base/day.ts';
import { type Cents, formatCents, proportion, roundToCents } from '../../../base/decimal.ts';
import { createAllocator } from '../../book/amounts.ts';
import { inLieuDays, type OpenShort, type PaymentInLieu } from '../../book/book.ts';
import { type Fold, raise } from '../../book/fold.ts';
import type { IncomeEvent, TransactionEvent } from '../../events/event.ts';
import type { TransactionType } from '../../model.ts';
import { isUnder1233, sum } from '../lots/holding-periods.ts';

/**
 * Payments in lieu of dividends (IRC 263(h)). The short seller on the day of a dividend pays it to the lender. If the
 * short is closed by the 45th day after the short sale, the payment is added to the basis of the property that closes
 * it. For an extraordinary dividend the limit is one year. Otherwise the payment is investment interest, which has no
 * line here. It is never a negative dividend. The number of days that count depends on the taxpayer's other holdings,
 * so each payment raises an issue.
 */
const ordinaryDays = 45;

/** Records a payment in lieu. Returns false if the row is income. */
export function payInLieu(fold: Fold, event: IncomeEvent): boolean {
  const { tx, amount } = event;
  if (!mayBeInLieu.has(tx.type) || event.asset === '' || amount === null || (tx.quantity ?? 0n) > 0n) return false;
  const paid = -roundToCents(amount);
  const shorts = (fold.shorts.get(event.key) ?? []).filter(
    (short) => short.account === event.account && isUnder1233(short.assetClass),
  );
  if (paid === 0n || (paid < 0n && !takesBack(fold, event, shorts, -paid))) return false;
  if (shorts.length === 0) return wasShort(fold, event, paid);
  const deal = createAllocator(paid, sum(shorts));
  for (const short of shorts) {
    const share = deal(short.quantity);
    if (share !== 0n) short.inLieu = [...(short.inLieu ?? []), { paid: share, until: computeLastDay(short, share) }];
  }
  const [first] = shorts as [OpenShort];
  raiseInLieu(
    fold,
    event,
    paid,
    shorts.map((short) => short.openedBy),
    `The short sale was on ${formatDay(first.on)}. If it is closed by the 45th day after it, or within a year if the dividend is ` +
      'extraordinary, the payment is added to the cost of the shares that close it, and it is calculated that way here. If it is closed later, the ' +
      'payment is investment interest, which you may deduct on Schedule A (Form 4952) and which is on no line here.',
  );
  return true;
}

/** Types that may be payments in lieu: dividends, and the type that brokers use for such payments. */
const mayBeInLieu: ReadonlySet<TransactionType> = new Set(['dividend', 'other_income']);

/**
 * Returns the last day to close the short so that the payment is added to the basis. For any class of stock, a dividend
 * of at least a tenth of the short's proceeds is extraordinary (IRC 1059(c), 263(h)(3)).
 */
function computeLastDay(short: OpenShort, share: bigint): Day {
  const isExtraordinary = 10n * (share < 0n ? -share : share) >= short.wholeProceeds - short.proceedsTaken;
  return isExtraordinary ? addDays(longTermOn(short.on), -1) : addDays(short.on, ordinaryDays);
}

/**
 * Returns whether money received reverses earlier payments in lieu. It does if the account holds no shares and
 * previously paid at least as much on its shorts.
 */
function takesBack(fold: Fold, event: IncomeEvent, shorts: readonly OpenShort[], back: bigint): boolean {
  const paid = shorts.flatMap((short) => short.inLieu ?? []).reduce((cents, one) => cents + one.paid, 0n);
  return paid >= back && !holds(fold, event);
}

function holds(fold: Fold, event: IncomeEvent): boolean {
  return (fold.pools.get(event.key)?.get(event.account)?.lots.size ?? 0) > 0;
}

/**
 * Raises an issue about a negative dividend on a stock that the account was recently short. Returns true if the row is
 * not income.
 */
function wasShort(fold: Fold, event: IncomeEvent, paid: bigint): boolean {
  const closed = fold.closedShorts.findLast(({ key, account }) => key === event.key && account === event.account);
  if (closed === undefined || event.on - closed.closedOn > inLieuDays) return false;
  raiseInLieu(
    fold,
    event,
    paid,
    [],
    `A short sale made on ${formatDay(closed.on)} was closed on ${formatDay(closed.closedOn)}. If the payment is for a dividend from that time and the ` +
      'short was closed by the 45th day after the short sale, or within a year if the dividend is extraordinary, add the amount to the ' +
      'fee of the covering row. Otherwise it is investment interest.',
  );
  return !holds(fold, event);
}

function raiseInLieu(
  fold: Fold,
  event: IncomeEvent,
  paid: bigint,
  transactions: readonly string[],
  consequence: string,
): void {
  const dollars = (paid < 0n ? -paid : paid) as Cents;
  const detail =
    `${event.account} ${paid < 0n ? 'received back' : 'paid'} $${formatCents(dollars)} on ${event.asset} on ${formatDay(event.on)} as a payment in lieu of a ` +
    `dividend, because it owes the shares. This is not a negative dividend (IRC 263(h)). ${consequence} Days on which you hold the same stock, or a right ` +
    'to buy it, do not count.';
  raise(fold, event, 'payment_in_lieu', detail, { dollars, transactions });
}

/**
 * Removes the share of payments that belongs to units being closed. Returns, in cents, the amount added to their cost.
 */
export function takeInLieu(short: OpenShort, units: bigint, closedOn: Day): bigint {
  if (short.inLieu === undefined) return 0n;
  let capitalized = 0n;
  const left: PaymentInLieu[] = [];
  for (const { paid, until } of short.inLieu) {
    const share = proportion(paid, units, short.quantity);
    if (closedOn <= until) capitalized += share;
    left.push({ paid: paid - share, until });
  }
  short.inLieu = left;
  return capitalized;
}

/** Records the last closing of the account. */
export function noteClosedShorts(
  fold: Fold,
  event: TransactionEvent,
  closing: readonly { readonly short: OpenShort }[],
): void {
  const last = closing.findLast(({ short }) => isUnder1233(short.assetClass));
  if (last === undefined) return;
  const { key, account, on } = last.short;
  const others = fold.closedShorts.filter((one) => one.key !== key || one.account !== account);
  fold.closedShorts = [...others, { key, account, on, closedOn: event.on }];
}
