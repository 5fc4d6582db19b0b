import { parseQuantity } from '../../base/decimal.ts';
import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import type { MappedField } from './mapping.ts';
import { readMeasure } from './measures.ts';

/** Reads numbers in the sampled rows to tell columns apart. */

/** A number in units of 10^-18, or null if the cell has none. */
export type SampleNumber = bigint | null;

const unit = 10n ** 18n;

/** Reads a column's numbers, by row. */
export function readNumbers(column: Pick<SampledColumn, 'values'>, isComma: boolean): SampleNumber[] {
  return column.values.map((text) => {
    const measure = readMeasure(text, isComma ? 'decimal comma' : 'decimal point');
    const [whole = '', fraction = ''] = (measure?.number ?? '').split('.');
    return measure === undefined ? null : (parseQuantity(`${whole}.${fraction.slice(0, 18) || '0'}`) ?? null);
  });
}

/** Returns the units that appear in a column's cells. */
export function collectUnits(column: SampledColumn, isComma: boolean): Set<string> {
  const measures = column.samples.map((text) => readMeasure(text, isComma ? 'decimal comma' : 'decimal point'));
  return new Set(measures.flatMap((measure) => (measure === undefined || measure.unit === '' ? [] : [measure.unit])));
}

export function isSome(value: SampleNumber): boolean {
  return value !== null && value !== 0n;
}

export function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Rounds half a cent up. */
export function formatSampleDollars(value: bigint): string {
  const cents = (value * 100n + unit / 2n) / unit;
  return `$${(cents / 100n).toLocaleString('en-US')}.${String(cents % 100n).padStart(2, '0')}`;
}

/** The meaning of a money column, based on the rows that have a price, units and money. */
export type AmountVerdict = 'gross' | 'net' | 'near' | 'other' | 'unknown';

/** Compares price × units with the money in each row, which can be equal or differ by the fee. */
export function compareAmounts(
  units: readonly SampleNumber[],
  prices: readonly SampleNumber[],
  money: readonly SampleNumber[],
  fees: readonly SampleNumber[],
): AmountVerdict {
  // Prices and amounts are printed with all digits of their column, or at least with cents.
  const [ofPrice, ofMoney] = [findLastDigit(prices), findLastDigit(money)];
  const rows = units.flatMap((quantity, row) => {
    const [price, stated] = [prices[row] ?? null, money[row] ?? null];
    if (quantity === null || price === null || stated === null || quantity * price === 0n) return [];
    const worth = (size(quantity) * size(price)) / unit;
    const rounding = worth / 500n < ofMoney ? worth / 500n : ofMoney;
    const slack = (size(quantity) * ofPrice) / (2n * unit) + rounding;
    return [rowVerdict(worth, size(stated), size(fees[row] ?? 0n), slack)];
  });
  if (rows.length === 0) return 'unknown';
  if (rows.every((row) => row === 'gross' || row === 'either')) return 'gross';
  if (rows.every((row) => row === 'net' || row === 'either')) return 'net';
  return rows.every((row) => row !== 'other') ? 'near' : 'other';
}

function rowVerdict(worth: bigint, money: bigint, fee: bigint, slack: bigint): AmountVerdict | 'either' {
  const apart = size(money - worth);
  const withFee = smaller(size(money - worth - fee), size(money - worth + fee));
  if (smaller(apart, withFee) > slack) return apart * 20n <= worth ? 'near' : 'other';
  if (apart === withFee) return 'either';
  return apart < withFee ? 'gross' : 'net';
}

/** Returns one unit of the last digit used in a column, at most a cent. */
function findLastDigit(numbers: readonly SampleNumber[]): bigint {
  let digit = unit / 100n;
  for (const value of numbers) while (value !== null && digit > 1n && value % digit !== 0n) digit /= 10n;
  return digit;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Returns whether two columns differ by exactly the fee, in either direction. */
export function differsByFee(
  net: readonly SampleNumber[],
  gross: readonly SampleNumber[],
  fees: readonly SampleNumber[],
): boolean {
  const rows = gross.flatMap((value, row) => {
    const [other, fee] = [net[row] ?? null, fees[row] ?? null];
    return value === null || other === null || fee === null || fee === 0n
      ? []
      : [size(size(other) - size(value)) === size(fee)];
  });
  return rows.length > 0 && rows.every(Boolean);
}

/** Returns whether a net amount differs by more than a cent from the gross amount, both with and without the fee. */
export function isUnexplained(net: SampleNumber, gross: SampleNumber, fee: bigint): boolean {
  if (net === null || gross === null || net === 0n || gross === 0n) return false;
  const apart = size(size(net) - size(gross));
  return size(apart - size(fee)) > unit / 50n && apart > unit / 50n;
}

/** Returns whether a column's numbers are the sums of other columns. */
export function isSumOf(sum: readonly SampleNumber[], parts: readonly (readonly SampleNumber[])[]): boolean {
  const rows = sum.flatMap((value, row) => {
    if (value === null || value === 0n) return [];
    return [size(value) === parts.reduce((all, part) => all + size(part[row] ?? 0n), 0n)];
  });
  return rows.length > 0 && rows.every(Boolean);
}

/**
 * Returns whether a fee is so small compared to the money that it must be in units, such as `0.0001` next to `2500`.
 */
export function looksCountedInUnits(
  fees: readonly SampleNumber[],
  units: readonly SampleNumber[],
  money: readonly SampleNumber[],
): boolean {
  return fees.some((fee, row) => {
    const [quantity, stated] = [units[row] ?? null, money[row] ?? null];
    if (fee === null || fee === 0n || quantity === null || stated === null) return false;
    const tiny = size(fee) * 20_000n < size(stated);
    return tiny && size(fee) * 20n < size(quantity) && size(fee) * 20_000n > size(quantity);
  });
}

/** The first rows of a file: its columns, the fields that they may hold, and those that they are mapped to. */
export class MappedSample {
  constructor(
    readonly columns: readonly SampledColumn[],
    readonly candidates: readonly FieldCandidate[],
    /** The mapped fields with their columns. */
    readonly fields: readonly FieldCandidate[],
    readonly isComma: boolean,
  ) {}

  /** Returns the column that is mapped to a field. */
  column(field: MappedField): SampledColumn | undefined {
    return this.fields.find((one) => one.field === field)?.column;
  }

  has(...fields: readonly MappedField[]): boolean {
    return this.fields.some(({ field }) => fields.includes(field));
  }

  /** Returns the values of a field's column, by row. Empty if no column is mapped to it. */
  values(field: MappedField): readonly string[] {
    return this.column(field)?.values ?? [];
  }

  numbers(column: SampledColumn | undefined): readonly SampleNumber[] {
    return column === undefined ? [] : readNumbers(column, this.isComma);
  }

  /** The columns that are mapped to no field. */
  get unmapped(): readonly SampledColumn[] {
    return this.columns.filter((column) => !this.fields.some((one) => one.column === column));
  }
}
