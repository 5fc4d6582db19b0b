import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { checkPairPrice, pricedAt, readNamedUnits, readPairTrade, readPrice, splitPair } from '../tables/pairs.ts';
import { transfers } from '../tables/tables.ts';

/**
 * Reads BloFin spot orders of two kinds, deposits and withdrawals. Cells include units (`0.002 ETH`). Older orders have
 * an average price but no value. `Filled(Total)` and `Filled(OrderValue)` are the order's size, and `Filled(Quantity)`
 * and `Filled(Value)` are the filled part. Margin trades are rejected, and futures and funding files are not supported.
 */
export const bloFin = coinFormat(
  { id: 'blofin', name: 'BloFin spot orders and transfers', source: 'BloFin', asksDateOrder: true },
  [
    {
      id: 'spot',
      header: `Underlying Asset | order_time | Side | Avg Filled price | Filled(Quantity) | Filled(Value) | Fee |
        Status`,
      read: readValued,
    },
    {
      id: 'spot-until-2024',
      header: 'Underlying Asset | Order Time | Side | Avg Fill | Price | Filled | Total | Fee | Order Options | Status',
      read: readPriced,
    },
    {
      id: 'margin',
      header: `Underlying Asset | Margin Mode | Leverage | Order Time | Side | Avg Fill | Price | Filled | Total |
        PNL | Fee | Status`,
      read: (cells) => cells.rejected('Margin Mode', rejections.marginGains),
    },
    {
      id: 'withdrawals',
      header: 'Asset | amount | chain_name | txid | Address | Tag | Time | State',
      read: transfers({ date: 'Time', moved: ['Asset', 'amount'], way: 'out', status: 'State', id: 'txid' }),
    },
    {
      id: 'deposits',
      header: 'Asset | amount | chain_name | txid | Time | State',
      read: transfers({ date: 'Time', moved: ['Asset', 'amount'], way: 'in', status: 'State', id: 'txid' }),
    },
  ],
);

function readValued(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Underlying Asset') ?? [];
  const sides = {
    base: readNamedUnits(cells, 'Filled(Quantity)', base),
    quote: readNamedUnits(cells, 'Filled(Value)', quote),
    fee: readNamedUnits(cells, 'Fee'),
  };
  const time = cells.time('order_time');
  if (sides.base === null) return cells.skip(skips.orderNotFilled);
  checkPairPrice(cells, 'Avg Filled price', sides.base, sides.quote);
  return readPairTrade(cells, time, 'Side', sides, {});
}

function readPriced(cells: Cells): Outcome {
  const [base, quote] = splitPair(cells, 'Underlying Asset') ?? [];
  const filled = readNamedUnits(cells, 'Filled', base);
  const sides = {
    base: filled,
    quote: pricedAt(readPrice(cells, 'Avg Fill', quote), filled, quote),
    fee: readNamedUnits(cells, 'Fee'),
  };
  const time = cells.time('Order Time');
  if (filled === null) return cells.skip(skips.orderNotFilled);
  return readPairTrade(cells, time, 'Side', sides, {});
}
