import { addDays, type Day } from '../../base/day.ts';
import type { Quantity } from '../../base/decimal.ts';
import type { Lot, Rules } from '../../engine/model.ts';
import { type Book, openLots } from '../../engine/replay.ts';
import { isReplacedBy } from '../../engine/rules/wash-sales/owners.ts';
import { washDays } from '../../engine/rules/wash-sales/window.ts';

/** What would deny the loss on a sale today: bought in the days of the window, as the books have it. */
export interface Purchase {
  readonly account: string;
  readonly asset: string;
  readonly acquired: Day;
  /** Of what was bought, what no loss has used up (26 CFR 1.1091-1(e)). */
  readonly quantity: Quantity;
  readonly origin: string;
  readonly transactionId: string;
  /** The asset whose loss it would deny, and for how many units of it. */
  readonly denies: string;
  readonly units: bigint;
}

const unit = 10n ** 18n;

/**
 * Retirement accounts and the spouse's included (Rev. Rul. 2008-5; Pub. 550), what is sold already only where it was
 * elected that it replaces (P3): then alone the books keep it.
 */
export function purchasesBefore(books: readonly Book[], today: Day): ReadonlyMap<string, readonly Purchase[]> {
  const since = addDays(today, -washDays);
  const purchases = books.flatMap((book) => [...heldSince(book, since), ...soldSince(book, since, today)]);
  return Map.groupBy(purchases, (purchase) => purchase.denies);
}

/** Those that replace the shares of a lot: not what is left of its own purchase (Rev. Rul. 56-602), nor others' left out (P2). */
export function replacing(
  purchases: readonly Purchase[],
  lot: Lot,
  origin: string | undefined,
  rules: Rules,
): readonly Purchase[] {
  return purchases.filter(
    (purchase) => purchase.origin !== origin && isReplacedBy(rules, lot.account, purchase.account),
  );
}

/** The purchases that lots stem from, by the names of the lots. */
export function originsOf(books: readonly Book[]): ReadonlyMap<string, string> {
  return new Map(
    books.flatMap((book) => book.pools.flatMap((pool) => pool.lots.map((lot) => [lot.id, lot.origin] as const))),
  );
}

function heldSince(book: Book, since: Day): Purchase[] {
  const told = new Map(openLots(book).map((lot) => [lot.id, lot.account]));
  return book.pools.flatMap((pool) =>
    pool.lots.flatMap((lot): Purchase[] => {
      const free = lot.quantity - lot.used;
      if (lot.purchasedOn === null || lot.purchasedOn < since || free <= 0n) return [];
      const own: Purchase = {
        account: told.get(lot.id) ?? lot.account,
        asset: lot.asset,
        acquired: lot.purchasedOn,
        quantity: free as Quantity,
        origin: lot.origin,
        transactionId: lot.openedBy,
        denies: lot.key,
        units: free,
      };
      if (lot.right !== 'call' || lot.underlyingKey === null) return [own];
      // A contract to buy is a purchase of what it is on (IRC 1091(a)).
      return [own, { ...own, denies: lot.underlyingKey, units: (free * (lot.shares ?? unit)) / unit }];
    }),
  );
}

/** Shares sold on the very day replace nothing (Rev. Rul. 56-602). */
function soldSince(book: Book, since: Day, today: Day): Purchase[] {
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
