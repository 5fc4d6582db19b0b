import { formatQuantity, type Quantity } from '../../base/decimal.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import { identifyInstrument } from './instruments.ts';
import type { MappedField } from './mapping.ts';
import type { RowInstruments } from './row-instruments.ts';
import { formatSampleDollars, isSome, readNumbers, type SampleNumber, size } from './sample-numbers.ts';
import { readSplitTerms } from './splits.ts';
import { isUndone, stateOfWord, typeOfWord } from './type-words.ts';

/** A proposal's questions about specific kinds of rows: futures, splits, tax, a second type, canceled rows. */

type RowQuestions = Readonly<Record<string, string>>;

export interface SampledRows {
  readonly columns: readonly SampledColumn[];
  readonly fields: readonly FieldCandidate[];
  readonly isComma: boolean;
}

/** Asks for the point value of a future that is not in the table, and about symbols that can be a share or a future. */
export function askAboutContracts({ columns, fields }: SampledRows, { instruments }: RowInstruments): RowQuestions {
  const column = findFieldColumn(fields, 'asset');
  if (column === undefined || columns.length === 0) return {};
  const futures = instruments.flatMap((one) => (one.kind === 'future' ? [one.future] : []));
  const unsure = futures.find(({ isUnsure }) => isUnsure);
  if (unsure !== undefined)
    return { [column.name]: `Is ${unsure.root}${unsure.month} a share, or the future ${unsure.root}?` };
  const unknown = futures.find(({ multiplier }) => multiplier === null);
  // Contracts on foreign exchanges are also in a different currency.
  const isStated =
    findFieldColumn(fields, 'multiplier') !== undefined && findFieldColumn(fields, 'currency') !== undefined;
  if (unknown === undefined || isStated) return {};
  const question = `How many dollars is one point of the future ${unknown.root}? Set it in "multipliers".`;
  return { [column.name]: question };
}

/** Asks about an unmapped column with option or future symbols. The mapped column may only identify the underlying. */
export function askAboutUnmappedContracts(
  { columns, fields }: SampledRows,
  { instruments }: RowInstruments,
): RowQuestions {
  const isContractSymbol = (text: string): boolean => ['option', 'future'].includes(identifyInstrument(text).kind);
  const contractColumns = columns.filter(
    (column) =>
      !fields.some((each) => each.column === column) &&
      column.values.some((text, row) => instruments[row]?.kind === 'asset' && isContractSymbol(text)),
  );
  return Object.fromEntries(contractColumns.map(({ name }) => [name, 'Are these the contracts that were traded?']));
}

/**
 * Asks for the gain column of currency pairs. Their gain is ordinary income, and the mapped columns do not contain it.
 */
export function askAboutCurrencyGains({ fields }: SampledRows, { instruments }: RowInstruments): RowQuestions {
  const column = findFieldColumn(fields, 'asset') ?? findFieldColumn(fields, 'pair');
  const isStated = fields.some(({ field }) => field === 'gain' || field === 'grossGain');
  const traded = instruments.filter(({ asset }) => asset !== '');
  if (column === undefined || isStated || traded.length === 0) return {};
  if (!traded.every(({ kind }) => kind === 'currencies')) return {};
  return { [column.name]: 'Which column contains the realized currency gain? It is ordinary income (IRC 988).' };
}

/** Asks whether a split's quantity is its ratio or the shares added, unless text in the row contains the ratio. */
export function askAboutSplits({ columns, fields, isComma }: SampledRows): RowQuestions {
  const [types, units, assets] = [
    findFieldColumn(fields, 'type'),
    findFieldColumn(fields, 'quantity'),
    findFieldColumn(fields, 'asset'),
  ];
  const label = findFieldColumn(fields, 'label');
  if (units === undefined || findFieldColumn(fields, 'ratio') !== undefined) return {};
  const listTypes = (row: number): (string | undefined)[] =>
    [types, label].map((column) => typeOfWord(column?.values[row] ?? ''));
  const numbers = readNumbers(units, isComma);
  const rows = numbers.flatMap((value, row) => (isSome(value) && listTypes(row).includes('split') ? [row] : []));
  const dates = findFieldColumn(fields, 'date')?.values ?? [];
  const isHalf = (row: number): boolean => {
    const isSided = listTypes(row).some((type) => type === 'buy' || type === 'sell');
    const isPaired = rows.some(
      (other) => other !== row && dates[other] === dates[row] && assets?.values[other] === assets?.values[row],
    );
    return isSided || isPaired;
  };
  const open = rows.find((row) => {
    const texts = columns.map(({ values }) => values[row] ?? '');
    const isReverse = texts.some((text) => /reverse|consolidat/i.test(text));
    return !isHalf(row) && !texts.some((text) => readSplitTerms(text, isReverse) !== undefined);
  });
  if (open === undefined) return {};
  return { [units.name]: splitReadings(numbers, open, fields, isComma) };
}

/**
 * Describes both meanings of a split's quantity, with the share count that results from the shares held in the file so
 * far.
 */
