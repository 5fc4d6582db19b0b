import type { OracleEvent } from '../../events/events.ts';
import { cents, dollars, units } from '../../numbers.ts';
import { dropEmpty, placeOf, raise, remaining, type Slice, type State, takeFrom } from '../../state.ts';
import { restartedBySale } from '../lots/holding-periods.ts';
import { heldLots, methodFor, settleAverages } from '../lots/lots.ts';
import { orderFor } from '../lots/orders.ts';
import { takeLots } from '../lots/take.ts';
import { closePuts } from '../short-sales/puts.ts';
import { tradeFee } from './acquire.ts';

/**
 * Reverses income. Income paid by mistake remains income in its year (North American Oil v. Burnet, 286 U.S. 417). The
 * repayment is negative income, and income in kind is repaid at the value that was taxed.
 */
export function takeBack(state: State, event: OracleEvent): void {
  const { transaction, on } = event;
  const { asset, assetClass, account } = transaction;
  const quantity = units(transaction.quantity);
  const place = placeOf(state, account, assetClass, on);
  const value = cents(dollars(transaction.amount).minus(tradeFee(event))).neg();
  const order = orderFor(state.rules, { account, asset }, on, event.timed ? transaction.at : null);
  const method = order.inTime ?? methodFor(state, account, assetClass, on);
  const lot = heldLots(state, place, asset, assetClass)
    .filter((one) => remaining(one).equals(quantity) && one.whole.equals(quantity))
    .filter((one) => one.basis.minus(value).abs().lte('0.01'))
    .sort((a, b) => b.order - a.order)[0];
  const slices: Slice[] = [];
  if (lot !== undefined && method !== 'AVERAGE') {
    settleAverages(state, (one, of) => one !== place || of !== asset);
    slices.push(takeFrom(lot, quantity));
  } else {
    raise(state, transaction.id, 'lot_not_found');
    slices.push(...takeLots(state, event, { asset, assetClass, account, quantity, named: [] }));
  }
  restartedBySale(state, { asset, assetClass, account, on }, slices);
  closePuts(state, event, slices);
  dropEmpty(state);
  if (assetClass !== 'currency' && slices.some((slice) => slice.lot === null)) raise(state, transaction.id, 'oversold');
}
