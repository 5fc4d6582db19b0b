import type { Cells } from '../cells/cells.ts';
import type { Outcome } from '../format.ts';
import { type Side, sideWith } from '../tables/legs.ts';
import { checkPairPrice, readPairTrade, splitPair, unitsOf, withRebate } from '../tables/pairs.ts';
import { byWord, formatOfTables, transfers } from '../tables/tables.ts';

/**
 * HitBTC: trades, the volume in the quote and the fee on top of it, deposits and withdrawals. Who made a price was paid a
 * rebate in the quote; the total has both. Trades on margin have a gain of their own and are refused. Times are UTC.
 */
export const hitBtc = formatOfTables({ id: 'hitbtc', name: 'HitBTC trades and transfers', source: 'HitBTC' }, [
  {
    id: 'trades',
    required: [
      'Date (UTC)',
      'Instrument',
      'Trade ID',
      'Order ID',
      'Side',
      'Quantity',
      'Price',
      'Volume',
      'Fee',
      'Rebate',
    ],
    read: readTrade,
  },
  {
    id: 'transfers',
    required: ['Date (UTC)', 'Operation id', 'Type', 'Amount', 'Transaction hash', 'Main account balance', 'Currency'],
    read: transfers({
      date: 'Date (UTC)',
      moved: ['Currency', 'Amount'],
      way: byWord('Type'),
      wayColumn: 'Type',
      id: 'Transaction hash',
    }),
  },
]);

function readTrade(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Instrument') ?? [];
  const [units, volume] = [unitsOf(cells, 'Quantity', base), unitsOf(cells, 'Volume', quote)];
  const [fee, rebate] = [notNegative(cells, 'Fee', quote), notNegative(cells, 'Rebate', quote)];
  const buys = /^buy/i.test(cells.text('Side'));
  if ((cells.roundedQuantity('PnL') ?? 0n) !== 0n)
    return cells.rejected('PnL', 'unknown_type', 'gains of margin and futures are not read: enter them by hand');
  checkPairPrice(cells, 'Price', units, volume);
  const byVolume = withRebate(cells, 'Rebate', rebate, volume, buys);
  const paid = byTotal(cells, unitsOf(cells, 'Total', quote), byVolume, fee, buys);
  const time = cells.time('Date (UTC)');
  return readPairTrade(cells, time, 'Side', { base: units, quote: paid, fee }, { externalId: cells.text('Trade ID') });
}

/** A fee with a minus may be a rebate, and a rebate with one a fee: which, the file does not say. */
function notNegative(cells: Cells, column: string, asset: string | undefined): Side | null {
  if ((cells.roundedQuantity(column) ?? 0n) < 0n)
    cells.reject(column, 'negative', 'whether this was paid or received is not clear: enter this trade by hand');
  return unitsOf(cells, column, asset);
}

/** The total is what the balance of the quote changed by: with the fee, and less the rebate. */
function byTotal(cells: Cells, total: Side | null, other: Side | null, fee: Side | null, buys: boolean): Side | null {
  const stated = sideWith(total, (buys ? -1n : 1n) * (fee?.quantity ?? 0n));
  if (stated !== null && stated.quantity <= 0n) cells.reject('Total', 'negative', 'the fee is more than the total');
  if (stated === null || other === null) return stated ?? other;
  const apart = stated.quantity - other.quantity;
  if ((apart < 0n ? -apart : apart) > lastDigits) cells.warn('the total is not the volume with its fee and rebate');
  return stated;
}

/** Two of the last digit: eight are printed behind the point. */
const lastDigits = 20_000_000_000n;
