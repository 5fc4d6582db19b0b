import { normalizeHeader } from '../cells/cells.ts';
import { type Cells, coinFormat, type Outcome, rowsWith } from '../reader.ts';
import { readPairTrade, readUnits } from '../tables/pairs.ts';

const names = 'Timestamp | Type | Subtotal | Fees | Total | Currency | Price Per Coin | Payment Method | ID';
const known = new Set([...names.split(' | '), 'Share'].map(normalizeHeader));

/**
 * Reads Coinbase's report of purchases and sales until 2018. The units column is named after the coin, and the subtotal
 * excludes the fee. Times have an offset or are UTC.
 */
export const coinbaseTransfers = coinFormat(
  { id: 'coinbase-transfers', name: 'Coinbase purchases and sales until 2018', source: 'Coinbase' },
  [{ id: 'transfers', price: 'Price Per Coin', header: names }],
  rowsWith(
    ({ columns }) =>
      columns.names.find((name) => !known.has(normalizeHeader(name)) && /^[A-Z]{3,5}\d?$/i.test(name)) ?? '',
    readRow,
  ),
);

function readRow(cells: Cells, coin: string): Outcome {
  const currency = cells.text('Currency');
  const sides = {
    base: readUnits(cells, coin, coin),
    quote: readUnits(cells, 'Subtotal', currency),
    fee: readUnits(cells, 'Fees', currency),
  };
  return readPairTrade(cells, cells.time('Timestamp'), 'Type', sides, { externalId: cells.text('ID') });
}
