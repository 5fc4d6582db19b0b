import { formatQuantity, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import { readOption, unitsOfPrice } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome } from '../reader.ts';
import { optionAsset } from '../tables/brokers.ts';

/**
 * Reads Webull orders. They contain no fees and no amount, only the filled quantity and the average price. An option
 * order does not show whether it opens or closes a position, so it is imported as a purchase or a sale, and the books
 * match it to the holdings.
 */
export const webull = brokerFormat({ id: 'webull', name: 'Webull orders', source: 'Webull' }, [
  {
    id: 'orders',
    header: 'Name | Symbol | Side | Status | Filled | Total Qty | Avg Price | Filled Time',
    read: readRow,
  },
]);

function readRow(cells: Cells): Outcome {
  const filled = cells.quantity('Filled');
  if (filled === 0n) return cells.skip(skips.orderNotFilled);
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
  if (type === undefined) return cells.rejected('Side', rejections.notBuySellOrShort);
  if (symbol === '') cells.reject('Symbol', rejections.requiredHere);
  const quantity = cells.need('Filled', filled);
  const price = cells.price('Avg Price');
  if (price === null) cells.reject('Avg Price', rejections.unreadablePrice);
  const units = ((quantity ?? 0n) * (option === undefined ? 1n : unitsOfPrice(option))) as Quantity;
  const amount = price === null ? undefined : priceTimesQuantity(price, formatQuantity(units));
  if (price !== null && amount === undefined)
    cells.reject('Avg Price', { ...rejections.valueTooLarge, code: 'bad_number' });
  const stated = option === undefined ? { asset: symbol } : optionAsset(option);
  return cells.read(cells.time('Filled Time', 'America/New_York'), {
    ...stated,
    type,
    quantity,
    amount: amount ?? null,
  });
}
