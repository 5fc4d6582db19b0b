import { formatDay } from '../../../base/day.ts';
import { formatQuantity, type Quantity, zeroMoney } from '../../../base/decimal.ts';
import { type Fold, getOrCreatePool, isRetirement, noteTransaction, raise, roundCarrying } from '../../book/fold.ts';
import { addLot, type Slice } from '../../book/lots.ts';
import { openLot } from '../../book/opening.ts';
import { transitPrefix } from '../../book/own-accounts.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import { zeroBasis } from '../lots/sale-issues.ts';

/**
 * Returns whether a transfer is a distribution in kind from an IRA, an HSA or a 401(k). It is income at its value (IRC
 * 408(d)(1)), which Form 1099-R reports and these books do not. The taxpayer's basis is that value, and the holding
 * period starts on that day. The cost and dates in the account do not matter.
 */
export function isDistribution(fold: Fold, from: string, to: string): boolean {
  return isRetirement(fold, from) && !isRetirement(fold, to) && !to.startsWith(transitPrefix);
}

/** Opens the lot of the units that arrived. `taken` contains the lots that leave the account. */
export function distribute(
  fold: Fold,
  event: TransactionEvent,
  to: string,
  quantity: bigint,
  taken: readonly Slice[],
): void {
  const value = dollars(event.tx, event.tx.fmv);
  if (value === null) raiseUnvalued(fold, event, quantity);
  const { shares = null, underlyingKey = null, right = null } = taken[0]?.lot ?? {};
  const { tx, ordinal, on, at, key, asset, assetClass } = event;
  const option = { shares: shares as Quantity | null, underlyingKey, right };
  const lot = openLot(
    {
      ...{ tx, ordinal, on, at, key, asset, assetClass },
      ...option,
      quantity: quantity as Quantity,
      used: 0n as Quantity,
      cost: value,
      acquired: on,
      heldSince: on,
      inherited: false,
      purchasedOn: null,
      coveredFrom: null,
    },
    {
      account: to,
      basis: roundCarrying(fold, `basis ${key}`, value ?? zeroMoney),
      lossBasis: null,
      sequence: fold.sequence++,
      origin: null,
    },
  );
  const pool = getOrCreatePool(fold, key, to);
  noteTransaction(pool, tx.id);
  addLot(fold, pool, lot);
}

function raiseUnvalued(fold: Fold, event: TransactionEvent, quantity: bigint): void {
  const detail =
    `${formatQuantity(quantity as Quantity)} ${event.asset} left a tax-free account on ${formatDay(event.on)}. Their value on that day is ` +
    `their basis (IRC 408(d)(1)), and it is not stated. ${zeroBasis}`;
  raise(fold, event, 'value_missing', detail, { units: quantity });
}
