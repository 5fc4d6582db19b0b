import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import type { Side } from '../tables/legs.ts';
import { namedUnitsOf, pricedSide, readPairTrade, splitPair } from '../tables/pairs.ts';
import { formatOfTables, transfers } from '../tables/tables.ts';

/**
 * WhiteBIT: orders, the fee in the quote, and withdrawals, whose amount holds the fee. Deposits have a header that its
 * workbooks give to withdrawals too: they are read where the request names the format. Times are UTC.
 */
export const whiteBit = formatOfTables(
  { id: 'whitebit', name: 'WhiteBIT orders and transfers', source: 'WhiteBIT', asksDateOrder: true },
  [
    {
      id: 'orders',
      required: [
        'Id',
        'Market',
        'Type',
        'Side',
        'Trigger Condition',
        'Amount',
        'Price',
        'Fee',
        'Revenue',
        'Completed',
        'Total',
        'Open',
        'Close',
      ],
      read: readOrder,
    },
    {
      id: 'withdrawals',
      required: ['Id', 'Currency', 'Address', 'Hash', 'Processed Amount', 'Processed Fee', 'Status', 'Created At'],
      read: transfers({
        date: timeOf('Created At'),
        moved: ['Currency', 'Processed Amount'],
        way: 'out',
        fee: 'Processed Fee',
        feeWithin: true,
        status: 'Status',
        id: 'Hash',
      }),
    },
    {
      id: 'deposits',
      required: ['Id', 'Currency', 'Address', 'Hash', 'Amount', 'Fee', 'Status', 'Created At', 'Updated At'],
      onlyWhenAsked: true,
      read: transfers({
        date: timeOf('Created At'),
        moved: ['Currency', 'Amount'],
        way: 'in',
        fee: 'Fee',
        feeWithin: true,
        status: 'Status',
        id: 'Hash',
      }),
    },
  ],
);

/**
 * What was filled and its value stand in two columns each, by the type of the order. Where they differ, they are those
 * whose price is the one of the row.
 */
function readOrder(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Market') ?? [];
  const units = ['Completed', 'Amount'].map((column) => namedUnitsOf(cells, column, base));
  const values = ['Total', 'Revenue'].map((column) => namedUnitsOf(cells, column, quote));
  const fee = namedUnitsOf(cells, 'Fee', quote);
  const time = timeOf(cells.text('Close') === '' ? 'Open' : 'Close')(cells);
  if (cells.flawed) return cells.refused();
  if (units[0] === null && cells.text('Completed') !== '') return cells.skip('the order was not filled');
  const stated = values.filter((value) => value !== null);
  const readings = units.flatMap((filled) => stated.map((value) => ({ base: filled, quote: value, fee })));
  const isOne = new Set(readings.map((reading) => `${reading.base?.quantity} ${reading.quote.quantity}`)).size === 1;
  const priced = readings.find((reading) => isPriceOf(reading.quote, pricedSide(cells, 'Price', reading.base, quote)));
  const sides = priced ?? (isOne ? readings[0] : undefined);
  if (sides !== undefined && priced === undefined)
    cells.warn('the value of the order is not its price times its units');
  if (sides === undefined)
    return cells.rejected(
      'Price',
      'amounts_differ',
      'no amount times the price is the value of this order: enter it by hand',
    );
  for (const other of stated) {
    if (isFeeOrNone(other.quantity - sides.quote.quantity, fee?.quantity ?? 0n)) continue;
    cells.warn('the two values of this order are not one, and no fee explains it');
  }
  return readPairTrade(cells, time, 'Side', sides, { externalId: cells.text('Id') });
}

/** Whether a difference is none, or the fee. */
function isFeeOrNone(difference: bigint, fee: bigint): boolean {
  return difference === 0n || difference === fee || difference === -fee;
}

/** To a millionth, as prices of several fills are rounded. */
function isPriceOf(value: Side, computed: Side | null): boolean {
  if (computed === null) return false;
  const difference = value.quantity - computed.quantity;
  return (difference < 0n ? -difference : difference) * 1_000_000n <= value.quantity;
}

/** `2023-01-01UTC01:00:00`, or seconds since 1970. */
function timeOf(column: string): (cells: Cells) => ReturnType<Cells['time']> {
  return (cells) => {
    const text = cells.text(column);
    return /^\d{10}$/.test(text) ? cells.epoch(column) : cells.timeOf(column, text.replace(/ ?UTC ?(?=\d)/, ' '));
  };
}
