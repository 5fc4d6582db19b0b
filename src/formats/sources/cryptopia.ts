import type { Quantity } from '../../base/decimal.ts';
import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { type Side, sideWith } from '../tables/legs.ts';
import { pricedSide, readPairTrade, readUnits, splitPair } from '../tables/pairs.ts';
import { transfers } from '../tables/tables.ts';

/**
 * Reads files from Cryptopia, closed in 2019: trades, deposits, and withdrawals, whose amount includes the fee. The fee
 * was 0.2% of one coin of the pair, but the file does not name that coin. Times are UTC.
 */
export const cryptopia = coinFormat(
  { id: 'cryptopia', name: 'Cryptopia trades and transfers', source: 'Cryptopia', asksDateOrder: true },
  [
    { id: 'trades', header: '# | Market | Type | Rate | Amount | Total | Fee | Timestamp', read: readTrade },
    {
      id: 'withdrawals',
      header: '# | Currency | Amount | Fee | Status | TransactionId | Address | Timestamp',
      read: transfers({
        date: 'Timestamp',
        moved: ['Currency', 'Amount'],
        way: 'out',
        fee: 'Fee',
        feeWithin: true,
        status: 'Status',
        id: 'TransactionId',
      }),
    },
    {
      id: 'deposits',
      header: '# | Currency | Amount | Status | Type | Transaction | Conf. | Timestamp',
      read: transfers({
        date: 'Timestamp',
        moved: ['Currency', 'Amount'],
        way: 'in',
        status: 'Status',
        id: 'Transaction',
      }),
    },
  ],
);

function readTrade(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Market') ?? [];
  const units = readUnits(cells, 'Amount', base);
  const computed = pricedSide(cells, 'Rate', units, quote);
  const fee = findFeeSide(cells, units, computed);
  const paid = beforeFee(cells, readUnits(cells, 'Total', quote) ?? computed, computed, fee);
  const sides = { base: units, quote: paid, fee };
  return readPairTrade(cells, cells.time('Timestamp'), 'Type', sides, { externalId: cells.text('#') });
}

/** One unit of the last digit in a number with eight decimals. */
const digit = 10_000_000_000n;

function isNear(a: bigint, b: bigint, tolerance: bigint): boolean {
  return (a > b ? a - b : b - a) <= tolerance;
}

/** Finds the coin for which the fee equals 0.2% of the amount, to its last digit. */
function findFeeSide(cells: Cells, base: Side | null, quote: Side | null): Side | null {
  const quantity = cells.roundedQuantity('Fee');
  if (quantity === null || quantity === 0n) return null;
  const size = (quantity < 0n ? -quantity : quantity) as Quantity;
  const fitting = [base, quote].filter((side) => side !== null && isNear(side.quantity / 500n, size, 2n * digit));
  const [side] = fitting;
  if (side !== null && side !== undefined && fitting.length === 1) return { asset: side.asset, quantity: size };
  cells.reject('Fee', rejections.tradeFeeAssetMissing);
  return null;
}

/**
 * Removes the fee from the total if the total includes it. Warns if the total does not match the amount times the rate,
 * with or without the fee.
 */
function beforeFee(cells: Cells, total: Side | null, computed: Side | null, fee: Side | null): Side | null {
  if (total === null || computed === null) return total;
  if (isNear(total.quantity, computed.quantity, 2n * digit)) return total;
  const within = fee?.asset === total.asset ? fee.quantity : 0n;
  const isNet = [within, -within].some((change) => isNear(total.quantity + change, computed.quantity, 2n * digit));
  if (within !== 0n && isNet) return computed;
  cells.warn('the total does not equal the amount times the rate');
  return sideWith(total, 0n);
}
