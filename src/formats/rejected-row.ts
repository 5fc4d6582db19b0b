import type { Money } from '../base/decimal.ts';
import { magnitude } from './cells/amounts.ts';
import { normalizeHeader } from './cells/cells.ts';
import { readMoneyRounded, toPlainNumber } from './cells/fields.ts';

/** Money columns by name, most likely first. */
const moneyNames: readonly RegExp[] = [
  /^(?:net )?(?:amount|total)\b|^total (?:amount|value)|\bamount (?:\(?\$\)?|usd)/,
  /\b(?:amount|total|proceeds|subtotal|net|betrag|importe|montant)\b/,
  /\b(?:value|cash|cost|basis|worth)\b/,
];
/** Columns whose number is not a payment. */
const otherNames = /\b(?:price|balance|rate|fee|fees|commission|tax|quantity|units|shares|crypto|asset)\b/;

/**
 * Returns a rejected row's money, without a sign. Uses the header if the row has one cell per column. Null if no money
 * column contains a number.
 */
export function amountOfRow(header: readonly string[], cells: readonly string[]): Money | null {
  const names = header.map(normalizeHeader);
  if (names.length < cells.length - 1) return null;
  for (const shape of moneyNames) {
    for (const [columnIndex, name] of names.entries()) {
      if (!shape.test(name) || otherNames.test(name)) continue;
      const text = (cells[columnIndex] ?? '').trim().slice(0, textMax);
      const amount = readMoneyRounded(toPlainNumber(text, 'either') ?? '');
      if (amount !== undefined && amount !== 0n) return magnitude(amount);
    }
  }
  return null;
}

const textMax = 60;
