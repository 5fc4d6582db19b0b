import { readRatio } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import { unreadableRatio } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat, rowByRow } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['dividend', 'dividend'],
  ['interest', 'interest'],
  ['stock_split', 'split'],
  [/^(?:transfer|deposit|withdrawal)$/, cash],
  ['fee', cashFee],
];

/**
 * Reads cgt-calc's raw table, with prices and dividends per share. A split's quantity is the number of shares added.
 */
export const cgtCalcRaw = brokerFormat(
  { id: 'cgt-calc-raw', name: 'cgt-calc raw table', source: 'cgt-calc' },
  [{ id: 'raw', header: 'date | action | symbol | quantity | price | fees | currency' }],
  rowByRow((cells) => {
    const quantity = cells.quantity('quantity');
    const gross = computeWorth(cells, 'price', quantity);
    const fee = cells.money('fees');
    const time = cells.time('date');
    const kind = readRowKind(cells, 'action', kinds);
    if (typeof kind !== 'string') return kind;
    const columns = { asset: 'symbol', quantity: 'quantity', amount: 'price' };
    const currency = cells.text('currency').toUpperCase() || 'USD';
    const common = kind === 'split' ? {} : { currency };
    return readActivity(cells, time, kind, columns, { asset: cells.text('symbol'), quantity, gross, fee }, common);
  }),
);

/**
 * Reads capital-gains-uk-101's generic table, with totals before fees and splits by ratio. Coins have themselves as the
 * currency.
 */
export const uk101 = brokerFormat(
  { id: 'uk-101', name: 'capital-gains-uk-101 table', source: 'capital-gains-uk-101', assetClass: null },
  [
    {
      id: 'generic',
      price: 'price',
      header: 'date | type | symbol | currency | quantity | price | total | fee | notes',
      read: readUk101,
    },
  ],
);

function readUk101(cells: Cells): Outcome {
  const quantity = cells.quantity('quantity');
  const [total, fee] = [cells.money('total'), cells.money('fee')];
  const time = cells.time('date');
  const kind = readRowKind(cells, 'type', kinds);
  if (typeof kind !== 'string') return kind;
  const [asset, note] = [cells.text('symbol').toUpperCase(), cells.text('notes')];
  const currency = cells.text('currency').toUpperCase();
  if (kind === 'split') {
    const ratio = readRatio(cells.text('split_ratio'));
    if (ratio === undefined) return cells.rejected('split_ratio', 'bad_number', unreadableRatio);
    return cells.read(time, { type: 'split', asset, ratio, note });
  }
  if (!isCurrency(currency))
    return cells.rejected('currency', 'unknown_currency', 'The prices have no currency. Add one to the file');
  const columns = { asset: 'symbol', quantity: 'quantity', amount: 'total' };
  return readActivity(cells, time, kind, columns, { asset, quantity, gross: total, fee }, { currency, note });
}
