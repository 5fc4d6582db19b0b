import type { Day } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { Box, Term } from '../../engine/model.ts';
import { noneIfZero } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { readOption } from '../cells/option-symbol.ts';
import { rejections } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { debtTerms } from './bonds.ts';
import { optionAsset } from './brokers.ts';

/** A sale that a broker matched and reported, on a line of Form 1099-B, 1099-DA or a list of realized gains. */
interface ReportedSale {
  readonly asset: string;
  readonly quantity: Quantity | null;
  /** Null for "various". */
  readonly acquired: Day | null;
  readonly proceeds: Money | null;
  readonly basis: Money | null;
  readonly wash?: Money | null;
  /** The accrued market discount (box 1f). Forms also show zero for assets that are not debt, so zero is ignored. */
  readonly marketDiscount?: Money | null;
  /** The broker's word: `Long Term`, `SHORT`. */
  readonly term?: string;
  readonly box?: string;
  /** The part of the correct basis that was taxed as wages, if `basis` leaves it out. */
  readonly wages?: Money | null;
  /** The offering date of an employee stock purchase plan. */
  readonly offered?: Day | null;
  /** Federal income tax withheld from the proceeds. */
  readonly withheld?: Money | null;
}

export function readReportedSale(
  cells: Cells,
  time: Time | null,
  columns: { readonly asset: string; readonly quantity: string; readonly proceeds: string },
  sale: ReportedSale,
  common: Partial<StatedFields> = {},
): Outcome {
  const option = readOption(sale.asset);
  if (sale.asset === '') cells.reject(columns.asset, rejections.requiredHere);
  const asset = option === undefined ? { asset: sale.asset } : optionAsset(option);
  const withheld = noneIfZero(sale.withheld ?? null);
  const marketDiscount = noneIfZero(sale.marketDiscount ?? null);
  const sold: StatedFields = {
    ...common,
    ...asset,
    ...readDebtTerms(sale.asset, marketDiscount),
    type: 'reported_sale',
    quantity: cells.need(columns.quantity, sale.quantity),
    acquired: sale.acquired,
    amount: cells.need(columns.proceeds, sale.proceeds),
    basis: sale.basis,
    wash: noneIfZero(sale.wash ?? null),
    term: readTerm(sale.term ?? ''),
    box: readBox(sale.box ?? ''),
    wages: noneIfZero(sale.wages ?? null),
    offered: sale.offered ?? null,
  };
  if (withheld === null) return cells.read(time, sold);
  return cells.read(time, sold, { ...common, ...asset, type: 'withholding', amount: withheld });
}

/**
 * Returns the debt terms in a line, based on its name (`FORD MTR CR 4.25% DUE 06/15/28`) or its market discount.
 * Excludes funds that hold bills.
 */
function readDebtTerms(name: string, marketDiscount: Money | null): Partial<StatedFields> {
  const terms = fundWords.test(name) ? null : debtTerms(name, name);
  if (terms === null && marketDiscount === null) return {};
  return { ...(terms ?? { assetClass: 'bond' }), marketDiscount };
}

const fundWords = /\b(?:ETF|ETN|FUND|FD|TRUST|TR|PFD|PREFERRED)\b/i;

export function readTerm(text: string): Term | null {
  return /^l/i.test(text) ? 'long' : /^s/i.test(text) ? 'short' : null;
}

function readBox(text: string): Box | null {
  return /^[A-L]$/.test(text) ? (text as Box) : null;
}

/**
 * Splits a text into units and name: `10 shares Fictional Company`, `0.5 BTC`, `100 sh. XYZ Co.`. The units are '' if
 * the text contains none.
 */
export function unitsAndName(text: string): { readonly units: string; readonly name: string } {
  const whole = text.trim();
  const units = /^[\d,]*(?:\.\d+)?/.exec(whole)?.[0] ?? '';
  const rest = whole.slice(units.length);
  // Uses two steps, each linear in the number of blanks between words.
  const afterUnits = rest.replace(/^\s*(?:shares?|sh\.?|units?|contracts?)?(?=\s)/i, '');
  const name = afterUnits.replace(/^\s+(?:of\s+)?/i, '');
  const isParted = /\d$/.test(units) && name !== afterUnits;
  return isParted ? { units, name: name.toUpperCase() } : { units: '', name: text.toUpperCase() };
}
