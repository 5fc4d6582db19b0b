import type { AssetClass } from '../../engine/model.ts';
import { skips } from '../cells/reasons.ts';
import { brokerFormat } from '../reader.ts';
import { computeWorth } from '../tables/activity.ts';
import { brokerRows } from '../tables/broker-rows.ts';
import { cashFee } from '../tables/kinds.ts';

const classes: Readonly<Record<string, AssetClass>> = { YAHOO: 'stock', COINGECKO: 'crypto' };

/** Reads Ghostfolio's import table. Dates are day first in several formats, and dividends are per share. */
export const ghostfolio = brokerFormat(
  { id: 'ghostfolio', name: 'Ghostfolio activities', source: 'Ghostfolio', assetClass: null, dates: 'day first' },
  [
    {
      id: 'import',
      header: 'Date | Code | DataSource | Currency | Price | Quantity | Action | Fee',
      read: brokerRows({
        time: 'Date',
        kind: 'Action',
        kinds: [
          ['buy', 'buy'],
          ['sell', 'sell'],
          ['dividend', 'dividend'],
          ['interest', 'interest'],
          ['fee', cashFee],
          [/^(?:item|liability)$/, { skip: skips.notAnAsset }],
        ],
        columns: { asset: 'Code', quantity: 'Quantity', amount: 'Price' },
        numbers: (cells) => {
          const quantity = cells.quantity('Quantity');
          return { quantity, gross: computeWorth(cells, 'Price', quantity), fee: cells.money('Fee') };
        },
        common: (cells) => ({
          assetClass: classes[cells.text('DataSource').toUpperCase()] ?? null,
          currency: cells.text('Currency').toUpperCase() || 'USD',
          note: cells.text('Note'),
        }),
      }),
    },
  ],
);
