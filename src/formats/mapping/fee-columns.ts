import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import { isSome, isSumOf, type SampleNumber } from './sample-numbers.ts';

interface FeeColumns {
  readonly chosen: readonly FieldCandidate[];
  readonly undecided: Readonly<Record<string, string>>;
}

/**
 * Returns the fee columns. If one column is the total of the others, returns only that one. If columns have different
 * currencies, returns only the one without a currency or, if there is none, the most likely one. Otherwise returns all
 * columns.
 */
export function feeColumns(
  candidates: readonly FieldCandidate[],
  of: (column: SampledColumn) => SampleNumber[],
): FeeColumns {
  const isBetterElse = ({ column, confidence }: FieldCandidate): boolean =>
    candidates.some((other) => other.column === column && other.field !== 'fee' && other.confidence > confidence);
  const all = candidates.filter((one) => one.field === 'fee' && one.confidence >= 0.6 && !isBetterElse(one));
  const [first] = all.toSorted((a, b) => b.confidence - a.confidence || a.rank - b.rank);
  if (first === undefined) return { chosen: [], undecided: {} };
  const total = all.find(({ column }) =>
    isSumOf(
      of(column),
      all.filter((one) => one.column !== column).map((one) => of(one.column)),
    ),
  );
  if (total !== undefined && all.length > 1) return { chosen: [total], undecided: {} };
  const units = new Set(all.map(({ column }) => column.unit));
  const alike = all.filter(({ column }) => column.unit === first.column.unit);
  const exact = units.size > 1 ? [all.find(({ column }) => column.unit === '') ?? first] : alike;
  const undecided: Record<string, string> = {};
  // A fee shown in two currencies fills both columns of a row. Two separate fees may fill only one.
  const [own = []] = exact.map(({ column }) => of(column));
  for (const { column } of units.size > 1 ? all : []) {
    const isOther = of(column).some((value, row) => isSome(value) && !isSome(own[row] ?? null));
    if (isOther) undecided[column.name] = 'Is this fee separate from the one in the other column?';
  }
  return { chosen: exact, undecided };
}
