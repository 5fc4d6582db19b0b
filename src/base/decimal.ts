import Decimal from 'decimal.js';
import { limits } from './limits.ts';

/**
 * Exact numbers. Money and quantities are scaled integers and never floating point. decimal.js is used only here, where
 * input needs more than integers (price × quantity).
 */

declare const unit: unique symbol;

/** US dollars in units of 10⁻⁸, as sources state them. */
export type Money = bigint & { readonly [unit]: 'money' };
/** US dollars in cents, as forms state them. */
export type Cents = bigint & { readonly [unit]: 'cents' };
/** Units of an asset in 10⁻¹⁸: shares, coins, contracts. */
export type Quantity = bigint & { readonly [unit]: 'quantity' };

export const moneyDecimals = 8;
export const quantityDecimals = 18;

export const zeroMoney = 0n as Money;
export const zeroCents = 0n as Cents;
export const zeroQuantity = 0n as Quantity;

const moneyPerCent = 1_000_000n;
const plainDecimal = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** Significant digits of a product. */
const precision = 80;
const Exact = Decimal.clone({ precision, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -60, toExpPos: 60 });

/**
 * Parses dollars as a plain decimal (`1234.5`, `-0.00000001`) between two positions in a text. Returns undefined if the
 * text is not a number, has more than 8 decimals, or exceeds the limit.
 */
export function parseMoney(text: string, from = 0, to = text.length): Money | undefined {
  if (to - from > limits.valueCharacters) return undefined;
  return parseScaled(text, moneyDecimals, limits.moneyDigits, from, to) as Money | undefined;
}

/**
 * Parses units in the same way. Returns undefined if the text is not a number, has more than 18 decimals, or exceeds
 * the limit.
 */
export function parseQuantity(text: string, from = 0, to = text.length): Quantity | undefined {
  if (to - from > limits.valueCharacters) return undefined;
  return parseScaled(text, quantityDecimals, limits.quantityDigits, from, to) as Quantity | undefined;
}

/** Parses dollars in our own format. Computed amounts can exceed the limits of accepted input. */
export function parseWrittenMoney(text: string): Money | undefined {
  return parseScaled(text, moneyDecimals, Number.POSITIVE_INFINITY, 0, text.length) as Money | undefined;
}

/** Parses units in our own format. */
export function parseWrittenQuantity(text: string): Quantity | undefined {
  return parseScaled(text, quantityDecimals, Number.POSITIVE_INFINITY, 0, text.length) as Quantity | undefined;
}

/** Returns whether an amount exceeds the limit for a single input. */
export function exceedsMoney(money: bigint): boolean {
  return money >= moneyEnd || money <= moneyStart;
}

/** Returns whether a quantity exceeds the limit for a single input. */
export function exceedsQuantity(quantity: bigint): boolean {
  return quantity >= quantityEnd || quantity <= quantityStart;
}

const moneyEnd = 10n ** BigInt(limits.moneyDigits + moneyDecimals);
const quantityEnd = 10n ** BigInt(limits.quantityDigits + quantityDecimals);
// A minus sign in a comparison creates a new number, which takes five times as long as the comparison.
const [moneyStart, quantityStart] = [-moneyEnd, -quantityEnd];

/** Formats money as `1234.50` or `0.00000001`, with two to eight decimals. */
export function formatMoney(money: Money): string {
  return moneyText(money.toString());
}

/** Does the same as formatMoney, from the digits of the whole number. */
export function moneyText(digits: string): string {
  return withPoint(digits, moneyDecimals, 2);
}

