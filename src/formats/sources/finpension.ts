import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { readActivity } from '../tables/activity.ts';
import { cash, cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/** Reads finpension 3a, a Swiss pension account, with funds by ISIN and all amounts in francs. */
export const finpension = brokerFormat(
  { id: 'finpension', name: 'finpension 3a transactions', source: 'finpension', assetClass: 'fund' },
  [
    {
      id: 'transactions',
      price: 'Asset Price in CHF',
      header: `Date | Category | Asset Name | ISIN | Number of Shares | Asset Currency | Asset Price in CHF |
        Cash Flow`,
      read: readRow,
    },
  ],
);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['dividend', 'dividend'],
  [/^interests?$/, 'interest'],
  [/fee\b/, cashFee],
  [/^(?:deposit|withdrawal|transfer)/, cash],
];

function readRow(cells: Cells): Outcome {
  const quantity = cells.quantity('Number of Shares');
  const net = cells.money('Cash Flow');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Category', kinds);
  if (typeof kind !== 'string') return kind;
  const columns = { asset: 'ISIN', quantity: 'Number of Shares', amount: 'Cash Flow' };
  const common = { currency: 'CHF', note: cells.text('Asset Name') };
  return readActivity(cells, time, kind, columns, { asset: cells.text('ISIN'), quantity, net }, common);
}
