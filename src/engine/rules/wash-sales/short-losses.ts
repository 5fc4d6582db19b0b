import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, divideRounded, type Quantity } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { OpenLoss, OpenShort, RecentSale } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import { salesHorizon } from '../../book/fold-book.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import { maySellShort } from '../../events/keys.ts';
import { washDays } from '../../events/wash-window.ts';
import type { Disposal } from '../../model.ts';
import { withForm1099Basis } from '../lines/shown-basis.ts';
import { isReplacedBy } from './owners.ts';

/**
 * Matches a loss on closing a short sale to other sales. The loss is disallowed if substantially identical stock is
 * sold or sold short within 30 days (IRC 1091(e)). Each share sold uses up the loss of one share, in the order of the
 * sales. The law does not state where the disallowed loss goes. By analogy with Pub. 550, "Wash Sales", which adds it
 * to the cost of the new stock, it reduces the proceeds of the other short sale or increases the basis of the shares
 * sold.
 */
export function matchShortLoss(fold: Fold, loss: OpenLoss): void {
  matchEarlierSales(fold, loss);
  if (loss.matched < loss.quantity) getOrCreateList(fold.shortLosses, loss.key).push(loss);
}

/** Disallows the loss because of earlier sales and short sales. */
export function matchEarlierSales(fold: Fold, loss: Omit<OpenLoss, 'sequence'>): void {
  const counts = (on: Day, account: string): boolean =>
    Math.abs(on - loss.on) <= washDays && isReplacedBy(fold.rules, loss.account, account);
  const shorts = (fold.shorts.get(loss.key) ?? []).filter(
    (short) => short.id !== loss.short && counts(short.on, short.account),
  );
  const sales = (fold.sales.get(loss.key) ?? []).filter((sale) => counts(sale.on, sale.line.account));
  // A sale has the sequence number of the next lot or short that is opened. If the numbers are equal, the sale came
  // first.
  for (const bearer of [...sales, ...shorts].sort((a, b) => a.on - b.on || a.sequence - b.sequence)) {
    if ('line' in bearer) deferToEarlierSale(fold, loss, bearer, closedShort(loss, bearer));
    else deferToShort(fold, loss, bearer);
  }
}

export function matchShortLosses(fold: Fold, short: OpenShort): void {
  for (const loss of waitingLosses(fold, short.key, short.on, short.account)) deferToShort(fold, loss, short);
}

/**
 * Returns whether a new sale can affect short sale losses, because sales must be stored or an open loss can still be
 * matched.
 */
export function mayMatchLoss(fold: Fold, key: string): boolean {
  return remembersSales(fold) || (fold.shortLosses.get(key)?.length ?? 0) > 0;
}

/**
 * Returns whether sales must be stored. True if the book has had a short sale or the transactions contain one
 * (`resume/resuming.ts`).
 */
export function remembersSales(fold: Fold): boolean {
  fold.remembersSales ??= fold.shorted || (fold.ledger?.others.some(maySellShort) ?? false);
  return fold.remembersSales;
}

/**
 * Matches open losses to a sale. Returns the disallowed loss in cents, which is added to the basis of the shares sold.
 */
export function addShortLosses(fold: Fold, key: string, line: Disposal): bigint {
  if (!mayMatchLoss(fold, key)) return 0n;
  const waiting = waitingLosses(fold, key, line.sold, line.account);
  const sale: RecentSale = {
    line,
    key,
    on: line.sold,
    sequence: fold.sequence,
    quantity: line.quantity,
    matched: 0n,
    splits: [],
  };
  let borne = 0n;
  for (const loss of waiting) borne += denyLoss(fold, loss, sale, sale.line);
  if (remembersSales(fold) && sale.matched < sale.quantity) remember(fold, sale);
  return borne;
}

function remember(fold: Fold, sale: RecentSale): void {
  const sales = getOrCreateList(fold.sales, sale.key);
  sales.push(sale);
  const horizon = salesHorizon(fold, sale.key, sale.on - washDays);
  // Old sales are removed in batches of more than 256, so the cost per sale is negligible.
  if ((sales[gatheredMax]?.on ?? horizon) >= horizon) return;
  fold.sales.set(
    sale.key,
    sales.filter((one) => one.on >= horizon),
  );
}

