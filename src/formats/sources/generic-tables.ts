import { isCurrency } from '../cells/currencies.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat } from '../reader.ts';
import { computeWorth } from '../tables/activity.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cash, cashFee, type Kinds } from '../tables/kinds.ts';

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
export const cgtCalcRaw = brokerFormat({ id: 'cgt-calc-raw', name: 'cgt-calc raw table', source: 'cgt-calc' }, [
  {
    id: 'raw',
    header: 'date | action | symbol | quantity | price | fees | currency',
    read: brokerRows({
      time: 'date',
      kind: 'action',
      kinds,
      columns: { asset: 'symbol', quantity: 'quantity', amount: 'price' },
      numbers: (cells) => {
        const quantity = cells.quantity('quantity');
        return { quantity, gross: computeWorth(cells, 'price', quantity), fee: cells.money('fees') };
      },
      asset: (cells) => cells.text('symbol'),
      common: (cells, kind) => (kind === 'split' ? {} : { currency: cells.text('currency').toUpperCase() || 'USD' }),
    }),
  },
]);

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
      read: brokerRows({
        time: 'date',
        kind: 'type',
        kinds,
        columns: { asset: 'symbol', quantity: 'quantity', amount: 'total' },
        ratio: 'split_ratio',
        numbers: (cells) => ({
          quantity: cells.quantity('quantity'),
          gross: cells.money('total'),
          fee: cells.money('fee'),
        }),
        common: (cells, kind) => {
          const note = cells.text('notes');
          return kind === 'split' ? { note } : { currency: cells.text('currency').toUpperCase(), note };
        },
        special: (cells, { kind }) =>
          kind === 'split' || isCurrency(cells.text('currency').toUpperCase())
            ? null
            : cells.rejected('currency', rejections.priceCurrencyMissing),
      }),
    },
  ],
);
