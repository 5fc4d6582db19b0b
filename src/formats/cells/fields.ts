import {
  type Money,
  moneyDecimals,
  parseMoney,
  parseQuantity,
  type Quantity,
  quantityDecimals,
} from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import { isCurrencyCode, signPattern } from './currency-signs.ts';

/**
 * Parses numbers in exports exactly, from text to scaled integers, without using floats. A text that exceeds the limits
 * matches no pattern, so it is not a number.
 */

/** Texts that sources write in place of an empty cell. */
const nothings = new Set(['', '-', '--', 'n/a', 'na', 'null', 'none', 'not available']);

export function saysNone(text: string): boolean {
  if (text.length > limits.valueCharacters) return false;
  const first = text.charCodeAt(0);
  if (first >= 48 && first <= 57) return false;
  return nothings.has(text.trim().toLowerCase());
}

/**
 * Converts a number to a plain decimal (`-1234.5`). Accepts thousands separators, a currency sign or code before or
 * after the number, a sign before or after the currency sign, parentheses for negatives, and an exponent. Returns
 * undefined for any other text, such as `1O0`, and for `1,23` and `1.234,56`, because a wrong guess would be off by
 * orders of magnitude.
 */
export function plainNumber(text: string): string | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  return signedNumber(text)?.plain;
}

interface SignedNumber {
  readonly plain: string;
  readonly signs: readonly string[];
}

/** Same as `plainNumber`, and also returns the currency signs and codes next to the number. */
export function signedNumber(text: string): SignedNumber | undefined {
  const known = recent.get(text);
  if (known !== undefined || recent.has(text)) return known;
  const number = parseSignedNumber(text);
  if (recent.size >= recentMax) recent.clear();
  recent.set(text, number);
  return number;
}

/** The last numbers parsed, because a reader needs the numbers of a row several times. */
const recent = new Map<string, SignedNumber | undefined>();
const recentMax = 64;

function parseSignedNumber(text: string): SignedNumber | undefined {
  let rest = text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
  let negative = false;
  const bracketed = /^\((.*)\)$/.exec(rest) ?? /^([^()]*)\(([^()]*)\)$/.exec(rest);
  if (bracketed !== null) {
    negative = true;
    rest = bracketed.slice(1).join('').trim();
  }
  const match = numberShape.exec(rest);
  if (match === null) return undefined;
  const [, firstSign = '', before = '', secondSign = '', digits = '', exponent = '', after = ''] = match;
  // `12 BTC` is a number with a unit, which is accepted only for quantities.
  if (/^[A-Z]{3}$/.test(after) && !isCurrencyCode(after)) return undefined;
  const minus = (firstSign + secondSign).replace('\u2212', '-');
  if (minus.length > 1 || (negative && minus !== '')) return undefined;
  const unsigned = withoutThousands(digits);
  if (unsigned === undefined) return undefined;
  const shifted = exponent === '' ? unsigned : shiftPoint(unsigned, Number(exponent));
  if (shifted === undefined) return undefined;
  const plain = negative || minus === '-' ? `-${shifted}` : shifted;
  return { plain, signs: [before, after].filter((sign) => sign !== '') };
}

const numberShape = new RegExp(
  `^([+\\-\u2212]?) ?(${signPattern})? ?([+\\-\u2212]?)([\\d,]*(?:\\.\\d*)?)(?:[eE]([+-]?\\d{1,3}))?(?: ?(${signPattern}))?$`,
);

/** Returns the currency signs and codes next to a number in any style. Empty for a bare number or other text. */
export function readCurrencySigns(text: string): readonly string[] {
  if (isBare(text) || text.length > limits.valueCharacters) return noSigns;
  // In every style, the digits and separators are between the signs.
  return signedNumber(text.replace(/\d(?:[\d.,\s\u00a0\u202f]*\d)?/, '0'))?.signs ?? noSigns;
}

const noSigns: readonly string[] = [];

/** Returns whether a text begins and ends like a number without a currency sign, as most numbers do. */
function isBare(text: string): boolean {
  const minus = text.charCodeAt(0) === 45 ? 1 : 0;
  return isDigitAt(text, minus) && isDigitAt(text, text.length - 1);
}

function isDigitAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

/** `decimal comma` means `1.234,56` and `0,05`. `either` is for a service whose files use both styles. */
export type NumberStyle = 'decimal point' | 'decimal comma' | 'either';

/** Same as `plainNumber`, for a number in the given style. */
export function toPlainNumber(text: string, style: NumberStyle = 'decimal point'): string | undefined {
  if (style === 'decimal point') return plainNumber(text);
  return style === 'decimal comma' ? commaNumber(text) : (plainNumber(text) ?? commaNumber(text));
}