/** Formats cents as `1234.50` or `-0.07`. */
export function formatCents(cents: Cents): string {
  // Handles nearly all amounts in a third of the time that the digits of a bigint take.
  if (cents > -smallCents && cents < smallCents) {
    const small = Math.abs(Number(cents));
    const part = small % 100;
    return `${cents < 0n ? '-' : ''}${(small - part) / 100}.${part < 10 ? '0' : ''}${part}`;
  }
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Formats an amount for display: `$1,250.50`. */
export function formatDollars(cents: Cents): string {
  const text = formatCents(cents < 0n ? (-cents as Cents) : cents).replace(/\B(?=(?:\d{3})+\.)/g, ',');
  return `${cents < 0n ? '-' : ''}$${text}`;
}

const smallCents = 2n ** 31n;

/** Formats units as `0.000000000000000001` or `10`, without trailing zeros or an exponent. */
export function formatQuantity(quantity: Quantity): string {
  return quantityText(quantity.toString());
}

/** Does the same as formatQuantity, from the digits of the whole number. */
export function quantityText(digits: string): string {
  return withPoint(digits, quantityDecimals, 0);
}

/** Rounds to cents. Half a cent or more rounds away from zero: i8949, "Rounding Off", applied to the magnitude. */
export function roundToCents(money: Money): Cents {
  const cents = money / moneyPerCent;
  return (cents * moneyPerCent === money ? cents : divideRounded(money, moneyPerCent)) as Cents;
}

/** Returns an amount of whole cents, or null if it has a fraction of a cent. */
export function toWholeCents(money: Money): Cents | null {
  const cents = money / moneyPerCent;
  return cents * moneyPerCent === money ? (cents as Cents) : null;
}

export function centsToMoney(cents: Cents): Money {
  return (cents * moneyPerCent) as Money;
}

/** Returns total × part ÷ whole, rounded half away from zero. `whole` is not zero. */
export function proportion(total: bigint, part: bigint, whole: bigint): bigint {
  if (part === whole) return total;
  return divideRounded(total * part, whole);
}

/** Returns numerator ÷ denominator, rounded half away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const towardsZero = numerator / denominator;
  const rest = numerator - towardsZero * denominator;
  if (rest === 0n) return towardsZero;
  const twice = rest < 0n ? -2n * rest : 2n * rest;
  if (twice < (denominator < 0n ? -denominator : denominator)) return towardsZero;
  return numerator < 0n === denominator < 0n ? towardsZero + 1n : towardsZero - 1n;
}

/**
 * Multiplies a unit price by a quantity, both plain decimals. Returns dollars rounded to 8 decimals, or undefined if
 * either is not a number. The product can exceed the limit for a single input.
 */
export function priceTimesQuantity(price: string, quantity: string): Money | undefined {
  if (!isPlain(price) || !isPlain(quantity)) return undefined;
  if (price.length + quantity.length <= precision) return multiplyPlain(price, quantity);
  const value = new Exact(price).times(new Exact(quantity)).toDecimalPlaces(moneyDecimals);
  return parseWrittenMoney(value.toFixed(moneyDecimals));
}

/** Does the same with whole numbers, a tenth of the time, for a product that `Exact` does not round. */
function multiplyPlain(price: string, quantity: string): Money {
  const product = BigInt(price.replace('.', '')) * BigInt(quantity.replace('.', ''));
  const extra = countDecimals(price) + countDecimals(quantity) - moneyDecimals;
  return (extra <= 0 ? product * 10n ** BigInt(-extra) : divideRounded(product, 10n ** BigInt(extra))) as Money;
}

function countDecimals(plain: string): number {
  const point = plain.indexOf('.');
  return point === -1 ? 0 : plain.length - point - 1;
}

function isPlain(number: string): boolean {
  return number.length <= limits.valueCharacters && plainDecimal.test(number) && /\d/.test(number);
}

/**
 * Formats a number that was stored as a double, without an exponent. A program may write 33.3 as 33.299999999999997;
 * the result is 33.3. Does not change text, or a number with more digits than a double holds.
 */
export function formatDouble(value: string): string {
  const text = value.trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) return text;
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '').length;
  const exact = new Exact(text);
  if (digits <= exactDigits || digits > doubleDigits) return exact.toFixed();
  const shown = exact.toSignificantDigits(exactDigits);
  return (shown.precision() <= shortDigits ? shown : new Exact(String(Number(text)))).toFixed();
}

/** Every decimal of 15 digits survives being stored as a double. Writing a double exactly takes 17. */
const [exactDigits, doubleDigits] = [15, 17];
/** A number that rounds to at most this number of digits was a short one. */
const shortDigits = 12;

/**
 * Reads a number in one pass over its characters. Nearly all numbers have at most thirty digits, which are read as two
 * limbs that a double holds exactly. This is eight times as fast as splitting the text.
 */
