import { type Day, formatDay } from '../base/day.ts';
import type { OpenLoss, OpenLot, SoldPurchase } from './book.ts';
import { type Fold, type LossPiece, listOf } from './fold.ts';
import type { Disposal, Rules } from './model.ts';
import { deferToEarlierSale } from './short-losses.ts';
import { washDays } from './window.ts';

/** Which purchases replace what was sold at a loss, as far as the taxpayer elects it (DOMAIN.md section 9, P2 and P3). */

/**
 * Whether what is bought in one account replaces what was sold in the other. Whoever sells and buys alone is not asked;
 * purchases of an IRA (Rev. Rul. 2008-5) and of a spouse (Pub. 550) count unless the taxpayer leaves them out.
 */
export function isReplacedBy(rules: Rules, lossAccount: string, lotAccount: string): boolean {
  const { washAccounts } = rules;
  if (washAccounts === undefined || lossAccount === lotAccount) return true;
  const seller = rules.accounts[lossAccount]?.type ?? 'taxable';
  const buyer = rules.accounts[lotAccount]?.type ?? 'taxable';
  if (seller === buyer) return true;
  return [seller, buyer].every((type) => type === 'taxable' || washAccounts.includes(type));
}

/** Remembers what of a sale was bought within the window of losses to come. */
export function rememberSold(fold: Fold, lot: OpenLot, line: Disposal, used: bigint): void {
  if (fold.rules.washSoldBefore !== 'include' || lot.purchasedOn === null) return;
  if (line.sold - lot.purchasedOn > washDays || used >= line.quantity) return;
  listOf(fold.soldPurchases, lot.key).push({
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

/** Purchases before a loss that were sold on a day before it, in the order of purchase. */
export function soldReplacements(fold: Fold, loss: LossPiece): readonly SoldPurchase[] {
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

/** The loss joins the basis of what was bought until a day and is sold already: in a line of its own beside that sale's. */
export function bearOnSold(
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
