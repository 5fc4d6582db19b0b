/**
 * Parses numbers and days with regular expressions and the platform's calendar, as a reference for the fast parsers.
 */

const plainDecimal = /^([+-]?)(\d*)(?:\.(\d*))?$/;

export function scaledPlainly(text: string, decimals: number, digitsMax: number): bigint | undefined {
  const match = plainDecimal.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole.length + fraction.length === 0) return undefined;
  const significantFraction = fraction.length > decimals ? fraction.replace(/0+$/, '') : fraction;
  if (significantFraction.length > decimals) return undefined;
  const significantWhole = whole.replace(/^0+/, '');
  if (significantWhole.length > digitsMax) return undefined;
  const magnitude = BigInt(`${significantWhole}${significantFraction.padEnd(decimals, '0')}`);
  return sign === '-' ? -magnitude : magnitude;
}

export function dayPlainly(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const at = new Date(Date.UTC(year, month - 1, day));
  const exists = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return exists && year >= 1900 && year <= 2100 ? at.getTime() / 86_400_000 : undefined;
}
