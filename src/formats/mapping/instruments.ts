import type { Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { isCurrency } from '../cells/currencies.ts';
import { type FutureSymbol, formatFuture, readFuture } from '../cells/future-symbol.ts';
import { formatOption, type OptionSymbol, readOption, unitsOfPrice } from '../cells/option-symbol.ts';
import type { OptionTrade } from '../tables/brokers.ts';

/** The instrument that a row trades, according to its symbol and contract columns. */
export type Instrument =
  | { readonly kind: 'asset'; readonly asset: string }
  | { readonly kind: 'option'; readonly asset: string; readonly option: OptionSymbol }
  | { readonly kind: 'future'; readonly asset: string; readonly future: FutureSymbol }
  /** A currency pair such as `EURUSD`. */
  | { readonly kind: 'currencies'; readonly asset: string };

/** Identifies an instrument by the shape of its symbol alone. */
export function identifyInstrument(text: string): Instrument {
  const option = readOption(text) ?? readOption(text.toUpperCase());
  if (option !== undefined) return { kind: 'option', asset: formatOption(option), option };
  const future = readFuture(text);
  if (future !== undefined) return { kind: 'future', asset: formatFuture(future), future };
  return isCurrencyPair(text) ? { kind: 'currencies', asset: text } : { kind: 'asset', asset: text };
}

/**
 * Returns whether a text is a pair of two government currencies: `EURUSD`, `EUR/USD`, `EURUSD.pro`. Gold and silver do
 * not count.
 */
export function isCurrencyPair(text: string): boolean {
  const [, base = '', quote = ''] =
    /^([A-Z]{3})[-/_. ]?([A-Z]{3})(?:[._#+-]?[a-z0-9]{1,4}|=X)?$/.exec(text.trim()) ?? [];
  return base !== quote && isStateCurrency(base) && isStateCurrency(quote);
}

function isStateCurrency(code: string): boolean {
  return isCurrency(code) && !code.startsWith('X');
}

/** Returns the units, or dollars per point, of one contract. Null for a future without a known multiplier. */
export function unitsPerContract(
  instrument: Instrument,
  stated: Quantity | null,
  multipliers: Readonly<Record<string, string>> = {},
): Quantity | null {
  if (instrument.kind === 'option') return (unitsOfPrice(instrument.option) * oneUnit) as Quantity;
  if (instrument.kind !== 'future') return oneUnit as Quantity;
  const { root, multiplier } = instrument.future;
  const known = multipliers[root] ?? multiplier;
  return known === null ? stated : scaled(known);
}

const oneUnit = 10n ** 18n;

function scaled(decimal: string): Quantity {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(18, '0').slice(0, 18)}`) as Quantity;
}

/** Parses a word that means that a trade opens or closes a position. */
export function effectOfWord(word: string): 'open' | 'close' | undefined {
  const plain = word.trim().toLowerCase().replace(/^to /, '');
  if (/^(?:o|open|opens|opened|opening)$/.test(plain)) return 'open';
  return /^(?:c|close|closes|closed|closing)$/.test(plain) ? 'close' : undefined;
}

/** Returns the type of a trade. Option contracts are opened and closed, and everything else is bought and sold. */
export function typeOfTrade(
  type: TransactionType,
  effect: 'open' | 'close' | undefined,
  { kind }: Instrument,
): TransactionType {
  const opened = effect === undefined ? type : (openings[`${type} ${effect}`] ?? type);
  return kind === 'option' ? (ofContracts[opened] ?? opened) : (ofShares[opened as OptionTrade] ?? opened);
}

const openings: Readonly<Record<string, OptionTrade>> = {
  'buy open': 'buy_to_open',
  'buy close': 'buy_to_close',
  'sell open': 'sell_to_open',
  'sell close': 'sell_to_close',
};
const ofShares: Readonly<Record<OptionTrade, TransactionType>> = {
  buy_to_open: 'buy',
  sell_to_close: 'sell',
  sell_to_open: 'short_sell',
  buy_to_close: 'cover',
};
const ofContracts: Readonly<Partial<Record<TransactionType, TransactionType>>> = {
  short_sell: 'sell_to_open',
  cover: 'buy_to_close',
};
