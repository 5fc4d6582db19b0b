import type { Money } from '../../base/decimal.ts';
import type { Cells } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { readQuantityRounded, splitUnit } from '../cells/fields.ts';
import { rejections } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { readExchange, readUnitSide, roundToMoney, type Side, sideWith } from './legs.ts';
import { checkPrice } from './stated-money.ts';

/** A trade of a pair: units of the base for units of the quote, with a fee on top. */
interface PairTrade {
  readonly base: Side | null;
  readonly quote: Side | null;
  readonly fee: Side | null;
  /** The value of either side in dollars, if the source provides it. */
  readonly value?: Money | null;
  /** The value in dollars of a fee paid in a coin. */
  readonly feeValue?: Money | null;
}

/** Reads a trade of a pair. The words in `sideColumn` begin with buy or sell, which refers to the base. */
export function readPairTrade(
  cells: Cells,
  time: Time | null,
  sideColumn: string,
  { base, quote, fee, value = null, feeValue = null }: PairTrade,
  common: Partial<StatedFields>,
  sideText = cells.text(sideColumn),
): Outcome {
  const direction = /\b(buy|bought|sell|sold)\b/.exec(sideText.toLowerCase().replaceAll('_', ' '))?.[1];
  if (direction === undefined) return cells.rejected(sideColumn, rejections.neitherPurchaseNorSale);
  if (cells.flawed) return cells.refused();
  if (base === null || quote === null) return cells.rejected(null, rejections.oneSentOneReceived);
  const sides = direction.startsWith('b') ? { given: quote, received: base } : { given: base, received: quote };
  return readExchange(cells, time, { ...sides, fee, value, feeValue }, common);
}

/** Quote currencies, longest first, because `BTCFDUSD` ends in FDUSD, not in USD. */
const quotes =
  `FDUSD BUSD TUSD USDT USDC USDP PYUSD BIDR BVND IDRT EUR GBP USD AUD BRL TRY RUB UAH NGN JPY CAD CHF PLN INR KRW MXN ZAR NZD SGD
   BTC XBT ETH BNB DAI TRX XRP DOGE KCS`
    .split(/\s+/)
    .sort((a, b) => b.length - a.length);

/**
 * Returns whether a text names one asset in capital letters instead of a pair. Five characters are the most, because a pair of two longer
 * names, such as `BTCTHB`, may have an unknown quote.
 */
export function isBareAsset(text: string): boolean {
  return /^[A-Z0-9]{2,5}$/.test(text) && findQuotes(text).length === 0;
}

function findQuotes(pair: string): string[] {
  return quotes.filter((known) => pair.endsWith(known) && pair.length >= known.length + 2);
}

/**
 * Splits `ETH-BTC`, `ETH/BTC`, `ETH_BTC` or, based on the known quotes, `ETHBTC`. Returns null and rejects the row if
 * the sides are unclear.
 */
export function splitPair(cells: Cells, column: string): readonly [base: string, quote: string] | null {
  const pair = cells.text(column).toUpperCase();
  const parted = /^([A-Z0-9.]+)[-/_]([A-Z0-9.]+)$/.exec(pair);
  if (parted !== null) return [parted[1] ?? '', parted[2] ?? ''];
  const fitting = findQuotes(pair);
  // `XBTUSD` also ends in TUSD, so a well-known base decides.
  const quote = fitting.find((known) => quoteRank(pair.slice(0, -known.length)) > 0) ?? fitting[0];
  if (quote !== undefined) return [pair.slice(0, -quote.length), quote];
  cells.reject(column, rejections.pairUnclear);
  return null;
}

/** Ranks how likely an asset is to be the quote: 3 for currencies and stablecoins, 2 for bitcoin, 1 for ether. */
export function quoteRank(asset: string): number {
  if (isCurrency(asset) || /^(?:FDUSD|BUSD|TUSD|GUSD|USDT|USDC|USDP|PYUSD|DAI)$/.test(asset)) return 3;
  return asset === 'BTC' || asset === 'XBT' ? 2 : asset === 'ETH' ? 1 : 0;
}

