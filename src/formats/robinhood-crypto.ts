import { magnitude } from './amounts.ts';
import { Cells, Columns } from './cells.ts';
import type { Format, Outcome } from './format.ts';

/** Robinhood crypto orders. Times carry no zone and are those of New York; parentheses mark money out. */
export const robinhoodCrypto: Format = {
  id: 'robinhood-crypto',
  name: 'Robinhood crypto activity',
  source: 'Robinhood Crypto',
  assetClass: 'crypto',
  layouts: [
    {
      id: 'orders',
      required: ['UUID', 'Time Entered', 'Symbol', 'Side', 'Quantity', 'State', 'Average Price', 'Notional'],
    },
  ],
  open: (_layout, header, context) => {
    const columns = new Columns(header);
    return { read: (row) => [readRow(new Cells(row, columns, context))], end: () => [] };
  },
};

function readRow(cells: Cells): Outcome {
  const side = cells.text('Side').toLowerCase();
  if (side === '' && cells.row.cells.filter((cell) => cell.trim() !== '').length === 1)
    return cells.skip('a note of the broker');
  if (side !== 'buy' && side !== 'sell') return cells.rejected('Side', 'unknown_type', 'this is neither Buy nor Sell');
  const state = cells.text('State').toLowerCase();
  const quantity = cells.need('Quantity', magnitude(cells.quantity('Quantity')));
  if (/cancel|reject|fail/.test(state) && (quantity ?? 0n) === 0n) return cells.skip('the order was not filled');
  if (state !== 'filled') return cells.rejected('State', 'unknown_type', 'only filled orders say what was traded');
  return cells.read(cells.time('Time Entered', 'America/New_York'), {
    type: side,
    asset: cells.text('Symbol').toUpperCase(),
    quantity,
    amount: cells.need('Notional', magnitude(cells.money('Notional'))),
    externalId: cells.text('UUID'),
  });
}
