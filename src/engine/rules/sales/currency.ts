import { type Cents, centsToMoney, proportion } from '../../../base/decimal.ts';
import { type Fold, getOrCreatePool, isRetirement, roundCarrying, writeIncome } from '../../book/fold.ts';
import type { Slice } from '../../book/lots.ts';
import type { DisposeEvent } from '../../events/event.ts';
import { raiseUnknownProceeds } from '../lots/sale-issues.ts';
import { take, takeReturned } from '../lots/take.ts';

/** The largest gain on a personal transaction that is not recognized, in cents (IRC 988(e)(2)(B)). */
const personalGainMax = 20_000n;

/**
 * Disposes of foreign currency. The gain or loss is ordinary and is listed separately as income (IRC 988(a)(1)). Units
 * without a known cost are treated as cash and have no gain. A loss on a personal transaction is not deductible (IRC
 * 165(c), 988(e)(1)). Units that were given away or lost are removed without a gain.
 */
export function disposeOfCurrency(fold: Fold, event: DisposeEvent): void {
  const slices = takeCurrency(fold, event);
  if (event.purpose !== 'sale' || isRetirement(fold, event.account)) return;
  if (event.proceeds === null) {
    // If the value of a fee is unknown, so is the value of its trade. The issue about the value of a trade is raised
    // for the other asset of the trade.
    if (event.ordinal === 2 || (event.tx.type !== 'trade' && slices.length > 0)) raiseUnknownProceeds(fold, event);
    return;
  }
  if (slices.length === 0) return;
  const held = slices.reduce((units, slice) => units + slice.quantity, 0n);
  const basis = slices.reduce((cents, slice) => cents + slice.basis, 0n);
  const proceeds = roundCarrying(fold, `proceeds ${event.key}`, event.proceeds);
  const gain = proportion(proceeds, held, event.quantity) - basis;
  if (gain === 0n || (event.tx.type === 'spend' && gain <= personalGainMax)) return;
  writeIncome(fold, event, {
    type: 'currency_gain',
    amount: centsToMoney(gain as Cents),
    id: `${event.tx.id}/${event.ordinal}.988`,
  });
}

function takeCurrency(fold: Fold, event: DisposeEvent): readonly Slice[] {
  if (event.purpose !== 'returned') return take(fold, event, event.account, event.quantity, true).slices;
  // If nothing is held, there is nothing to select, because currency paid by mistake had already been spent.
  const holdsAny = getOrCreatePool(fold, event.key, event.account).lots.size > 0;
  return holdsAny ? takeReturned(fold, event).slices : [];
}
