import { type Cents, centsToMoney, proportion } from '../../../base/decimal.ts';
import { type Fold, getOrCreatePool, isRetirement, roundCarrying, writeIncome } from '../../book/fold.ts';
import type { DisposeEvent } from '../../events/event.ts';
import { raiseUnknownProceeds } from '../lots/sale-issues.ts';
import { type TakenSlice, take, takeReturned } from '../lots/take.ts';

/** A gain on a personal transaction up to this amount is not recognized (IRC 988(e)(2)(B)). */
const personalGainMax = 20_000n;

/**
 * Foreign currency given for something. The gain or loss on it is ordinary and is listed separately as income (IRC
 * 988(a)(1)). Units without a known cost are money and have no gain. A loss of a personal transaction is not deductible
 * (IRC 165(c), 988(e)(1)). Given or lost units leave without a gain.
 */
export function disposeOfCurrency(fold: Fold, event: DisposeEvent): void {
  const slices = takeCurrency(fold, event);
  if (event.purpose !== 'sale' || isRetirement(fold, event.account)) return;
  if (event.proceeds === null) {
    // A fee of unknown value is missing in the trade. The question about the value of a trade is raised for its other
    // side.
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

function takeCurrency(fold: Fold, event: DisposeEvent): readonly TakenSlice[] {
  if (event.purpose !== 'returned') return take(fold, event, event.account, event.quantity, true).slices;
  // If nothing is held, there is nothing to select: currency paid by mistake had already been spent.
  const holdsAny = getOrCreatePool(fold, event.key, event.account).lots.size > 0;
  return holdsAny ? takeReturned(fold, event).slices : [];
}
