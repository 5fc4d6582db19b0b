import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass, Transaction } from '../../../../src/engine/model.ts';
import type { OracleEvent } from '../../events/events.ts';
import { type Exact, least, nothing, sum, units } from '../../numbers.ts';
import {
  isRetirement,
  type OracleLot,
  placeOf,
  raise,
  remaining,
  type Slice,
  type State,
  universal,
} from '../../state.ts';
import { heldLots, isLate, methodFor, sorted, takerOf } from './lots.ts';
import { isUnknownToBroker, orderFor } from './orders.ts';

export interface LotRequest {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string;
  readonly quantity: Exact;
  /** Rows may name lots only for the disposal of their own asset, not for a fee in another asset. */
  readonly named: Transaction['lots'];
  /** The acquisition day that a form states for the lots. */
  readonly acquired?: Day | null;
}

/**
 * Takes the requested quantity from the named lots, then by the method, then from units of the universal pool that were
 * not allocated to a wallet. The last slice has no lot if too little was held.
 */
export function takeLots(state: State, event: OracleEvent, wanted: LotRequest): Slice[] {
  const { on, transaction } = event;
  const { account, asset, assetClass, named } = wanted;
  const order = orderFor(state.rules, wanted, on, event.timed ? transaction.at : null);
  const elected = order.inTime ?? methodFor(state, account, assetClass, on);
  const unknown = isUnknownToBroker(state.rules, wanted, on, order.toldBroker);
  const method = unknown ? 'FIFO' : elected;
  const held = (): OracleLot[] => heldLots(state, placeOf(state, account, assetClass, on), asset, assetClass);
  const averaged = method === 'AVERAGE';
  const taker = takerOf(state, wanted, on, method);
  const slices: Slice[] = [];
  let left = wanted.quantity;
  const take = (lots: readonly OracleLot[], most: Exact): void => {
    const taken = taker.take(lots, least(most, left));
    slices.push(...taken);
    left = left.minus(sum(taken.map(({ quantity }) => quantity)));
  };
  const unallocated = (): OracleLot[] => {
    if (isRetirement(state, account) || placeOf(state, account, assetClass, on) === universal) return [];
    return heldLots(state, universal, asset, assetClass);
  };
  // Until unused basis is allocated, it is unknown which units leave a wallet (Rev. Proc. 2024-28, section 5.02).
  if (left.gt(0) && unallocated().length > 0) raise(state, transaction.id, 'unreconciled');
  // Averaged shares are sold in the order of acquisition, even if other lots are named (1.1012-1(e)(7)(ii)).
  if (!averaged && wanted.acquired != null) {
    const ofDay = held().filter((lot) => lot.acquired === wanted.acquired);
    // Units that the form's row itself states as bought come first.
    const isOther = (lot: OracleLot): number => Number(lot.transactionId !== transaction.id);
    take(
      sorted(ofDay, 'FIFO').sort((a, b) => isOther(a) - isOther(b)),
      left,
    );
    // If all remaining units are sold anyway, there is nothing to choose.
    if (left.gt(0) && sum(held().map(remaining)).gt(left)) raise(state, transaction.id, 'lot_not_found');
  }
  // In that case, an identification that is only in the taxpayer's books has no effect.
  const choices = averaged || unknown ? [] : named;
  if (unknown && left.gt(0) && (named.length > 0 || elected !== 'FIFO'))
    raise(state, transaction.id, 'identified_late');
  const late = choices.length > 0 && isLate(state.rules, event, assetClass);
  if (late) raise(state, transaction.id, 'identified_late');
  if (!late || state.rules.lateIdentification === 'accepted') {
    for (const choice of choices) {
      const asked = least(units(choice.quantity), left);
      const before = left;
      const lots = sorted(held(), 'FIFO').filter((lot) => lot.label === choice.label);
      take(lots, asked);
      const pooled = sorted(unallocated(), 'FIFO').filter((lot) => lot.label === choice.label);
      take(pooled, asked.minus(before.minus(left)));
      if (before.minus(left).lt(asked)) raise(state, transaction.id, 'lot_not_found');
    }
  }
  if (left.gt(0) && order.late && !unknown) raise(state, transaction.id, 'identified_late');
  take(sorted(held(), method), left);
  taker.dealt();
  take(sorted(unallocated(), method), left);
  if (left.gt(0))
    slices.push({
      lot: null,
      source: null,
      quantity: left,
      basis: nothing,
      hidden: nothing,
      lossBasis: null,
      used: nothing,
    });
  return slices;
}
