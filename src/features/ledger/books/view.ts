import { type Day, formatDay, longTermOn } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import type { Lot, LotMethod, Rules, TaxYearSummary } from '../../../engine/model.ts';
import { assumedForms } from '../../../forms/assumed-forms.ts';
import { formatFigures, totalsText } from '../../../forms/figures.ts';
import { urlSafe } from '../../../forms/lines.ts';
import type { CarriedLosses, Carryover } from './netting.ts';

/** The stored figures of a year: its totals, and the losses carried into and out of it. */
export interface YearBooks {
  readonly summary: TaxYearSummary;
  readonly carryover: Carryover;
}

export function summaryView(
  { summary, carryover }: YearBooks,
  rules: Rules,
  books: { readonly revision: string; readonly asOf: string | null },
) {
  return {
    year: summary.year,
    method: getDefaultMethod(rules, summary.year),
    ...formatFigures(summary),
    carryover: {
      in: carriedView(carryover.in),
      out: carriedView(carryover.out),
      deductible: formatCents(carryover.deductible),
    },
    assumedForms: assumedForms({ rules, summary }).map((one) => ({ ...one, boxes: [...one.boxes] })),
    issues: summary.issues,
    revision: books.revision,
    asOf: books.asOf,
  };
}

export function yearView(summary: TaxYearSummary) {
  return {
    year: summary.year,
    ...totalsText(summary.total),
    shortTermGain: formatCents(summary.shortTerm.gain),
    longTermGain: formatCents(summary.longTerm.gain),
    washSaleDisallowed: formatCents(summary.washSaleDisallowed),
    issues: summary.issues,
  };
}

/** Returns the lot method for a year, used by accounts without a method of their own. */
function getDefaultMethod(rules: Rules, year: number): LotMethod {
  return rules.methodFrom.findLast((from) => from.year <= year)?.method ?? rules.method;
}

export function carriedView(carried: CarriedLosses) {
  return { short: formatCents(carried.short), long: formatCents(carried.long) };
}

export function lotView(lot: Lot) {
  return {
    id: urlSafe(lot.id),
    asset: lot.asset,
    account: lot.account,
    quantity: formatQuantity(lot.quantity),
    acquired: lotDate(lot, lot.acquired),
    heldSince: lotDate(lot, lot.heldSince),
    basis: formatCents(lot.basis),
    // Inherited property is long-term from the first day (IRC 1223(9)).
    longTermOn: lot.purchaseUnknown ? null : formatDay(lot.inherited ? lot.acquired : longTermOn(lot.heldSince)),
  };
}

/** Returns a date of a lot. Null if no row contains the purchase. */
export function lotDate({ inherited, purchaseUnknown }: Lot, day: Day): string | null {
  if (purchaseUnknown) return null;
  return inherited ? 'INHERITED' : formatDay(day);
}
