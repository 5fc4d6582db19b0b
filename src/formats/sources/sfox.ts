import type { Cells } from '../cells/cells.ts';
import { plainDate } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { readCoinChange } from '../tables/coin-changes.ts';
import { type Kinds, kindIn } from '../tables/kinds.ts';
import { sideOf } from '../tables/legs.ts';
import { pricedSide, readPairTrade, unitsOf } from '../tables/pairs.ts';
import { formatOfTables } from '../tables/tables.ts';

/** sFOX's orders: the principal before the fees; and its transactions. Dates read `Thu Jan 02 2020 10:00:00 GMT+0000 (…)`. */
export const sFox = formatOfTables({ id: 'sfox', name: 'sFOX orders and transactions', source: 'sFOX' }, [
  {
    id: 'orders',
    required: [
      'OrderId',
      'OrderDate',
      'Action',
      'AssetPair',
      'Quantity',
      'Asset',
      'UnitPrice',
      'PriceCurrency',
      'PrincipalAmount',
      'Fees',
      'Total',
    ],
    read: readOrder,
  },
  {
    id: 'transactions',
    required: [
      'id',
      'Date',
      'Action',
      'Quantity',
      'Target Currency',
      'Price',
      'Source Currency',
      'Fees',
      'Status',
      'Trader',
    ],
    read: readTransaction,
  },
]);

const moves: Kinds = [
  ['deposit', 'deposit'],
  [/^withdraw(?:al)?$/, 'withdrawal'],
];

/** Trades without their value, which is the price times the units, and coins that came and went. */
function readTransaction(cells: Cells): Outcome {
  const units = sideOf(cells, 'Target Currency', 'Quantity');
  const count = cells.text('Timestamp');
  const time = /^\d{10}(?:\d{3})?$/.test(count)
    ? cells.epoch('Timestamp')
    : cells.timeOf('Date', plainDate(cells.text('Date')));
  const common = { externalId: cells.text('id'), note: cells.text('Memo') };
  if (/cancel|fail|reject|pending|declin|expired/i.test(cells.text('Status')))
    return cells.skip('it was not completed');
  if (/^(?:buy|sell)$/i.test(cells.text('Action'))) {
    const quote = cells.text('Source Currency');
    const paid = pricedSide(cells, 'Price', units, quote);
    const sides = { base: units, quote: paid, fee: unitsOf(cells, 'Fees', quote) };
    return readPairTrade(cells, time, 'Action', sides, common);
  }
  const kind = kindIn(cells, 'Action', moves);
  if (cells.flawed) return cells.refused();
  if (typeof kind !== 'string') return kind;
  if (unitsOf(cells, 'Fees', units?.asset) !== null)
    return cells.rejected('Fees', 'unclear_fee', 'which coin this fee was in the row does not say: enter it by hand');
  return readCoinChange(cells, time, 'Quantity', { side: units, sign: null, kind }, common);
}

function readOrder(cells: Cells): Outcome {
  const quote = cells.text('PriceCurrency');
  const sides = {
    base: unitsOf(cells, 'Quantity', cells.text('Asset')),
    quote: unitsOf(cells, 'PrincipalAmount', quote),
    fee: unitsOf(cells, 'Fees', quote),
  };
  const time = cells.timeOf('OrderDate', plainDate(cells.text('OrderDate')));
  return readPairTrade(cells, time, 'Action', sides, { externalId: cells.text('OrderId') });
}
