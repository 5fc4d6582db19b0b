import { type Money, type Quantity, roundToCents } from '../../../base/decimal.ts';
import { createAllocator } from '../../book/amounts.ts';
import type { Fold, Pool } from '../../book/fold.ts';
import { dollars, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { raiseUnreadable } from '../lots/sale-issues.ts';
import { dispose } from '../sales/sale.ts';
import { boughtLot } from '../short-sales/delivery.ts';
import { closeWithBought, shortsToClose } from '../short-sales/shorts.ts';
import {
  listAffectedShorts,
  raiseNothingHeld,
  sortShortsByAccount,
  sumQuantities,
  sumUnitsShort,
} from './corporate-actions.ts';

/**
 * Applies a merger for cash alone, which is a sale of the holdings. A short seller owes the cash that the lender would
 * have received, and paying it ends the short (26 CFR 1.1233-1(a)(1)). The amount of the row is the proceeds of the
 * holdings, and each unit short costs what each unit held receives. If nothing is held, the amount is the cost of
 * ending the shorts.
 */
export function cashOut(fold: Fold, event: TransactionEvent, pools: readonly Pool[], held: bigint): void {
  const accounts = accountsShort(fold, event);
  const amount = dollars(event.tx, event.tx.amount);
  if (pools.length === 0 && accounts.length === 0) {
    raiseNothingHeld(fold, event, amount === null ? null : roundToCents(amount));
    return;
  }
  sellOut(fold, event, pools, held);
  const deal = costOfShorts(
    event,
    held,
    accounts.reduce((units, { quantity }) => units + quantity, 0n),
  );
  for (const [at, { account, quantity }] of accounts.entries()) {
    const accountEvent = { ...event, account, ordinal: pools.length + at };
    if (amount === null) raiseUnreadable(fold, accountEvent, 'amount');
    const basis = deal(quantity);
    closeWithBought(fold, accountEvent, shortsToClose(fold, accountEvent, quantity), {
      quantity,
      basis,
      lossBasis: null,
      notOnForm: undefined,
      lot: { ...boughtLot(accountEvent, quantity, basis), basisUnknown: amount === null },
      owned: false,
      identified: 'default',
    });
  }
}

/**
 * Charges short sellers the cash that a merger pays in addition to new shares, because they owe it to the lender. It is
 * a capital expenditure (Rev. Rul. 72-521), so it reduces the proceeds of the short when it is closed.
 */
export function payOnShorts(fold: Fold, event: TransactionEvent, held: bigint): void {
  const shorts = sortShortsByAccount(listAffectedShorts(fold, event));
  const deal = costOfShorts(event, held, sumUnitsShort(shorts));
  for (const short of shorts) short.wholeProceeds -= deal(short.quantity);
}

/**
 * Returns the cost of units short, in cents: the same amount per unit as for units held. If nothing is held, the amount
 * of the row is everything that was paid.
 */
function costOfShorts({ tx }: TransactionEvent, held: bigint, owed: bigint): (units: bigint) => bigint {
  const paid = (dollars(tx, tx.amount) ?? 0n) + (held === 0n ? tradeFee(tx) : 0n);
  return createAllocator(roundToCents(paid as Money), held === 0n ? owed : held);
}

/** Returns the accounts that are short the asset, with their quantities, sorted by name. */
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
  const deal = createAllocator(proceeds ?? 0n, total);
  pools.forEach((pool, index) => {
    const quantity = sumQuantities([pool]) as Quantity;
    const share = proceeds === null ? null : (deal(quantity) as Money);
    const head = { ...event, ordinal: index, account: pool.account };
    dispose(fold, { ...head, kind: 'dispose', quantity, proceeds: share, purpose: 'sale', fromReceived: false });
  });
}
