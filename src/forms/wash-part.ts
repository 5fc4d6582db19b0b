import type { Cents } from '../base/decimal.ts';
import { addCents } from './amounts.ts';
import type { FormRow } from './lines.ts';
import type { ReportBooks } from './report.ts';

/**
 * Makes the function that gives the wash sale part of (g): all of it under code W alone, otherwise the sum of the wash sales
 * of the row. Null where there is none.
 */
export function washPartOf({ washSales }: ReportBooks): (row: FormRow) => Cents | null {
  const byDisposal = Map.groupBy(washSales, (wash) => wash.disposalId);
  return (row) => {
    if (!row.code.includes('W')) return null;
    const washes = row.lines.flatMap((line) => byDisposal.get(line.disposal.id) ?? []);
    const amount = row.code === 'W' ? row.adjustment : addCents(washes.map((wash) => wash.disallowed));
    return amount === 0n ? null : amount;
  };
}
