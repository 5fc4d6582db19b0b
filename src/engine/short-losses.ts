import { type Day, formatDay } from '../base/day.ts';
import { type Cents, divideRounded, type Quantity } from '../base/decimal.ts';
import { least } from './amounts.ts';
import type { OpenLoss, OpenShort, RecentSale } from './book.ts';
import { type Fold, listOf } from './fold.ts';
import type { Disposal } from './model.ts';
import { washDays } from './window.ts';

/**
 * IRC 1091(e): a loss on closing a short sale is denied where, within 30 days, substantially identical stock is sold or
 * another short sale of it is entered. Each share sold or short bears one loss, in the order in which they were sold.
 * The law leaves open where the denied loss goes: by analogy with what Pub. 550, "Wash Sales", does to the cost of new
 * stock it lowers what the other short will have yielded, or joins the basis of the shares sold.
 */
export function matchShortLoss(fold: Fold, loss: OpenLoss): void {
  const near = (on: Day): boolean => Math.abs(on - loss.on) <= washDays;
  const shorts = listOf(fold.shorts, loss.key).filter((short) => short.id !== loss.origin && near(short.on));
  const sales = listOf(fold.sales, loss.key).filter((sale) => near(sale.on));
  for (const bearer of [...shorts, ...sales].sort((a, b) => a.on - b.on || a.sequence - b.sequence)) {
    if ('line' in bearer) deferToEarlierSale(fold, loss, bearer, closedShort(loss, bearer));
    else deferToShort(fold, loss, bearer);
  }
  if (loss.matched < loss.quantity) listOf(fold.shortLosses, loss.key).push(loss);
}

export function matchShortLosses(fold: Fold, short: OpenShort): void {
  for (const loss of waitingLosses(fold, short.key, short.on)) deferToShort(fold, loss, short);
}

/** What a sale bears of the losses that wait, in cents: it joins the basis of the shares sold. */
export function bearShortLosses(fold: Fold, key: string, line: Disposal): bigint {
  const open = (fold.shorts.get(key)?.length ?? 0) > 0;
  if (!open && (fold.shortLosses.get(key)?.length ?? 0) === 0) return 0n;
  const waiting = waitingLosses(fold, key, line.sold);
  if (!open && waiting.length === 0) return 0n;
  const sale: RecentSale = {
    line,
    key,
    on: line.sold,
    sequence: fold.sequence++,
    quantity: line.quantity,
    matched: 0n,
    splits: [],
  };
  let borne = 0n;
  for (const loss of waiting) borne += deny(fold, loss, sale, sale.line);
  if (open && sale.matched < sale.quantity) listOf(fold.sales, key).push(sale);
  return borne;
}

function waitingLosses(fold: Fold, key: string, on: Day): OpenLoss[] {
  const waiting = listOf(fold.shortLosses, key).filter(
    (loss) => loss.matched < loss.quantity && on - loss.on <= washDays,
  );
  fold.shortLosses.set(key, waiting);
  return waiting;
}

/** The line of the sale stands: what it bears is a line of its own beside it, with its dates and its term. */
export function deferToEarlierSale(
  fold: Fold,
  loss: Omit<OpenLoss, 'sequence'>,
  sale: RecentSale,
  description: string,
): void {
  const borne = deny(fold, loss, sale, sale.line);
  if (borne === 0n) return;
  fold.facts.push({
    ...sale.line,
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
}

function closedShort(loss: OpenLoss, sale: RecentSale): string {
  return `${sale.line.asset} loss of short sale closed ${formatDay(loss.disposedOn)}, sec. 1091(e)`;
}

function deny(fold: Fold, loss: Omit<OpenLoss, 'sequence'>, sale: RecentSale, line: Disposal): bigint {
  const units = least(loss.quantity - loss.matched, sale.quantity - sale.matched);
  if (units <= 0n) return 0n;
  sale.matched += units;
  return denyUnits(fold, loss, units, { id: line.id, transactionId: line.saleId });
}

/** The denied loss reduces what the new short will have yielded. */
function deferToShort(fold: Fold, loss: OpenLoss, short: OpenShort): void {
  const units = least(loss.quantity - loss.matched, short.quantity - short.used);
  if (units <= 0n) return;
  const disallowed = denyUnits(fold, loss, units, { id: short.id, transactionId: short.openedBy });
  short.used += units;
  short.wholeProceeds -= short.proceedsTaken + disallowed;
  short.proceedsTaken = 0n;
  short.wholeQuantity = short.quantity;
}

function denyUnits(
  fold: Fold,
  loss: Omit<OpenLoss, 'sequence'>,
  units: bigint,
  by: { readonly id: string; readonly transactionId: string },
): bigint {
  loss.matched += units;
  const upTo = divideRounded(loss.loss * loss.matched, loss.quantity);
  const disallowed = upTo - loss.disallowed;
  loss.disallowed = upTo;
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
    permanent: false,
  });
  return disallowed;
}
