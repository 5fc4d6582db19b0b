import { splitUnit } from '../cells/fields.ts';
import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { pricedAt, readNamedUnits, readPairTrade, readPrice, readUnits, splitPair } from '../tables/pairs.ts';
import { transfers } from '../tables/tables.ts';

/**
 * Reads MEXC trades, orders, deposits and withdrawals. A trade's fee is deducted from the amount received; orders do
 * not show the fee. Pairs look like `BTC_USDT`, cells may include their unit, and times are UTC. Import either trades
 * or orders, not both.
 */
export const mexc = coinFormat({ id: 'mexc', name: 'MEXC trades and transfers', source: 'MEXC' }, [
  {
    id: 'trades',
    header: 'Pairs | Time | Side | Filled Price | Executed Amount | Total | Fee | Role',
    read: readTrade,
  },
  {
    id: 'orders',
    header: 'Pairs | Time | Type | Direction | Average Filled Price | Filled Quantity | Order Amount | Status',
    read: readOrder,
  },
  {
    id: 'deposits',
    header: 'Status | Time | Crypto | Network | Deposit Amount | TxID | Progress',
    read: transfers({ date: 'Time', moved: ['Crypto', 'Deposit Amount'], way: 'in', status: 'Status', id: 'TxID' }),
  },
  {
    id: 'withdrawals',
    header: 'Status | Time | Crypto | Network | Withdrawal Address | TxID | Trading Fee | Settlement Amount',
    read: transfers({
      date: 'Time',
      moved: ['Crypto', 'Settlement Amount'],
      way: 'out',
      fee: 'Trading Fee',
      status: 'Status',
      id: 'TxID',
    }),
  },
]);

function readTrade(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Pairs') ?? [];
  const buys = /^buy/i.test(cells.text('Side'));
  const sides = {
    base: readNamedUnits(cells, 'Executed Amount', base),
    quote: readNamedUnits(cells, 'Total', quote),
    // The fee may be paid in MX, in which case its unit is in the cell.
    fee: hasUnit(cells, 'Fee') ? readNamedUnits(cells, 'Fee') : readUnits(cells, 'Fee', buys ? base : quote),
  };
  return readPairTrade(cells, cells.time('Time'), 'Side', sides, {});
}

function readOrder(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Pairs') ?? [];
  const filled = readNamedUnits(cells, 'Filled Quantity', base);
  const total = pricedAt(readPrice(cells, 'Average Filled Price', quote), filled, quote);
  if (filled === null && !cells.flawed) return cells.skip(skips.orderNotFilled);
  return readPairTrade(cells, cells.time('Time'), 'Direction', { base: filled, quote: total, fee: null }, {});
}

function hasUnit(cells: Cells, column: string): boolean {
  return splitUnit(cells.text(column)).unit !== '';
}
