import { formatDay } from '../base/day.ts';
import { type Cents, type Money, roundToCents, zeroMoney } from '../base/decimal.ts';
import { earn } from './acquire.ts';
import { type Act, dollars, tradeFee } from './event.ts';
import { type Fold, poolOf, raise } from './fold.ts';
import { carve, remainingBasis } from './lots.ts';
import { lotOrders } from './methods.ts';
import { forgetPut } from './puts.ts';
import { lotAccountOf } from './take.ts';

/**
 * A broker's correction that takes a purchase back: the latest whole lot of that quantity and cost goes as if it had
 * never come. A sale is not taken back like that, since other sales may rest on it: the taxpayer is asked.
 */
export function reverse(fold: Fold, event: Act): void {
  const { tx } = event;
  const amount = dollars(tx, tx.amount) ?? zeroMoney;
  const pool = poolOf(fold, event.key, lotAccountOf(fold.rules, event.assetClass, event.account, event.on));
  const cost = roundToCents((tradeFee(tx) - amount) as Money);
  const taken = [...pool.lots.values()].sort(lotOrders.LIFO).find(
    (lot) =>
      pool.average === null &&
      lot.quantity === tx.quantity &&
      lot.quantity === lot.wholeQuantity &&
      remainingBasis(lot) === cost &&
      !lot.adjusted,
  );
  if (taken !== undefined && (tx.type === 'buy' || tx.type === 'buy_to_open' || tx.type === 'reinvest')) {
    forgetPut(fold, taken);
    carve(pool, taken, taken.quantity);
    if (tx.type === 'reinvest') earn(fold, { ...event, kind: 'income', amount });
    return;
  }
  const what = `${tx.type.replaceAll('_', ' ')} of ${event.asset} on ${formatDay(event.on)}`;
  const detail = `The ${what} has a negative amount, so it takes an earlier row back; which one is not clear. Nothing was changed: delete both rows, or correct them.`;
  raise(fold, event, 'unreconciled', detail, {
    dollars: -roundToCents(amount) as Cents,
  });
}
