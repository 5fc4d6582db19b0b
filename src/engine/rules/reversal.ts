import { formatDay } from '../../base/day.ts';
import { type Cents, roundToCents } from '../../base/decimal.ts';
import { type Fold, raise } from '../book/fold.ts';
import { dollars, type TransactionEvent } from '../events/event.ts';

/** Raises an issue for a reversal without a matching earlier trade, for the taxpayer to resolve. */
export function reverse(fold: Fold, event: TransactionEvent): void {
  const { tx } = event;
  const what = `${tx.type.replaceAll('_', ' ')} of ${event.asset} on ${formatDay(event.on)}`;
  const detail =
    `The ${what} has a negative amount and so reverses an earlier row, but no earlier row has the same account, quantity ` +
    'and amount. Nothing was changed. Delete this row and the row that it should reverse, or correct them.';
  const amount = dollars(tx, tx.amount);
  raise(fold, event, 'unreconciled', detail, amount === null ? {} : { dollars: -roundToCents(amount) as Cents });
}
