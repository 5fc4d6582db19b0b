import { Cells, HeaderColumns, normalizeHeader } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { coinFormat } from '../reader.ts';
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
  (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    const coin = columns.names.find((name) => !known.has(normalizeHeader(name)) && /^[A-Z]{3,5}\d?$/i.test(name)) ?? '';
    return {
      read: (row) => [readRow(new Cells(row, columns, context, { zone: 'UTC' }), coin)],
      end: () => [],
    };
  },
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
