import { formatQuantity, priceTimesQuantity, proportion, type Quantity } from '../../base/decimal.ts';
import type { Statement } from '../model.ts';
import { parseOption, rightOf } from './keys.ts';

/** The exercise or assignment of an option that buys or sells shares. */
export type OptionEnd = Pick<Statement, 'type' | 'asset' | 'right' | 'amount' | 'quantity' | 'shares'>;

/**
 * Returns whether the end of an option buys shares. Exercised calls and assigned puts buy them. Exercised puts and
 * assigned calls sell them.
 */
export function buysStock(end: OptionEnd): boolean {
  return (end.type === 'exercise') === (rightOf(end) === 'call');
}

/** Returns the shares of all contracts: 100 per contract if the row does not state them. */
export function sharesOfEnd({ shares, quantity }: OptionEnd): bigint {
  return shares ?? (quantity ?? 0n) * 100n;
}

/**
 * Returns the cost of shares at the strike price, in 10⁻⁸ dollars. Returns null if neither the symbol nor the row
 * states the price.
 */
export function computeStrikeCost(end: OptionEnd, shares: bigint): bigint | null {
  const strike = parseOption(end.asset)?.strike;
  if (strike !== undefined) return priceTimesQuantity(strike, formatQuantity(shares as Quantity)) ?? null;
  const all = sharesOfEnd(end);
  return end.amount === null || all === 0n ? null : proportion(end.amount, shares, all);
}

/**
 * Returns the fees included in the amount of a trade at the strike price. They increase the cost of a purchase and
 * reduce the proceeds of a sale.
 */
export function feesBeyondStrike(end: OptionEnd, { quantity, amount }: StockTrade): bigint | null {
  const strike = computeStrikeCost(end, quantity ?? 0n);
  if (strike === null || amount === null) return null;
  return buysStock(end) ? amount - strike : strike - amount;
}

export type StockTrade = Pick<Statement, 'quantity' | 'amount'>;

/** Returns whether the amount of a trade equals its shares times the strike price, to the cent. */
export function isAtStrike(end: OptionEnd, trade: StockTrade): boolean {
  const fees = feesBeyondStrike(end, trade);
  return fees !== null && fees >= -cent && fees <= cent;
}

/**
 * Returns whether the amount is at the strike price, possibly less regulatory fees. Some sources subtract these fees,
 * which are at most 0.005% and a tenth of a cent a share.
 */
export function isAtStrikeLessFees(end: OptionEnd, trade: StockTrade): boolean {
  const fees = feesBeyondStrike(end, trade);
  const feesMax = (trade.amount ?? 0n) / 20_000n + ((trade.quantity ?? 0n) * perShare) / oneUnit + cent;
  return isAtStrike(end, trade) || (fees !== null && fees >= 0n && fees <= feesMax);
}

const oneUnit = 10n ** 18n;
const cent = 1_000_000n;
const perShare = 100_000n;
