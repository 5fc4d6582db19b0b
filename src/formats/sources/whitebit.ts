import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import type { Side } from '../tables/legs.ts';
import { pricedSide, readNamedUnits, readPairTrade, splitPair } from '../tables/pairs.ts';
import { transfers } from '../tables/tables.ts';

/**
 * Reads WhiteBIT orders, with the fee in the quote, and withdrawals, whose amount includes the fee. WhiteBIT workbooks
 * use the header of deposits for withdrawals too, so that header is tried only if the request names the format. Times
 * are UTC.
 */
export const whiteBit = coinFormat(
  { id: 'whitebit', name: 'WhiteBIT orders and transfers', source: 'WhiteBIT', asksDateOrder: true },
  [
    {
      id: 'orders',
      header: `Id | Market | Type | Side | Trigger Condition | Amount | Price | Fee | Revenue | Completed | Total |
        Open | Close`,
      read: readOrder,
    },
    {
      id: 'withdrawals',
      header: 'Id | Currency | Address | Hash | Processed Amount | Processed Fee | Status | Created At',
      read: transfers({
        date: createTimeReader('Created At'),
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
      header: 'Id | Currency | Address | Hash | Amount | Fee | Status | Created At | Updated At',
      onlyWhenAsked: true,
      read: transfers({
        date: createTimeReader('Created At'),
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
 * Reads an order. The filled quantity and its value each have two columns, depending on the order type. If they differ,
 * the ones that match the row's price count.
 */
function readOrder(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Market') ?? [];
  const units = ['Completed', 'Amount'].map((column) => readNamedUnits(cells, column, base));
  const values = ['Total', 'Revenue'].map((column) => readNamedUnits(cells, column, quote));
  const fee = readNamedUnits(cells, 'Fee', quote);
  const time = createTimeReader(cells.text('Close') === '' ? 'Open' : 'Close')(cells);
  if (cells.flawed) return cells.refused();
  if (units[0] === null && cells.text('Completed') !== '') return cells.skip(skips.orderNotFilled);
  const stated = values.filter((value) => value !== null);
  const readings = units.flatMap((filled) => stated.map((value) => ({ base: filled, quote: value, fee })));
  const isOne = new Set(readings.map((reading) => `${reading.base?.quantity} ${reading.quote.quantity}`)).size === 1;
  const priced = readings.find((reading) =>
    isNearlyEqual(reading.quote, pricedSide(cells, 'Price', reading.base, quote)),
  );
  const sides = priced ?? (isOne ? readings[0] : undefined);
  if (sides !== undefined && priced === undefined)
    cells.warn('the value of the order does not equal price times units');
  if (sides === undefined) return cells.rejected('Price', rejections.orderValueDiffers);
  for (const other of stated) {
    if (isFeeOrNone(other.quantity - sides.quote.quantity, fee?.quantity ?? 0n)) continue;
    cells.warn('the two values of this order differ, and no fee explains it');
  }
  return readPairTrade(cells, time, 'Side', sides, { externalId: cells.text('Id') });
}

/** Returns whether a difference is zero or the fee. */
function isFeeOrNone(difference: bigint, fee: bigint): boolean {
  return difference === 0n || difference === fee || difference === -fee;
}

/** Compares to a millionth, because the price of several fills is rounded. */
function isNearlyEqual(value: Side, computed: Side | null): boolean {
  if (computed === null) return false;
  const difference = value.quantity - computed.quantity;
  return (difference < 0n ? -difference : difference) * 1_000_000n <= value.quantity;
}

/** Returns a reader for `2023-01-01UTC01:00:00` or seconds since 1970. */
function createTimeReader(column: string): (cells: Cells) => ReturnType<Cells['time']> {
  return (cells) => {
    const text = cells.text(column);
    return /^\d{10}$/.test(text) ? cells.epoch(column) : cells.parseTime(column, text.replace(/ ?UTC ?(?=\d)/, ' '));
  };
}
