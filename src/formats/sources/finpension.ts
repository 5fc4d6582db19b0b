import { brokerFormat } from '../reader.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cash, cashFee } from '../tables/kinds.ts';

/** Reads finpension 3a, a Swiss pension account, with funds by ISIN and all amounts in francs. */
export const finpension = brokerFormat(
  { id: 'finpension', name: 'finpension 3a transactions', source: 'finpension', assetClass: 'fund' },
  [
    {
      id: 'transactions',
      price: 'Asset Price in CHF',
      header: `Date | Category | Asset Name | ISIN | Number of Shares | Asset Currency | Asset Price in CHF |
        Cash Flow`,
      read: brokerRows({
        time: 'Date',
        kind: 'Category',
        kinds: [
          ['buy', 'buy'],
          ['sell', 'sell'],
          ['dividend', 'dividend'],
          [/^interests?$/, 'interest'],
          [/fee\b/, cashFee],
          [/^(?:deposit|withdrawal|transfer)/, cash],
        ],
        columns: { asset: 'ISIN', quantity: 'Number of Shares', amount: 'Cash Flow' },
        numbers: (cells) => ({ quantity: cells.quantity('Number of Shares'), net: cells.money('Cash Flow') }),
        asset: (cells) => cells.text('ISIN'),
        common: (cells) => ({ currency: 'CHF', note: cells.text('Asset Name') }),
      }),
    },
  ],
);
