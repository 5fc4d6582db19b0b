import { startsFormula } from '../../base/csv.ts';
import { type Money, parseMoney, parseQuantity, type Quantity, quantityDecimals } from '../../base/decimal.ts';
import { limits } from '../../base/limits.ts';
import type { LotChoice, Ratio } from '../../engine/model.ts';
import { plainNumber, readMoney, readQuantity } from '../cells/fields.ts';
import { moneyNumber, type NumberKind, quantityNumber } from '../cells/number-kinds.ts';

/** How a kind of number is parsed in the Lotbook CSV. */

export interface Numbers<T> extends NumberKind {
  /** Parses the most common spelling, between two positions in a text. */
  readonly parse: (text: string, from: number, to: number) => T | undefined;
  /** Parses every accepted spelling. */
  readonly read: (text: string) => T | undefined;
}

export const moneys: Numbers<Money> = { ...moneyNumber, parse: parseMoney, read: readMoney };
export const quantities: Numbers<Quantity> = { ...quantityNumber, parse: parseQuantity, read: readQuantity };

/** Parses `b3:10;b1:5`: ids of opening rows, each with a quantity. Returns undefined for any other text. */
export function readLots(text: string): LotChoice[] | undefined {
  const lots: LotChoice[] = [];
  if (text.length > limits.noteCharacters) return undefined;
  for (const part of text.split(';').filter((one) => one.trim() !== '')) {
    const colon = part.lastIndexOf(':');
    const quantity = readQuantity(part.slice(colon + 1));
    const label = part.slice(0, Math.max(colon, 0)).trim();
    if (label === '' || quantity === undefined || quantity <= 0n) return undefined;
    lots.push({ label, quantity });
    if (lots.length > limits.lotsOfRow || label.length > limits.nameCharacters) return undefined;
  }
  return lots;
}

/**
 * Parses `3:1`, `0.7` or `0`: one or two plain decimals. Only the share of basis that a spin-off moves may be zero
 * (`findFault` in `cells/drafts.ts`). Returns undefined for any other text.
 */
export function readRatio(text: string): Ratio | undefined {
  if (text.length > limits.valueCharacters) return undefined;
  const parts = text.split(/[:/]/).map((part) => decimalParts(part.trim()));
  const [first, second = { digits: 1n, scale: 1n }] = parts;
  if (first === undefined || second === undefined || parts.length > 2) return undefined;
  if (parts.length === 2 && parts[1] === undefined) return undefined;
  const numerator = first.digits * second.scale;
  const denominator = second.digits * first.scale;
  return denominator > 0n ? { numerator, denominator } : undefined;
}

function decimalParts(text: string): { digits: bigint; scale: bigint } | undefined {
  const plain = plainNumber(text);
  if (plain === undefined || plain.startsWith('-')) return undefined;
  const [whole = '', fraction = ''] = plain.replace('+', '').split('.');
  if (whole.length > limits.quantityDigits || fraction.length > quantityDecimals) return undefined;
  return { digits: BigInt(`${whole}${fraction}`), scale: 10n ** BigInt(fraction.length) };
}

const apostrophe = 39;

/** Reverses `escapeFormula`: removes the apostrophe before free text that a spreadsheet would run as a formula. */
export function unescapeFormula(text: string): string {
  if (text.charCodeAt(0) !== apostrophe) return text;
  return startsFormula(text.replace(/^'+/, '')) ? text.slice(1) : text;
}
