import { isCurrency } from '../cells/currencies.ts';
import { isCurrencyCode, isSignOf, resolveCurrency, signsOfHeader } from '../cells/currency-signs.ts';
import { type NumberStyle, signedNumber, toPlainNumber } from '../cells/fields.ts';
import { quoteRank } from '../tables/pairs.ts';
import { plainWords } from './type-words.ts';

/** The number in a cell and the unit next to it: `0.5 BTC`, `£1,012.95`, `(2,800.00)`. */
interface Measure {
  /** A plain decimal. */
  readonly number: string;
  /** The currency sign or code as written, or a coin in uppercase. '' if the cell contains only a number. */
  readonly unit: string;
}

/** Returns undefined if the cell contains no number, or two units. */
export function readMeasure(text: string, style: NumberStyle = 'decimal point'): Measure | undefined {
  const trimmed = text.trim();
  if (trimmed.length > lengthMax) return undefined;
  const bare = /[\p{L}\p{Sc}]/u.test(trimmed.replace(/\d[eE][+-]?\d/, '')) ? undefined : toPlainNumber(trimmed, style);
  if (bare !== undefined) return { number: bare, unit: '' };
  const match = unitShape.exec(trimmed);
  if (match === null) return undefined;
  const whole = match[0].replace(/^[-+(]/, '');
  const from = match.index + match[0].length - whole.length;
  const rest = `${trimmed.slice(0, from)} ${trimmed.slice(from + whole.length)}`
    .replace(/^([-+(]+) /, '$1')
    .replace(/ \)$/, ')');
  const number = toPlainNumber(rest.trim(), style);
  if (number === undefined || /[\p{L}\p{Sc}]/u.test(rest.replace(/\d[eE][+-]?\d/, ''))) return readTwoSigns(trimmed);
  // A code before a number is a currency, because coins come after it.
  if (/^[A-Z]{3}$/.test(whole) && from < 2 && !isCurrencyCode(whole)) return { number, unit: `?${whole}` };
  return { number, unit: /^[a-z][a-z0-9]*$/i.test(whole) && !isSign(whole) ? whole.toUpperCase() : whole };
}

/** Reads a number with two signs, such as `$5 CAD`. The signs must mean the same currency. */
function readTwoSigns(text: string): Measure | undefined {
  const read = signedNumber(text);
  if (read === undefined) return undefined;
  return { number: read.plain, unit: resolveCurrency(read.signs, '') ?? `?${read.signs.join('')}` };
}

/** Returns whether a cell's unit is compatible with the row's. A dollar sign fits any kind of dollar. */
export function agrees(unit: string, stated: string): boolean {
  return isSignOf(unit, stated);
}

/** Returns a unit's default meaning. '' for a currency sign without one. */
export function resolveUnit(unit: string): string {
  return isSign(unit) ? (resolveCurrency([unit], '') ?? '') : unit;
}

function isSign(unit: string): boolean {
  return /[^A-Za-z0-9]/.test(unit) || signWords.has(unit);
}

/** Returns the unit in a header: `Price (EUR)`, `Fee USD`, `Amount in £`. '' if there is none. */
export function unitOfHeader(name: string): string {
  const [sign] = signsOfHeader(name.slice(0, lengthMax));
  if (sign !== undefined && !homonyms.has(sign)) return sign;
  if (name.slice(0, lengthMax).includes('円')) return 'JPY';
  const words = name
    .slice(0, lengthMax)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/);
  return (
    words
      .find((word) => /^(?:[A-Z]{3}|[a-z]{3})$/.test(word) && isCurrency(word) && !homonyms.has(word))
      ?.toUpperCase() ?? ''
  );
}

/**
 * Returns the coin that a header names next to a quantity: `btc_amount`, `Fee (ETH)`. '' unless there is exactly one.
 */
export function coinOfHeader(name: string): string {
  const words = plainWords(name.slice(0, lengthMax)).toUpperCase().split(' ');
  const [coin = '', ...others] = new Set(words.filter((word) => !isCurrency(word) && quoteRank(word) > 0));
  return others.length === 0 ? coin : '';
}

const lengthMax = 100;
const unitShape =
  /(?:US|CAD|CDN|CA|AUD|AU|NZ|HK|CN|JP|MX|SG|NT|[RSCAU])?[$¥]|\p{Sc}|^[-+(]?(?:[A-Z]{3}|s?S?Fr\.?|kr\.?|Rs\.?|zł|Kč|Ft|R)(?= ?[-+\d])|(?<=[\d.] ?)(?:\p{Lu}[\p{L}\d]{0,11}|zł|kr|lei)\.?(?=\)?$)/u;
/** Currency signs that are letters. */
const signWords: ReadonlySet<string> = new Set(['zł', 'Kč', 'kr', 'Fr', 'Ft', 'lei', 'Rs', 'SFr', 'sFr', 'R']);
/** Currency codes that are also words. */
const homonyms: ReadonlySet<string> = new Set(['try', 'TRY', 'all', 'cop', 'pen', 'top', 'sek', 'ron']);
