import { type Money, type Quantity, roundToCents } from '../../../base/decimal.ts';
import { dealer } from '../../book/amounts.ts';
import type { Fold, Pool } from '../../book/fold.ts';
import { dollars, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { dispose } from '../sales/sale.ts';
import { boughtLot } from '../short-sales/delivery.ts';
import { closeWithBought, shortsToClose } from '../short-sales/shorts.ts';
import { quantityOf, raiseNothingHeld } from './corporate-actions.ts';

/**
 * A merger for cash alone. It is a sale of what is held. Who is short owes the cash that the lender would have been
 * paid: that ends the short (26 CFR 1.1233-1(a)(1)). The amount is what the holdings brought, and each unit short cost
 * as much as a unit held brought. Where nothing is held, it is what ending the shorts cost.
 */
export function cashOut(fold: Fold, event: TransactionEvent, pools: readonly Pool[], held: bigint): void {
  const accounts = accountsShort(fold, event);
  if (pools.length === 0 && accounts.length === 0) {
    raiseNothingHeld(fold, event);
    return;
  }
  sellOut(fold, event, pools, held);
  const amount = dollars(event.tx, event.tx.amount);
  const cost = roundToCents(((amount ?? 0n) + (held === 0n ? tradeFee(event.tx) : 0n)) as Money);
  const deal = dealer(cost, held === 0n ? accounts.reduce((units, { quantity }) => units + quantity, 0n) : held);
  for (const [at, { account, quantity }] of accounts.entries()) {
    const own = { ...event, account, ordinal: pools.length + at };
    if (amount === null) raiseUnreadable(fold, own, 'The amount');
    const basis = deal(quantity);
    closeWithBought(fold, own, shortsToClose(fold, own, quantity), {
      quantity,
      basis,
      lossBasis: null,
      notOnForm: undefined,
      lot: { ...boughtLot(own, quantity, basis), basisUnknown: amount === null },
      owned: false,
      identified: 'default',
    });
  }
}

/** The accounts that are short of the asset, with how much, by name. */
function accountsShort(fold: Fold, event: TransactionEvent): { readonly account: string; readonly quantity: bigint }[] {
  const shorts = (fold.shorts.get(event.key) ?? []).filter(
    (short) => event.account === '' || short.account === event.account,
  );
  return [...Map.groupBy(shorts, (short) => short.account)]
    .map(([account, own]) => ({ account, quantity: own.reduce((units, short) => units + short.quantity, 0n) }))
    .sort((a, b) => (a.account < b.account ? -1 : 1));
}

function sellOut(fold: Fold, event: TransactionEvent, pools: readonly Pool[], total: bigint): void {
  const amount = dollars(event.tx, event.tx.amount);
  const proceeds = amount === null ? null : ((amount - tradeFee(event.tx)) as Money);
  const deal = dealer(proceeds ?? 0n, total);
  pools.forEach((pool, index) => {
    const quantity = quantityOf([pool]) as Quantity;
    const share = proceeds === null ? null : (deal(quantity) as Money);
    const head = { ...event, ordinal: index, account: pool.account };
    dispose(fold, { ...head, kind: 'dispose', quantity, proceeds: share, purpose: 'sale', fromReceived: false });
  });
}
