import { formatQuantity, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import type { Cells } from '../cells/cells.ts';
import { readOption, unitsOfPrice } from '../cells/option-symbol.ts';
import type { Format, Outcome } from '../format.ts';
import { rowByRow } from '../reader.ts';
import { optionAsset } from '../tables/brokers.ts';

/**
 * Webull orders: no fees and no amount, only what was filled at which average price. An option's order does not say
 * whether it opens or closes: it is read as a purchase or a sale, which the books match to what is held.
 */
export const webull: Format = {
  id: 'webull',
  name: 'Webull orders',
  source: 'Webull',
  assetClass: 'stock',
  layouts: [
    { id: 'orders', required: ['Name', 'Symbol', 'Side', 'Status', 'Filled', 'Total Qty', 'Avg Price', 'Filled Time'] },
  ],
  open: rowByRow(readRow),
};

function readRow(cells: Cells): Outcome {
  const filled = cells.quantity('Filled');
  if (filled === 0n) return cells.skip('the order was not filled');
  const side = cells.text('Side').toLowerCase();
  const symbol = cells.text('Symbol').toUpperCase();
  const option = readOption(symbol);
  const type =
    side === 'buy' || side === 'sell'
      ? side
      : side === 'short'
        ? option === undefined
          ? 'short_sell'
          : 'sell_to_open'
        : undefined;
  if (type === undefined) return cells.rejected('Side', 'unknown_type', 'this is neither Buy, Sell nor Short');
  if (symbol === '') cells.reject('Symbol', 'missing', 'this kind of row needs it');
  const quantity = cells.need('Filled', filled);
  const price = cells.price('Avg Price');
  if (price === null) cells.reject('Avg Price', 'bad_number', 'this is no price in a shape we know');
  const units = ((quantity ?? 0n) * (option === undefined ? 1n : unitsOfPrice(option))) as Quantity;
  const amount = price === null ? undefined : priceTimesQuantity(price, formatQuantity(units));
  if (price !== null && amount === undefined) cells.reject('Avg Price', 'bad_number', 'the value is too large');
  const stated = option === undefined ? { asset: symbol } : optionAsset(option);
  return cells.read(cells.time('Filled Time', 'America/New_York'), {
    ...stated,
    type,
    quantity,
    amount: amount ?? null,
  });
}
