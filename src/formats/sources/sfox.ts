import type { Cells } from '../cells/cells.ts';
import { plainDate } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { readPairTrade, unitsOf } from '../tables/pairs.ts';
import { formatOfTables } from '../tables/tables.ts';

/** sFOX's orders: the principal before the fees. Dates read `Thu Jan 02 2020 10:00:00 GMT+0000 (…)`. */
export const sFox = formatOfTables({ id: 'sfox', name: 'sFOX orders', source: 'sFOX' }, [
  {
    id: 'orders',
    required: [
      'OrderId',
      'OrderDate',
      'Action',
      'AssetPair',
      'Quantity',
      'Asset',
      'UnitPrice',
      'PriceCurrency',
      'PrincipalAmount',
      'Fees',
      'Total',
    ],
    read: readOrder,
  },
]);

function readOrder(cells: Cells): Outcome {
  const quote = cells.text('PriceCurrency');
  const sides = {
    base: unitsOf(cells, 'Quantity', cells.text('Asset')),
    quote: unitsOf(cells, 'PrincipalAmount', quote),
    fee: unitsOf(cells, 'Fees', quote),
  };
  const time = cells.timeOf('OrderDate', plainDate(cells.text('OrderDate')));
  return readPairTrade(cells, time, 'Action', sides, { externalId: cells.text('OrderId') });
}