function parseScaled(
  text: string,
  decimals: number,
  wholeDigitsMax: number,
  from: number,
  to: number,
): bigint | undefined {
  const isNegative = from < to && text.charCodeAt(from) === minus;
  const isSigned = isNegative || (from < to && text.charCodeAt(from) === plus);
  let high = 0;
  let low = 0;
  let digits = 0;
  let point = -1;
  for (let at = isSigned ? from + 1 : from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === dot && point === -1) {
      point = digits;
      continue;
    }
    const digit = code - zero;
    if (digit < 0 || digit > 9) return undefined;
    if (digits < limbDigits) high = high * 10 + digit;
    else low = low * 10 + digit;
    digits++;
  }
  const missing = decimals - (point === -1 ? 0 : digits - point);
  if (digits === 0) return undefined;
  if (missing < 0 || digits > 2 * limbDigits || (point === -1 ? digits : point) > wholeDigitsMax) {
    return scaledLong(text.slice(from, to), decimals, wholeDigitsMax);
  }
  const magnitude =
    digits <= limbDigits
      ? shiftDecimals(high, missing)
      : shiftDecimals(high, digits - limbDigits + missing) + shiftDecimals(low, missing);
  return isNegative ? -magnitude : magnitude;
}

const [plus, minus, dot, zero] = [43, 45, 46, 48];
/** A double holds every whole number of fifteen digits. */
const limbDigits = 15;
const powers = Array.from({ length: limbDigits + quantityDecimals + 1 }, (_, exponent) => 10 ** exponent);
const bigPowers = Array.from({ length: powers.length }, (_, exponent) => 10n ** BigInt(exponent));

/**
 * Multiplies an integer by a power of ten. Small integers and their products are kept, because numbers of shares and
 * fees repeat, and finding one takes a quarter of the time that creating a bigint takes.
 */
function shiftDecimals(whole: number, exponent: number): bigint {
  if (whole > smallMax) return multiplyByPower(whole, exponent);
  const slot = (whole * 33 + exponent) & (productsMax - 1);
  if (shiftedWholes[slot] !== whole || shiftedExponents[slot] !== exponent) {
    products[slot] = multiplyByPower(whole, exponent);
    shiftedWholes[slot] = whole;
    shiftedExponents[slot] = exponent;
  }
  return products[slot] as bigint;
}

const smallMax = 2 ** 24;
const productsMax = 1024;
const shiftedWholes = new Int32Array(productsMax).fill(-1);
const shiftedExponents = new Int8Array(productsMax);
const products = new Array<bigint>(productsMax).fill(0n);

/** Uses doubles if the product is exact, which is three times as fast. */
function multiplyByPower(whole: number, exponent: number): bigint {
  const product = whole * (powers[exponent] ?? Number.NaN);
  return product <= Number.MAX_SAFE_INTEGER ? BigInt(product) : BigInt(whole) * (bigPowers[exponent] ?? 1n);
}

/** Handles numbers with more digits, and extra decimals that are zeros. */
function scaledLong(text: string, decimals: number, wholeDigitsMax: number): bigint | undefined {
  const match = plainDecimal.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole.length + fraction.length === 0) return undefined;
  const significantFraction = fraction.length > decimals ? fraction.replace(/0+$/, '') : fraction;
  if (significantFraction.length > decimals) return undefined;
  const significantWhole = whole.replace(/^0+/, '');
  if (significantWhole.length > wholeDigitsMax) return undefined;
  const magnitude = BigInt(`${significantWhole}${significantFraction.padEnd(decimals, '0')}`);
  return sign === '-' ? -magnitude : magnitude;
}

/**
 * Formats a whole number divided by ten to the power of `decimals`, without trailing zeros but with at least `shown`
 * decimals.
 */
function withPoint(digits: string, decimals: number, shown: number): string {
  const first = digits.charCodeAt(0) === minus ? 1 : 0;
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > first && end > point + shown && digits.charCodeAt(end - 1) === zero) end--;
  if (point > first)
    return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
  const whole = first === 1 ? '-0' : '0';
  if (end === first) return shown === 0 ? whole : `${whole}.${zeros.slice(0, shown)}`;
  return `${whole}.${zeros.slice(0, first - point)}${digits.slice(first, end)}`;
}

const zeros = '0'.repeat(quantityDecimals);
