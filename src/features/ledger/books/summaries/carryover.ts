import { type Cents, roundToCents, zeroCents } from '../../../../base/decimal.ts';
import type { TaxYearSummary } from '../../../../engine/model.ts';
import { carryover as worksheetOf } from '../../../../engine/rules/year/year.ts';
import { type Elections, getFilingStatus } from '../../transactions/elections.ts';
import { sumSummaries } from './netting.ts';

/** Losses carried over between years, as positive amounts (IRC 1212(b)). */
export interface Carryover {
  readonly in: CarriedLosses;
  readonly out: CarriedLosses;
  /** The part of the year's net loss that this year's return deducts (IRC 1211(b)). */
  readonly deductible: Cents;
}

export interface CarriedLosses {
  readonly short: Cents;
  readonly long: Cents;
}

const nothing: CarriedLosses = { short: zeroCents, long: zeroCents };

/**
 * Carries losses through each year, from the first year with any activity or a stated carryover until `until`, which
 * defaults to the last year with activity. A year without activity also uses up its deduction.
 */
export function carryThrough(
  summaries: readonly TaxYearSummary[],
  elections: Elections,
  until?: number,
): Map<number, Carryover> {
  const known = new Map(summaries.map((summary) => [summary.year, summary]));
  const years = [...known.keys(), ...elections.carryover.keys()];
  const last = until ?? Math.max(...known.keys());
  const carried = new Map<number, Carryover>();
  // Without any year, the maximum would be minus infinity and the loop would never end.
  if (!Number.isFinite(last)) return carried;
  let before = nothing;
  for (let year = Math.min(...years, last); year <= last; year++) {
    const stated = elections.carryover.get(year);
    const into = stated === undefined ? before : { short: roundToCents(stated.short), long: roundToCents(stated.long) };
    const carryover = carry(known.get(year) ?? sumSummaries(year, []), into, elections);
    carried.set(year, carryover);
    before = carryover.out;
  }
  return carried;
}

export function getCarryover(carried: ReadonlyMap<number, Carryover>, year: number): Carryover {
  return carried.get(year) ?? { in: nothing, out: nothing, deductible: zeroCents };
}

/** Calculates lines 7 and 15 of Schedule D, then the Capital Loss Carryover Worksheet. */
function carry(summary: TaxYearSummary, into: CarriedLosses, elections: Elections): Carryover {
  const distributions = summary.income
    .filter(({ type }) => type === 'capital_gain_distribution')
    .reduce((sum, { amount }) => sum + roundToCents(amount), 0n);
  const { contracts1256 } = summary;
  const taxableIncome = elections.taxableIncome.get(summary.year);
  const worksheet = worksheetOf({
    line7: (summary.shortTerm.gain + contracts1256.short - into.short) as Cents,
    line15: (summary.longTerm.gain + contracts1256.long + distributions - into.long) as Cents,
    taxableIncome: taxableIncome === undefined ? null : roundToCents(taxableIncome),
    filingStatus: getFilingStatus(elections, summary.year),
  });
  return { in: into, out: { short: worksheet.short, long: worksheet.long }, deductible: worksheet.deductible };
}

export function carryoverText(carryover: Carryover): string {
  return JSON.stringify(carryover, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

export function carryoverFromText(text: string): Carryover {
  return JSON.parse(text, (_name, value: unknown) => (typeof value === 'string' ? BigInt(value) : value)) as Carryover;
}
