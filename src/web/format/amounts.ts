/** An exact decimal as the API returns it: `-1234.50`. Never a float: `Intl` formats the string itself. */
export type DecimalText = string;

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', currencySign: 'accounting' });
const shortDollars = new Intl.NumberFormat('en-US', {
  ...{ style: 'currency', currency: 'USD', notation: 'compact', maximumFractionDigits: 1 },
});
const prices = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 8 });
const units = new Intl.NumberFormat('en-US', { maximumFractionDigits: 18 });
const counts = new Intl.NumberFormat('en-US');

/** Formats `$1,234.50`, with losses in parentheses as on the forms. */
export const money = (amount: DecimalText): string => dollars.format(amount as Intl.StringNumericLiteral);

/** Formats the price of one unit, `$1.0867`, with all decimals, from 2 up to 8. */
export const price = (amount: DecimalText): string => prices.format(amount as Intl.StringNumericLiteral);

/** Formats `$20K`, for the axis of a chart. */
export function shortMoney(amount: DecimalText): string {
  return shortDollars.format(amount as Intl.StringNumericLiteral);
}

/** Groups the digits of the quantities in a sentence: `for all 12345.678` becomes `for all 12,345.678`. */
export const groupDigits = (text: string): string => text.replaceAll(/(?<![\d.])\d{4,}(\.\d+)?/g, quantity);

/** Formats `1,234.567` with all decimals, up to 18. */
export const quantity = (amount: DecimalText): string => units.format(amount as Intl.StringNumericLiteral);

export const count = (number: number): string => counts.format(number);

/** Formats `1 row` or `2 rows`. */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${counts.format(number)} ${number === 1 ? one : many}`;
}

export const isNegative = (amount: DecimalText): boolean => amount.startsWith('-') && !isZero(amount);

export const isZero = (amount: DecimalText): boolean => /^[-+]?[0.]*$/.test(amount);

/** Returns the amount times 10¹⁸, exactly, to sort and to compare. */
export function scaled(amount: DecimalText): bigint {
  const [whole = '0', decimals = ''] = amount.replace(/^[-+]/, '').split('.');
  const units = BigInt(whole + decimals.slice(0, 18).padEnd(18, '0'));
  return amount.startsWith('-') ? -units : units;
}

/** Adds amounts of money exactly. */
export function sumMoney(amounts: readonly DecimalText[]): DecimalText {
  const sum = amounts.reduce((sum, amount) => sum + scaled(amount), 0n);
  const digits = String(abs(sum)).padStart(19, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18, -16)}`;
}

/** Formats `12.3%`, the share of `part` in `whole`. Null if there is no share. */
export function formatShare(part: DecimalText, whole: DecimalText): string | null {
  const [share, all] = [scaled(part), scaled(whole)];
  if (all <= 0n) return null;
  const tenths = (abs(share) * 2000n + all) / (2n * all);
  const text = `${counts.format(tenths / 10n)}.${tenths % 10n}%`;
  return share < 0n && tenths > 0n ? `−${text}` : text;
}

export const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a size as `1.2 MB`. */
export function bytes(size: number): string {
  const at = size < 1_000 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(size) / 3));
  return new Intl.NumberFormat('en-US', {
    style: 'unit',
    unit: byteUnits[at],
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at < 2 ? 0 : 1,
  }).format(size / 1_000 ** at);
}
