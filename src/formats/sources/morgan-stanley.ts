import type { Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, readOnlyCell } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { readVest } from '../tables/stock-plans.ts';

/**
 * Reads Morgan Stanley StockPlan Connect: releases of stock units, whose value is wages, and withdrawals. The shares
 * withheld for taxes are a row of wages without shares. The plan's name identifies the stock. For Alphabet, the symbols are known.
 */
export const morganStanley = brokerFormat(
  { id: 'morgan-stanley', name: 'Morgan Stanley stock plan', source: 'Morgan Stanley', dates: 'day first' },
  [
    {
      id: 'releases',
      header: 'Vest Date | Order Number | Plan | Type | Status | Price | Quantity | Net Share Proceeds',
      read: (cells) => readRow(cells, true),
    },
    {
      id: 'withdrawals',
      header: 'Execution Date | Order Number | Plan | Type | Price | Quantity',
      read: (cells) => readRow(cells, false),
    },
  ],
);

const stocks: Readonly<Record<string, string>> = { 'GSU CLASS C': 'GOOG', 'GSU CLASS A': 'GOOGL' };

function readRow(cells: Cells, released: boolean): Outcome {
  if (readOnlyCell(cells.row) !== '') return cells.skip(skips.brokerNote);
  const time = cells.time(released ? 'Vest Date' : 'Execution Date');
  const plan = cells.text('Plan').toUpperCase();
  const column = released ? 'Net Share Proceeds' : 'Quantity';
  const quantity = magnitude(cells.quantity(column));
  const type = cells.text('Type').toLowerCase();
  if (!cells.flawed && /cancel|reject|pending|staged/i.test(`${cells.text('Status')} ${cells.text('Order Status')}`))
    return cells.skip(skips.orderNotFilled);
  if (plan === 'CASH') return cells.skip(skips.cashMoved);
  if (type !== (released ? 'release' : 'sale')) return cells.rejected('Type', rejections.unknownType);
  if ((cells.money('Net Cash Proceeds') ?? 0n) !== 0n)
    return cells.rejected('Net Cash Proceeds', rejections.cashOfSoldShares);
  const activity = { asset: stocks[plan] ?? plan, quantity, gross: computeWorth(cells, 'Price', quantity) };
  const columns = { asset: 'Plan', quantity: column, amount: 'Price' };
  const id = cells.text('Order Number');
  const common = { externalId: /hidden/i.test(id) ? '' : id, note: released ? 'release of stock units' : '' };
  if (!released) return readActivity(cells, time, 'sell', columns, activity, common);
  const withheld = ((magnitude(cells.quantity('Quantity')) ?? 0n) - (quantity ?? 0n)) as Quantity;
  return readVest(
    cells,
    time,
    { asset: activity.asset, column, shares: quantity, value: activity.gross, common },
    {
      column: 'Price',
      value: withheld <= 0n ? null : computeWorth(cells, 'Price', withheld),
    },
  );
}
