import type { Cents } from '../base/decimal.ts';
import { addCents } from './amounts.ts';
import type { FormRow } from './lines.ts';
import type { ReportBooks } from './report.ts';

/**
 * Returns a function that computes the wash sale part of (g): all of it if W is the only code, or else the sum of the
 * row's wash sales. Null if there is none.
 */
export function createWashPartLookup({ washSales }: ReportBooks): (row: FormRow) => Cents | null {
  const byDisposal = Map.groupBy(washSales, (wash) => wash.disposalId);
  return (row) => {
    if (!row.code.includes('W')) return null;
    const washes = row.lines.flatMap((line) => byDisposal.get(line.disposal.id) ?? []);
    const amount = row.code === 'W' ? row.adjustment : addCents(washes.map((wash) => wash.disallowed));
    return amount === 0n ? null : amount;
  };
}
