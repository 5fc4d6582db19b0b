import { type Cents, divideRounded, formatCents, roundToCents } from '../base/decimal.ts';
import type { TaxYearSummary, Totals } from '../engine/model.ts';

/** Formats the year's figures for the summary and the JSON report, with two decimals, and a minus sign if negative. */
export function formatFigures(summary: TaxYearSummary) {
  const { contracts1256 } = summary;
  return {
    shortTerm: totalsText(summary.shortTerm),
    longTerm: totalsText(summary.longTerm),
    total: totalsText(summary.total),
    missingBasis: totalsText(summary.missingBasis),
    washSaleDisallowed: formatCents(summary.washSaleDisallowed),
    washSalePermanent: formatCents(summary.washSalePermanent),
    boxes: summary.boxes.map((box) => ({ box: box.box, ...totalsText(box) })),
    assets: summary.assets.map((asset) => ({
      asset: asset.asset,
      assetClass: asset.assetClass,
      ...totalsText(asset),
    })),
    income: summary.income.map(({ type, amount, count }) => ({
      type,
      amount: formatCents(roundToCents(amount)),
      count,
    })),
    contracts1256: {
      gain: formatCents(contracts1256.gain),
      short: formatCents(contracts1256.short),
      long: formatCents(contracts1256.long),
      count: contracts1256.count,
    },
  };
}

export function totalsText(totals: Totals) {
  return {
    proceeds: formatCents(totals.proceeds),
    basis: formatCents(totals.basis),
    adjustment: formatCents(totals.adjustment),
    gain: formatCents(totals.gain),
    count: totals.count,
  };
}

/** Formats dollars and cents for forms: `1,234.50`, or `(1,234.50)` if negative. */
export function printCents(cents: Cents): string {
  const magnitude = cents < 0n ? -cents : cents;
  const digits = magnitude.toString().padStart(3, '0');
  return parenthesized(cents < 0n, `${groupDigits(digits.slice(0, -2))}.${digits.slice(-2)}`);
}

/** Formats cents that are already rounded to whole dollars: `1,235`, or `(1,235)` if negative. */
export function printDollars(cents: Cents): string {
  const dollars = (cents < 0n ? -cents : cents) / 100n;
  return parenthesized(cents < 0n, groupDigits(dollars.toString()));
}

export function printAmount(cents: Cents, wholeDollars: boolean): string {
  return wholeDollars ? printDollars(cents) : printCents(cents);
}

/**
 * Rounds 1.49 to 1.00, 1.50 to 2.00 and (1.50) to (2.00): half away from zero (i8949, "Rounding Off to Whole Dollars").
 */
export function roundToDollars(cents: Cents): Cents {
  return (divideRounded(cents, 100n) * 100n) as Cents;
}

export function addCents(amounts: Iterable<Cents>): Cents {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum as Cents;
}

function parenthesized(negative: boolean, text: string): string {
  return negative ? `(${text})` : text;
}

/** `1,234` */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