/** Reads the units in a column, for an asset that another column names. Returns null if the cell is empty. */
export function readUnits(cells: Cells, column: string, asset: string | undefined): Side | null {
  const quantity = cells.roundedQuantity(column);
  if (quantity === null || quantity === 0n || asset === undefined || asset === '') return null;
  return { asset: asset.toUpperCase(), quantity: (quantity < 0n ? -quantity : quantity) as Side['quantity'] };
}

/**
 * Same as `readUnits`, but the cell may include its unit (`0.5 BTC`, `500usdt`). Rejects the row if that unit differs
 * from the asset that another column names.
 */
export function readNamedUnits(cells: Cells, column: string, asset?: string): Side | null {
  if (splitUnit(cells.text(column)).unit === '') return readUnits(cells, column, asset);
  const side = readUnitSide(cells, column);
  if (side === null || asset === undefined || side.asset === asset.toUpperCase()) return side;
  cells.reject(column, rejections.unitNotOfPair);
  return null;
}

/** Warns if the money in a trade for a currency does not match units times price. */
export function checkPairPrice(cells: Cells, priceColumn: string, base: Side | null, quote: Side | null): void {
  if (base === null || quote === null || !isCurrency(quote.asset)) return;
  checkPrice(cells, priceColumn, { side: 'buy', units: base.quantity, gross: roundToMoney(quote.quantity), fee: null });
}

/** Assigns a fee to one of two coins, based on its size in millionths. Rejects the row unless exactly one coin fits. */
export function feeOfEither(
  cells: Cells,
  column: string,
  base: Side | null,
  quote: Side | null,
  charged: { readonly least: bigint; readonly most: bigint },
): Side | null {
  const fee = cells.roundedQuantity(column) ?? 0n;
  if (fee === 0n) return null;
  const [side, other] = [base, quote].filter(
    (one) =>
      one !== null &&
      fee * 1_000_000n >= one.quantity * charged.least &&
      fee * 1_000_000n <= one.quantity * charged.most,
  );
  if (side != null && other === undefined) return { asset: side.asset, quantity: fee as Side['quantity'] };
  cells.reject(column, rejections.tradeFeeAssetMissing);
  return null;
}

/**
 * Applies a rebate, which is a fee that the source paid out. In the quote, it reduces the amount paid or increases the
 * amount received. In any other coin, the row is rejected.
 */
export function withRebate(
  cells: Cells,
  column: string,
  rebate: Side | null,
  quote: Side | null,
  buys: boolean,
): Side | null {
  if (rebate === null || quote === null) return quote;
  if (rebate.asset !== quote.asset) cells.reject(column, rejections.rebateInOtherAsset);
  return sideWith(quote, buys ? -rebate.quantity : rebate.quantity);
}

/** Returns units times a price in the quote, to 18 decimals. Null if either is missing. */
export function pricedSide(
  cells: Cells,
  priceColumn: string,
  units: Side | null,
  quote: string | undefined,
): Side | null {
  return pricedAt(cells.roundedQuantity(priceColumn), units, quote);
}

/** Reads a price that may include its unit. Rejects the row if that unit is not the quote. */
export function readPrice(cells: Cells, column: string, quote: string | undefined): Side['quantity'] | null {
  const { number, unit: named } = splitUnit(cells.text(column));
  if (named === '') return cells.roundedQuantity(column);
  if (named.toUpperCase() !== quote?.toUpperCase()) cells.reject(column, rejections.unitNotOfPair);
  return readQuantityRounded(number) ?? null;
}

/** Same as `pricedSide`, for a price from another column. */
export function pricedAt(price: Side['quantity'] | null, units: Side | null, quote: string | undefined): Side | null {
  if (price === null || units === null || quote === undefined || quote === '') return null;
  const total = (price * units.quantity + unit / 2n) / unit;
  return total <= 0n ? null : { asset: quote.toUpperCase(), quantity: total as Side['quantity'] };
}

const unit = 10n ** 18n;