const gatheredMax = 256;

function waitingLosses(fold: Fold, key: string, on: Day, account: string): OpenLoss[] {
  const waiting = getOrCreateList(fold.shortLosses, key).filter(
    (loss) => loss.matched < loss.quantity && on - loss.on <= washDays,
  );
  fold.shortLosses.set(key, waiting);
  return waiting.filter((loss) => isReplacedBy(fold.rules, loss.account, account));
}

/**
 * Adds a loss to an earlier sale. The line of that sale does not change. The loss is a separate line next to it, with
 * the same dates and term.
 */
export function deferToEarlierSale(
  fold: Fold,
  loss: Omit<OpenLoss, 'sequence'>,
  sale: RecentSale,
  description: string,
): void {
  const borne = denyLoss(fold, loss, sale, sale.line);
  if (borne === 0n || isRetirement(fold, sale.line.account)) return;
  const { formRows: _, ...sold } = disposalWith(sale.line, {});
  const lossLine = disposalWith(sold, {
    causedOn: fold.day,
    id: `${sale.line.id}/${loss.disposalId}`,
    quantity: 0n as Quantity,
    proceeds: 0n as Cents,
    basis: borne as Cents,
    basisUnknown: false,
    code: '',
    adjustment: 0n as Cents,
    description,
  });
  fold.facts.push(withForm1099Basis(lossLine, { stepUp: borne, heldSince: lossLine.heldSince }));
}

function closedShort(loss: Omit<OpenLoss, 'sequence'>, sale: RecentSale): string {
  return `${sale.line.asset} loss of short sale closed ${formatDay(loss.disposedOn)}, sec. 1091(e)`;
}

function denyLoss(fold: Fold, loss: Omit<OpenLoss, 'sequence'>, sale: RecentSale, line: Disposal): bigint {
  const units = least(loss.quantity - loss.matched, sale.quantity - sale.matched);
  if (units <= 0n) return 0n;
  sale.matched += units;
  return denyUnits(fold, loss, units, { id: line.id, transactionId: line.saleId, account: line.account });
}

/** Disallows a loss because of another short sale, and reduces the proceeds of that short sale. */
function deferToShort(fold: Fold, loss: Omit<OpenLoss, 'sequence'>, short: OpenShort): void {
  const units = least(loss.quantity - loss.matched, short.quantity - short.used);
  if (units <= 0n) return;
  const disallowed = denyUnits(fold, loss, units, {
    id: short.id,
    transactionId: short.openedBy,
    account: short.account,
  });
  short.used += units;
  short.wholeProceeds -= short.proceedsTaken + disallowed;
  short.proceedsTaken = 0n;
  short.wholeQuantity = short.quantity;
}

function denyUnits(
  fold: Fold,
  loss: Omit<OpenLoss, 'sequence'>,
  units: bigint,
  by: { readonly id: string; readonly transactionId: string; readonly account: string },
): bigint {
  loss.matched += units;
  const upTo = divideRounded(loss.loss * loss.matched, loss.quantity);
  const disallowed = upTo - loss.disallowed;
  loss.disallowed = upTo;
  if (isOnOtherReturn(fold.rules, loss.account, loss.disposedOn)) return disallowed;
  fold.facts.push({
    kind: 'wash',
    causedOn: fold.day,
    id: `${loss.disposalId}/${by.id}`,
    disposalId: loss.disposalId,
    on: loss.disposedOn,
    replacementLotId: by.id,
    replacementTransactionId: by.transactionId,
    quantity: units as Quantity,
    disallowed: disallowed as Cents,
    // Sales and short sales in an IRA are not reported, so no basis or proceeds can absorb the loss, and it is
    // disallowed permanently (cf. Rev. Rul. 2008-5).
    permanent: isRetirement(fold, by.account),
  });
  return disallowed;
}