function splitReadings(
  numbers: readonly SampleNumber[],
  row: number,
  fields: readonly FieldCandidate[],
  isComma: boolean,
): string {
  const [types, assets] = [
    findFieldColumn(fields, 'type')?.values ?? [],
    findFieldColumn(fields, 'asset')?.values ?? [],
  ];
  const money = readNumbers(findFieldColumn(fields, 'amount') ?? findFieldColumn(fields, 'total') ?? noColumn, isComma);
  let [held, cost] = [0n, 0n];
  for (const [other, value] of numbers.entries()) {
    if (assets[other] !== assets[row] || value === null || typeOfWord(types[other] ?? '') !== 'buy') continue;
    held += size(value);
    cost += size(money[other] ?? 0n);
  }
  const split = size(numbers[row] ?? 0n);
  const text = (units: bigint): string => formatQuantity(units as Quantity);
  const each = (units: bigint): string =>
    cost === 0n || units === 0n ? '' : ` (${formatSampleDollars((cost * one) / units)} each)`;
  const [byRatio, byAdding] = [(held * split) / one, held + split];
  const readings =
    held === 0n
      ? ''
      : ` ${text(held)} shares become ${text(byRatio)}${each(byRatio)} or ${text(byAdding)}${each(byAdding)}.`;
  return `Is ${text(split)} the ratio of the split or the number of shares added?${readings} Set what the split quantity is.`;
}

const noColumn: Pick<SampledColumn, 'values'> = { values: [] };
const one = 10n ** 18n;

/** Asks about tax. Tax on a purchase may be part of its cost, and income may be shown before or after tax. */
export function askAboutTax({ fields, isComma }: SampledRows): RowQuestions {
  const column = findFieldColumn(fields, 'tax');
  if (column === undefined) return {};
  const taxes = readNumbers(column, isComma);
  const types = findFieldColumn(fields, 'type')?.values;
  const taxed = taxes.flatMap((tax, row) => (isSome(tax) ? [types?.[row] ?? ''] : []));
  if (taxed.length === 0) return {};
  const sides = taxed.map((word) => {
    const type = typeOfWord(word);
    return type === undefined || type === 'skip' || type === 'sign' ? undefined : (rowOf(type).side ?? 'income');
  });
  const amount = formatSampleDollars(taxes.map((tax) => size(tax ?? 0n)).toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n);
  if (sides.includes('income'))
    return { [column.name]: `Is the income amount before or after this tax (up to ${amount} in a row)?` };
  if (sides.every((side) => side === 'sell')) return {};
  return {
    [column.name]: `Is this tax a cost of the trade (fee) or a withholding (tax)? It is up to ${amount} in a row.`,
  };
}

/** Asks about a column that refines the type of some rows, such as an expiration, a split or a dividend. */
export function askAboutSecondType({ columns, fields }: SampledRows): RowQuestions {
  const types = findFieldColumn(fields, 'type');
  if (types === undefined) return {};
  const contradicts = (column: SampledColumn): boolean =>
    column.values.some((word, row) => {
      const [own, other] = [typeOfWord(types.values[row] ?? ''), typeOfWord(word)];
      return other !== undefined && own !== other && eventful.has(other) && !eventful.has(own ?? '');
    });
  const unread = columns.filter((column) => !fields.some((each) => each.column === column));
  return Object.fromEntries(
    unread
      .filter(contradicts)
      .map(({ name }) => [name, 'Does this column change the type of some rows? If so, map it as "label".']),
  );
}

const eventful: ReadonlySet<string> = new Set([
  'short_sell',
  'cover',
  'split',
  'expire',
  'exercise',
  'assign',
  'rename',
  'merger',
  'spinoff',
  'dividend',
  'interest',
  'withholding',
  'return_of_capital',
  'reinvest',
  'gift_in',
  'gift_out',
]);

/** Asks about rows that may be canceled, according to text in the row or a status column with unknown words. */
export function askAboutStatus({ columns, fields }: SampledRows): RowQuestions {
  const unread = columns.filter((column) => !fields.some((each) => each.column === column));
  const isState = ({ whole }: SampledColumn): boolean =>
    / (?:status|state|statut|estado|stato|ステータス) /.test(` ${whole} `);
  const asks = (column: SampledColumn): boolean =>
    (isState(column) && column.samples.some((word) => stateOfWord(word) !== 'done')) ||
    column.samples.some((text) => isUndone(text) && typeOfWord(text) === undefined);
  return Object.fromEntries(
    unread
      .filter(asks)
      .map(({ name }) => [name, 'Some rows do not seem to be completed. Is this column their status?']),
  );
}

/** Asks about units next to a dividend, which are either the shares that paid it or the shares that it bought. */
export function askAboutDividendUnits({ fields, isComma }: SampledRows): RowQuestions {
  const of = (field: MappedField): SampledColumn | undefined => findFieldColumn(fields, field);
  const [types, units, assets] = [of('type'), of('quantity'), of('asset')];
  const money = of('amount') ?? of('total') ?? of('credit');
  if (types === undefined || units === undefined || money === undefined || assets === undefined) return {};
  const [sizes, sums] = [readNumbers(units, isComma), readNumbers(money, isComma)];
  const computePrice = (row: number): bigint | null => {
    const [count, sum] = [sizes[row] ?? null, sums[row] ?? null];
    return !isSome(count) || !isSome(sum) ? null : (size(sum ?? 0n) * one) / size(count ?? 1n);
  };
  const traded = new Map<string, bigint>();
  for (const [row, word] of types.values.entries()) {
    const price = computePrice(row);
    if ((typeOfWord(word) === 'buy' || typeOfWord(word) === 'sell') && price !== null)
      traded.set(assets.values[row] ?? '', price);
  }
  const isBought = types.values.some((word, row) => {
    const [price, usual] = [computePrice(row), traded.get(assets.values[row] ?? '')];
    return typeOfWord(word) === 'dividend' && price !== null && usual !== undefined && price * 4n > usual;
  });
  return isBought
    ? { [units.name]: 'Did these dividends buy the units in the row (reinvest), or were they paid in cash?' }
    : {};
}

function findFieldColumn(fields: readonly FieldCandidate[], field: MappedField): SampledColumn | undefined {
  return fields.find((each) => each.field === field)?.column;
}
