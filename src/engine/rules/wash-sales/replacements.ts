import { type Day, formatDay } from '../../../base/day.ts';
import type { OpenLoss, OpenLot, SoldPurchase } from '../../book/book.ts';
import type { Fold, SliceLoss } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { washDays } from '../../events/wash-window.ts';
import type { Disposal } from '../../model.ts';
import { isReplacedBy } from './owners.ts';
import { deferToEarlierSale } from './short-losses.ts';

/**
 * Records units of a sale that were bought within the window of later losses, if the taxpayer elected that such
 * purchases replace a loss (DECISIONS.md, P3).
 */
export function rememberSold(fold: Fold, lot: OpenLot, line: Disposal, used: bigint): void {
  if (fold.rules.washSoldBefore !== 'include' || lot.purchasedOn === null) return;
  if (line.sold - lot.purchasedOn > washDays || used >= line.quantity) return;
  getOrCreateList(fold.soldPurchases, lot.key).push({
    line,
    key: lot.key,
    on: line.sold,
    sequence: fold.sequence++,
    quantity: line.quantity - used,
    matched: 0n,
    splits: [],
    purchasedOn: lot.purchasedOn,
    origin: lot.origin,
  });
}

const none: readonly SoldPurchase[] = [];

/** Returns purchases before a loss that were sold on an earlier day than the loss, in the order of purchase. */
export function soldReplacements(fold: Fold, loss: SliceLoss): readonly SoldPurchase[] {
  if (fold.soldPurchases.size === 0) return none;
  const sold = fold.soldPurchases.get(loss.key) ?? none;
  return sold
    .filter(
      (sale) =>
        sale.matched < sale.quantity &&
        sale.on < loss.on &&
        loss.on - sale.purchasedOn <= washDays &&
        sale.origin !== loss.origin &&
        isReplacedBy(fold.rules, loss.account, sale.line.account),
    )
    .sort((a, b) => a.purchasedOn - b.purchasedOn || a.sequence - b.sequence);
}

/** Adds the loss to the basis of such purchases up to a day, as a separate line next to the line of their sale. */
export function addLossToSold(
  fold: Fold,
  loss: Omit<OpenLoss, 'sequence'>,
  sold: readonly SoldPurchase[],
  until: Day,
): void {
  for (const sale of sold) {
    if (sale.purchasedOn > until || loss.matched >= loss.quantity) return;
    const description = `${sale.line.asset} loss of sale on ${formatDay(loss.disposedOn)}, sec. 1091(d)`;
    deferToEarlierSale(fold, loss, sale, description);
  }
}
