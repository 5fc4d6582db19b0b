import { addDays, type Day } from '../../../base/day.ts';
import type { Quantity } from '../../../base/decimal.ts';
import { washDays } from '../../../engine/events/wash-window.ts';
import type { Lot, Rules } from '../../../engine/model.ts';
import { type Book, openLots } from '../../../engine/replay.ts';
import { isReplacedBy } from '../../../engine/rules/wash-sales/owners.ts';

/** A purchase in the wash sale window that would disallow a loss on a sale today. */
export interface Purchase {
  readonly account: string;
  readonly asset: string;
  readonly acquired: Day;
  /** Units that are not yet matched with an earlier loss (26 CFR 1.1091-1(e)). */
  readonly quantity: Quantity;
  readonly origin: string;
  readonly transactionId: string;
  /** The asset whose loss the purchase would disallow, and for how many units. */
  readonly denies: string;
  readonly units: bigint;
}

const unit = 10n ** 18n;

/**
 * Groups the purchases in the window by the asset whose loss they would disallow. Includes purchases in retirement
 * accounts and by the spouse (Rev. Rul. 2008-5; Pub. 550). Includes units that have been sold since only if the
 * taxpayer elected it (P3), because only then do the books keep them.
 */
export function purchasesBefore(books: readonly Book[], today: Day): ReadonlyMap<string, readonly Purchase[]> {
  const since = addDays(today, -washDays);
  const purchases = books.flatMap((book) => [
    ...listHeldPurchases(book, since),
    ...listSoldPurchases(book, since, today),
  ]);
  return Map.groupBy(purchases, (purchase) => purchase.denies);
}

/**
 * Returns the purchases that replace the shares of a lot. Excludes the lot's own purchase (Rev. Rul. 56-602) and
 * purchases in accounts that are left out (P2).
 */
export function replacementsFor(
  purchases: readonly Purchase[],
  lot: Lot,
  origin: string | undefined,
  rules: Rules,
): readonly Purchase[] {
  return purchases.filter(
    (purchase) => purchase.origin !== origin && isReplacedBy(rules, lot.account, purchase.account),
  );
}

/** Maps lot ids to the purchases that the lots originate from. */
export function mapLotOrigins(books: readonly Book[]): ReadonlyMap<string, string> {
  return new Map(
    books.flatMap((book) => book.pools.flatMap((pool) => pool.lots.map((lot) => [lot.id, lot.origin] as const))),
  );
}

function listHeldPurchases(book: Book, since: Day): Purchase[] {
  const accounts = new Map(openLots(book).map((lot) => [lot.id, lot.account]));
  return book.pools.flatMap((pool) =>
    pool.lots.flatMap((lot): Purchase[] => {
      const free = lot.quantity - lot.used;
      if (lot.purchasedOn === null || lot.purchasedOn < since || free <= 0n) return [];
      const purchase: Purchase = {
        account: accounts.get(lot.id) ?? lot.account,
        asset: lot.asset,
        acquired: lot.purchasedOn,
        quantity: free as Quantity,
        origin: lot.origin,
        transactionId: lot.openedBy,
        denies: lot.key,
        units: free,
      };
      if (lot.right !== 'call' || lot.underlyingKey === null) return [purchase];
      // A call option also counts as a purchase of its underlying stock (IRC 1091(a)).
      return [purchase, { ...purchase, denies: lot.underlyingKey, units: (free * (lot.shares ?? unit)) / unit }];
    }),
  );
}

/**
 * Returns purchases whose units have been sold since. Excludes units sold today, because shares sold on the day of the
 * loss do not replace (Rev. Rul. 56-602).
 */
function listSoldPurchases(book: Book, since: Day, today: Day): Purchase[] {
  return book.soldPurchases.flatMap((sale): Purchase[] => {
    const free = sale.quantity - sale.matched;
    if (sale.purchasedOn < since || sale.on >= today || free <= 0n) return [];
    return [
      {
        account: sale.line.account,
        asset: sale.line.asset,
        acquired: sale.purchasedOn,
        quantity: free as Quantity,
        origin: sale.origin,
        transactionId: sale.line.lotId.split('/')[0] ?? '',
        denies: sale.key,
        units: free,
      },
    ];
  });
}
