import type { SampledColumn } from './column-candidates.ts';
import { fieldSet, type MappedField } from './mapping.ts';
import { collectUnits, formatSampleDollars, type MappedSample, type SampleNumber, size } from './sample-numbers.ts';

/** Adds the amount of money at stake to each question, based on the sampled rows. */
export function addStakes(
  undecided: Readonly<Record<string, string>>,
  sample: MappedSample,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(undecided).map(([name, question]) => [name, `${question}${describeStake(name, question, sample)}`]),
  );
}

/**
 * Describes the money at stake. A question about a fee or money column affects that column. Any other question affects
 * the money in the rows.
 */
function describeStake(name: string, question: string, sample: MappedSample): string {
  // The question about a split already contains dollar amounts.
  if (/\$\d/.test(question)) return '';
  const sampled = sample.columns.find((column) => column.name === name);
  const isFeeQuestion = /\bfee\b/.test(question);
  const fees = isFeeQuestion ? pickColumns(sample, new Set(['fee'])) : [];
  const isMoney = sampled !== undefined && (isFeeQuestion || holdsMoney(sampled, sample));
  const columns = fees.length > 0 ? fees : isMoney ? [sampled] : pickColumns(sample, moneyFields).slice(0, 1);
  const numbers = columns.map((column) => sample.numbers(column));
  const sum = columns.length === 0 ? sumPriceTimesUnits(sample) : sumSizes(numbers.flat());
  if (sum === 0n) return '';
  const currency = describeCurrency(columns, sample);
  const money = currency === 'USD' ? formatSampleDollars(sum) : formatSampleDollars(sum).replace('$', `${currency} `);
  const rows = columns[0]?.values.length ?? sample.columns[0]?.values.length ?? 0;
  return ` Affects ${money} in the first ${rows === 1 ? 'row' : `${rows} rows`}.`;
}

const moneyFields = fieldSet(['amount', 'total', 'debit', 'credit', 'openAmount', 'gain', 'grossGain']);

function pickColumns({ fields }: MappedSample, moneyFields: ReadonlySet<MappedField>): SampledColumn[] {
  return fields.filter(({ field }) => moneyFields.has(field)).map(({ column }) => column);
}

function holdsMoney(column: SampledColumn, { candidates, fields }: MappedSample): boolean {
  if (fields.some((each) => each.column === column && each.field === 'quantity')) return false;
  return candidates.some(
    (each) => each.column === column && (moneyFields.has(each.field) || each.field === 'fee' || each.field === 'tax'),
  );
}

/** Adds up price × units, for files without amounts. */
function sumPriceTimesUnits(sample: MappedSample): bigint {
  const [units, prices] = [sample.numbers(sample.column('quantity')), sample.numbers(sample.column('price'))];
  return sumSizes(units.map((value, row) => ((value ?? 0n) * (prices[row] ?? 0n)) / 10n ** 18n));
}

function sumSizes(numbers: readonly SampleNumber[]): bigint {
  return numbers.reduce<bigint>((sum, value) => sum + size(value ?? 0n), 0n);
}

/** Returns the currency from a header, the cells or a currency column. Dollars if none of them names one. */
function describeCurrency(columns: readonly SampledColumn[], { fields, isComma }: MappedSample): string {
  const stated = fields.find(({ field }) => field === 'currency' || field === 'quote')?.column.samples ?? [];
  const named = new Set([...columns.flatMap((column) => [...collectUnits(column, isComma), column.unit]), ...stated]);
  named.delete('');
  return named.size === 0 ? 'USD' : [...named].join('/');
}
