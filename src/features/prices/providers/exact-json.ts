import { parseQuantity, type Quantity } from '../../../base/decimal.ts';
import { ProviderFault } from './provider.ts';

/** JSON whose numbers are texts: as floating point they would not be what the service wrote. */
export function exactJson(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  try {
    return JSON.parse(quoted);
  } catch {
    throw new ProviderFault('Its answer is no JSON.', true);
  }
}

/** `1.5e-7` too. What has more decimals than are kept is cut off; undefined for what is no price above zero. */
export function priceOf(value: unknown): Quantity | undefined {
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
