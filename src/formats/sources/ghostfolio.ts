import type { AssetClass } from '../../engine/model.ts';
import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { brokerFormat } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { cashFee, type Kinds, readRowKind } from '../tables/kinds.ts';

/** Reads Ghostfolio's import table. Dates are day first in several formats, and dividends are per share. */
export const ghostfolio = brokerFormat(
  { id: 'ghostfolio', name: 'Ghostfolio activities', source: 'Ghostfolio', assetClass: null, dates: 'day first' },
  [{ id: 'import', header: 'Date | Code | DataSource | Currency | Price | Quantity | Action | Fee', read: readRow }],
);

const kinds: Kinds = [
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['dividend', 'dividend'],
  ['interest', 'interest'],
  ['fee', cashFee],
  [/^(?:item|liability)$/, { skip: 'Not an asset that can be bought or sold' }],
];
const classes: Readonly<Record<string, AssetClass>> = { YAHOO: 'stock', COINGECKO: 'crypto' };

function readRow(cells: Cells): Outcome {
  const quantity = cells.quantity('Quantity');
  const gross = computeWorth(cells, 'Price', quantity);
  const fee = cells.money('Fee');
  const time = cells.time('Date');
  const kind = readRowKind(cells, 'Action', kinds);
  if (typeof kind !== 'string') return kind;
  const common = {
    assetClass: classes[cells.text('DataSource').toUpperCase()] ?? null,
    currency: cells.text('Currency').toUpperCase() || 'USD',
    note: cells.text('Note'),
  };
  const columns = { asset: 'Code', quantity: 'Quantity', amount: 'Price' };
  const asset = cells.text('Code').toUpperCase();
  return readActivity(cells, time, kind, columns, { asset, quantity, gross, fee }, common);
}
