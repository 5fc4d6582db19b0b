import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { findLabelType, type Kinds } from '../tables/kinds.ts';
import { readMovement } from '../tables/movements.ts';
import { checkPairPrice, readPairTrade, readUnits } from '../tables/pairs.ts';

/**
 * Reads Voyager tax reports until 2022: purchases, sales, deposits and withdrawals, valued in dollars. A transfer's
 * value (`net_amount` in a deposit or withdrawal that is not income) is not income. Times are UTC.
 */
export const voyager = coinFormat({ id: 'voyager', name: 'Voyager transactions', source: 'Voyager' }, [
  {
    id: 'transactions',
    header: `transaction_date | transaction_id | transaction_direction | transaction_type | base_asset |
      quote_asset | quantity | net_amount | price`,
    read: readRow,
  },
]);

const words: Kinds = [
  [/reward/, 'reward'],
  [/interest/, 'interest'],
  [/^fee$/, 'fee'],
];

function readRow(cells: Cells): Outcome {
  const base = readUnits(cells, 'quantity', cells.text('base_asset'));
  const time = cells.time('transaction_date');
  const common = { externalId: cells.text('transaction_id') };
  const direction = cells.text('transaction_direction').toLowerCase();
  if (direction === 'buy' || direction === 'sell') {
    const quote = readUnits(cells, 'net_amount', cells.text('quote_asset'));
    checkPairPrice(cells, 'price', base, quote);
    return readPairTrade(cells, time, 'transaction_direction', { base, quote, fee: null }, common);
  }
  if (direction !== 'deposit' && direction !== 'withdrawal')
    return cells.rejected('transaction_direction', rejections.unknownDirection);
  cells.need('quantity', base);
  const kind = findLabelType(cells.text('transaction_type').toLowerCase(), words);
  const worth = kind === null ? null : cells.roundedMoney('net_amount');
  const sides = direction === 'deposit' ? { given: null, received: base } : { given: base, received: null };
  return readMovement(cells, time, { ...sides, kind, worth }, common);
}
