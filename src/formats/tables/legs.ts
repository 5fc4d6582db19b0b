import type { Money, Quantity } from '../../base/decimal.ts';
import { computeShare } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { readQuantityRounded, saysNone, splitUnit } from '../cells/fields.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';

/** One side of an exchange: units of an asset or a currency. */
export interface Side {
  readonly asset: string;
  readonly quantity: Quantity;
}

/** Units sent, units received, and the fee on top of both. */
export interface Exchange {
  readonly given: Side;
  readonly received: Side;
  readonly fee?: Side | null;
  /** The received side's value, in `currency` (default USD), if the source provides it. */
  readonly value?: Money | null;
  readonly currency?: string;
  readonly feeValue?: Money | null;
}

/**
 * Reads a side from two cells. Signs are ignored, because the column determines the direction. Returns null if the side
 * is empty.
 */
export function readSide(cells: Cells, assetColumn: string, quantityColumn: string): Side | null {
  const quantity = cells.roundedQuantity(quantityColumn);
  const asset = cells.text(assetColumn).toUpperCase();
  if (quantity === null || quantity === 0n) return null;
  if (asset === '') {
    cells.reject(assetColumn, rejections.quantityWithoutAsset);
    return null;
  }
  return { asset, quantity: (quantity < 0n ? -quantity : quantity) as Quantity };
}

/**
 * Reads a side and its unit from one cell (`0.5 BTC`, `500DOGE`), ignoring the sign. Returns null if the cell is empty.
 */
export function readUnitSide(cells: Cells, column: string): Side | null {
  const text = cells.text(column);
  if (saysNone(text)) return null;
  const { number, unit } = splitUnit(text);
  const quantity = readQuantityRounded(number);
  if (quantity === undefined) cells.reject(column, rejections.unreadableNumber('quantity'));
  else if (unit === '' && quantity !== 0n) cells.reject(column, rejections.quantityWithoutAsset);
  if (quantity === undefined || quantity === 0n) return null;
  if (quantity < 0n) cells.addOutgoing(quantity);
  return { asset: unit.toUpperCase(), quantity: (quantity < 0n ? -quantity : quantity) as Quantity };
}

/** Adds a change to the units of a side. Null stays null. */
export function sideWith(side: Side | null, change: bigint): Side | null {
  return side === null ? null : { ...side, quantity: (side.quantity + change) as Quantity };
}

/**
 * Reads an exchange. Currency for a coin is a purchase, a coin for currency is a sale, and a coin for a coin is a
 * trade.
 */
export function readExchange(
  cells: Cells,
  time: Time | null,
  exchange: Exchange,
  common: Partial<StatedFields>,
): Outcome {
  const { given, received } = exchange;
  const [paid, got] = [isCurrency(given.asset), isCurrency(received.asset)];
  if (paid && got) return cells.skip(skips.currencyExchanged);
  const stated = paid
    ? purchaseOrSale('buy', received, given, exchange)
    : got
      ? purchaseOrSale('sell', given, received, exchange)
      : swap(exchange);
  if (stated === undefined) {
    return cells.rejected(null, rejections.feeInOtherCurrency);
  }
  if (paid || got) cells.currencyOfRow(stated.currency ?? '');
  return cells.read(time, { ...common, ...stated });
}

/** Reads a trade of a coin for a currency. A fee in the coin has its share of the amount. */
function purchaseOrSale(type: 'buy' | 'sell', coin: Side, money: Side, { fee = null, feeValue = null }: Exchange) {
  const amount = roundToMoney(money.quantity);
  const value = fee?.asset === coin.asset ? computeShare(amount, fee.quantity, coin.quantity) : feeValue;
  return withFee({ type, asset: coin.asset, quantity: coin.quantity, amount, currency: money.asset }, fee, value);
}

/**
 * Reads a trade of two coins. Quantities are gross: a fee in the coin sent is part of the amount sent (26 CFR
 * 1.1001-7(b)(1)(ii)).
 */
function swap({
  given,
  received,
  fee = null,
  value = null,
  feeValue = null,
  currency = 'USD',
}: Exchange): StatedFields | undefined {
  const withheld = fee?.asset === given.asset ? fee.quantity : 0n;
  const known = fee?.asset === received.asset ? computeShare(value, fee.quantity, received.quantity) : null;
  // Without a value, the currency comes from a cash fee.
  const unit = value === null && fee !== null && isCurrency(fee.asset) ? fee.asset : value === null ? 'USD' : currency;
  const stated: StatedFields = {
    ...(unit === 'USD' ? {} : { currency: unit }),
    type: 'trade',
    asset: given.asset,
    quantity: (given.quantity + withheld) as Quantity,
    receivedAsset: received.asset,
    receivedQuantity: received.quantity,
    amount: value,
  };
  return withFee(stated, fee, feeValue ?? known);
}

function withFee(stated: StatedFields, fee: Side | null, value: Money | null): StatedFields | undefined {
  if (fee === null) return stated;
  if (!isCurrency(fee.asset)) return { ...stated, feeAsset: fee.asset, feeQuantity: fee.quantity, fee: value };
  return fee.asset === (stated.currency ?? 'USD') ? { ...stated, fee: roundToMoney(fee.quantity) } : undefined;
}

/** Converts units of a currency to money, rounded to 8 decimals. */
export function roundToMoney(units: Quantity): Money {
  return ((units + (units < 0n ? -5_000_000_000n : 5_000_000_000n)) / 10_000_000_000n) as Money;
}
