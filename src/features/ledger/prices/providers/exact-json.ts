import { parseQuantity, type Quantity } from '../../../../base/decimal.ts';
import { ProviderFault } from './provider.ts';

/** Parses JSON with numbers as text, because floating point would change their digits. */
export function exactJson(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  try {
    return JSON.parse(quoted);
  } catch {
    throw new ProviderFault('The response is not valid JSON.', true);
  }
}

/**
 * Parses a price, including scientific notation such as `1.5e-7`. Truncates extra decimals. Returns undefined unless
 * the price is positive.
 */
export function parseJsonPrice(value: unknown): Quantity | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(typeof value === 'string' ? value : '');
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, -shift))}${whole}${fraction}${'0'.repeat(Math.max(0, shift))}`;
  const point = whole.length + Math.max(0, -shift) + shift;
  const plain = `${digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0'}.${digits.slice(point).slice(0, decimalsMax)}`;
  const price = parseQuantity(plain.replace(/\.$/, ''));
  return price === undefined || price <= 0n ? undefined : price;
}

const decimalsMax = 18;
