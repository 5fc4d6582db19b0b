import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { formatOfTables, trades } from '../tables/tables.ts';

/** Coinbase Prime's orders: what was filled of each, the fee on top in the quote. Times are UTC. */
export const coinbasePrime = formatOfTables(
  { id: 'coinbase-prime', name: 'Coinbase Prime orders', source: 'Coinbase Prime' },
  [
    {
      id: 'orders',
      required: [
        'order id',
        'status',
        'market',
        'side',
        'filled base quantity',
        'filled quote quantity',
        'total fees and commissions',
        'last updated time',
        'portfolio name',
      ],
      read: (cells) => (isUnfilled(cells) ? cells.skip('the order was not filled') : readOrder(cells)),
    },
  ],
);

const readOrder: (cells: Cells) => Outcome = trades({
  date: 'last updated time',
  side: 'side',
  pair: 'market',
  quantity: 'filled base quantity',
  total: 'filled quote quantity',
  fee: 'total fees and commissions',
  id: 'order id',
});

function isUnfilled(cells: Cells): boolean {
  return cells.roundedQuantity('filled base quantity') === 0n;
}
