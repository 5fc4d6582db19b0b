import { formatDay } from '../../../base/day.ts';
import { type Cents, formatQuantity, type Quantity } from '../../../base/decimal.ts';
import { most } from '../../book/amounts.ts';
import { type Fold, getOrCreatePool, isRetirement, raise } from '../../book/fold.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import type { DisposeEvent } from '../../events/event.ts';
import { sum } from '../lots/holding-periods.ts';
import { resolveLotAccount } from '../lots/take.ts';
import { boughtLot } from './delivery.ts';
import { closeWithBought, shortsToClose } from './shorts.ts';

/**
 * Closes shorts of property that becomes worthless. The gain is recognized "in the same manner as if the short sale
 * were closed when the property becomes substantially worthless" (IRC 1233(h)(1)). The units of the row are first those
 * that the account holds, then those that it owes. The gain has the date of the row, although holdings count as sold at
 * the end of the year. Returns the number of units that closed shorts.
 */
export function closeWorthless(fold: Fold, event: DisposeEvent): bigint {
  const { tx } = event;
  const pool = getOrCreatePool(
    fold,
    event.key,
    resolveLotAccount(fold.rules, event.assetClass, event.account, event.on),
  );
  const row = { ...event, kind: 'cover', ordinal: 1, on: tx.on, at: null } as const;
  const owed = most(0n, event.quantity - sum(pool.lots.values()));
  const closing = shortsToClose(fold, row, owed).filter(({ short }) => short.on <= tx.on);
  const quantity = sum(closing);
  if (quantity === 0n) return 0n;
  closeWithBought(fold, row, closing, {
    quantity,
    basis: 0n,
    lossBasis: null,
    notOnForm: undefined,
    lot: boughtLot(row, quantity, 0n),
    owned: false,
    identified: 'default',
  });
  return quantity;
}

/** Raises issues about shorts of worthless property that no row closes. */
export function raiseShortOfWorthless(fold: Fold, event: DisposeEvent): void {
  const open = (fold.shorts.get(event.key) ?? []).filter(
    ({ account, quantity }) =>
      quantity > 0n && !isRetirement(fold, account) && !isOnOtherReturn(fold.rules, account, event.on),
  );
  for (const [account, shorts] of Map.groupBy(open, (short) => short.account)) {
    const action = `short of worthless ${event.key} ${account}`;
    if (fold.actionsToday.has(action)) continue;
    fold.actionsToday.add(action);
    const dollars = shorts.reduce((cents, short) => cents + short.wholeProceeds - short.proceedsTaken, 0n) as Cents;
    const detail =
      `${event.asset} became worthless on ${formatDay(event.tx.on)}, and ${account} is still short ` +
      `${formatQuantity(sum(shorts) as Quantity)}. The proceeds of a short sale of worthless property are a gain of that day (IRC 1233(h)). ` +
      `Add a row for ${account} that states that it became worthless.`;
    raise(fold, event, 'unreconciled', detail, {
      account,
      dollars,
      transactions: shorts.map((short) => short.openedBy),
      suffix: 'short',
    });
  }
}
