import { tradeFee } from './acquire.ts';
import type { OracleEvent } from './events.ts';
import { heldLots } from './lots.ts';
import { cents, dollars, units } from './numbers.ts';
import { basisLeft, isRetirement, placeOf, raise, type State } from './state.ts';

/**
 * A broker's correction: the latest untouched purchase of that quantity and cost goes as if it had never come. Which
 * sale is meant, and what rests on it, no row says: nothing changes and the taxpayer is asked.
 */
export function reverse(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { type, asset, assetClass, account } = transaction;
  const cost = cents(tradeFee(event).minus(dollars(transaction.amount)));
  const taken = heldLots(state, placeOf(state, account, assetClass, on), asset, assetClass)
    .filter((lot) => lot.taken.isZero() && lot.whole.equals(units(transaction.quantity)) && !lot.washed)
    .filter((lot) => basisLeft(lot).equals(cost))
    .sort((a, b) => a.order - b.order)
    .at(-1);
  // What has been averaged has no cost of its own any more, even where the two are equal.
  const averaged = [true, false].some((covered) => state.averages.has(JSON.stringify([account, asset, covered])));
  if (averaged || taken === undefined || !['buy', 'buy_to_open', 'reinvest'].includes(type)) {
    raise(state, transaction.id, 'unreconciled');
    return;
  }
  state.lots = state.lots.filter((lot) => lot !== taken);
  state.puts = state.puts.filter((put) => put.origin !== taken.origin);
  // The dividend that a reinvestment had paid is taken back with it.
  if (type !== 'reinvest' || isRetirement(state, account)) return;
  state.incomes.push({ type, on, amount: dollars(transaction.amount) });
}