/**
 * Reads a comma as the decimal separator, and also a single point. If that point could separate thousands, the number
 * is ambiguous and rejected.
 */
function commaNumber(text: string): string | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  const core = /\d[\d.,\s\u00a0\u202f]*\d|\d/.exec(text)?.[0];
  if (core === undefined) return undefined;
  const digits = core.replace(/[\s\u00a0\u202f](?=\d{3}(?!\d))/g, '');
  if (/^(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/.test(digits) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(digits)) {
    return plainNumber(text.replace(core, digits.replaceAll('.', '').replace(',', '.')));
  }
  return /^[1-9]\d{0,2}\.\d{3}$/.test(digits) ? undefined : plainNumber(text.replace(core, digits));
}

/**
 * Splits a number from the unit after it: `0.5 BTC`, `500DOGE`, `(0.07 BTC)`, `4.5S`. The unit is '' if the text has
 * none.
 */
export function splitUnit(text: string): { number: string; unit: string } {
  const written = text.trimEnd();
  const closes = written.endsWith(')') ? ')' : '';
  const end = written.length - closes.length;
  for (let start = Math.max(end - unitLengthMax, 1); start < end; start++) {
    const before = written.slice(0, start).trimEnd();
    if (!/[\d.]$/.test(before.slice(-1)) || !unitShape.test(written.slice(start, end))) continue;
    return { number: `${before}${closes}`, unit: written.slice(start, end) };
  }
  return { number: text, unit: '' };
}

const unitLengthMax = 12;
const unitShape = /^[A-Za-z][A-Za-z0-9]*$/;

/** Returns undefined if the cell is not a number or has more than 8 decimals. Plain numbers take a fast path. */
export function readMoney(text: string): Money | undefined {
  return parseMoney(text) ?? parseIfPlain(plainNumber(text), parseMoney);
}

/** Returns undefined if the cell is not a number or has more than 18 decimals. */
export function readQuantity(text: string): Quantity | undefined {
  return parseQuantity(text) ?? parseIfPlain(plainNumber(text), parseQuantity);
}

function parseIfPlain<T>(plain: string | undefined, parse: (plain: string) => T | undefined): T | undefined {
  return plain === undefined ? undefined : parse(plain);
}

/**
 * Same as `readMoney`, but rounds to 8 decimals, half away from zero, because exchanges print noise in further digits.
 */
export function readMoneyRounded(text: string): Money | undefined {
  return parseMoney(text) ?? parseIfPlain(plainNumber(text), (plain) => parseMoney(roundedAt(plain, moneyDecimals)));
}

/** Same as `readQuantity`, but rounds to 18 decimals, half away from zero. */
export function readQuantityRounded(text: string): Quantity | undefined {
  return (
    parseQuantity(text) ?? parseIfPlain(plainNumber(text), (plain) => parseQuantity(roundedAt(plain, quantityDecimals)))
  );
}

function withoutThousands(digits: string): string | undefined {
  if (!/\d/.test(digits)) return undefined;
  if (!digits.includes(',')) return digits;
  // `0,766` is not 766: a group of thousands never begins with zero.
  return /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(digits) ? digits.replaceAll(',', '') : undefined;
}

const exponentMax = 40;

function shiftPoint(plain: string, exponent: number): string | undefined {
  if (Math.abs(exponent) > exponentMax) return undefined;
  const [whole = '', fraction = ''] = plain.split('.');
  const padded = `${'0'.repeat(exponentMax)}${whole}${fraction}${'0'.repeat(exponentMax)}`;
  const point = exponentMax + whole.length + exponent;
  const shifted = `${padded.slice(0, point).replace(/^0+/, '')}.${padded.slice(point).replace(/0+$/, '')}`;
  return shifted === '.' ? '0' : shifted.replace(/\.$/, '');
}

function roundedAt(plain: string, decimals: number): string {
  const [whole = '', fraction = ''] = plain.split('.');
  if (fraction.length <= decimals) return plain;
  const negative = whole.startsWith('-');
  const kept = BigInt(`${whole.replace(/^[+-]/, '') || '0'}${fraction.slice(0, decimals)}`);
  const rounded = (kept + (fraction.charCodeAt(decimals) >= 53 ? 1n : 0n)).toString().padStart(decimals + 1, '0');
  return `${negative ? '-' : ''}${rounded.slice(0, -decimals)}.${rounded.slice(-decimals)}`;
}
