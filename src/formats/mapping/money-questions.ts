import { isCurrency } from '../cells/currencies.ts';
import { type FieldCandidate, isNumber, type SampledColumn } from './column-candidates.ts';
import { strangeWords } from './column-words.ts';
import type { MappedField } from './mapping.ts';
import { coinOfHeader } from './measures.ts';
import type { RowInstruments } from './row-instruments.ts';
import { collectUnits, isSome, readNumbers, size } from './sample-numbers.ts';
import { typeOfWord } from './type-words.ts';

/** A proposal's questions about money: its currency and direction, withheld tax, and contract sizes. */

type Questions = Readonly<Record<string, string>>;

const moneyFields: ReadonlySet<MappedField> = new Set(['amount', 'total', 'price', 'debit', 'credit']);
const unitFields: ReadonlySet<MappedField> = new Set(['currency', 'quote', 'pair', 'sentAsset', 'receivedAsset']);

/**
 * Asks for the currency if the file suggests one other than dollars. Without a currency in a column, header or cell,
 * money is in dollars.
 */
export function askAboutCurrency(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
  isComma: boolean,
): Questions {
  const money = fields.filter(({ field }) => moneyFields.has(field)).map(({ column }) => column);
  const [first] = money;
  const isStated = fields.some(({ field, column }) => unitFields.has(field) && column.samples.length > 0);
  const isInCells = money.some((column) => column.unit !== '' || collectUnits(column, isComma).size > 0);
  if (first === undefined || isStated || isInCells) return {};
  const coin = coinOfHeader(first.name);
  if (coin !== '') return { [first.name]: `Is it in ${coin}? A mapping can only import amounts in a currency.` };
  const isOther = (text: string): boolean => isCurrency(text) && text.toUpperCase() !== 'USD';
  const unread = columns.find(
    (column) =>
      !fields.some((one) => one.column === column) &&
      column.samples.some(isOther) &&
      (currencyWords.test(` ${column.whole} `) || column.samples.every(isCurrency)),
  );
  if (unread !== undefined) return { [unread.name]: 'Is this the currency of the amounts?' };
  const isForeign =
    isComma || fields.some(({ column, field }) => /[^\x20-\x7e]/.test(column.whole) || isForeignDay(field, column));
  return isForeign ? { [first.name]: 'Which currency is it in? The file does not show it.' } : {};
}

const currencyWords = / (?:currency|currencies|ccy|währung|devise|divisa|moneda|moeda|valuta|munt|waluta|unit|通貨) /;

function isForeignDay(field: MappedField, { whole }: SampledColumn): boolean {
  return field === 'date' && /^(?:datum|data|fecha|buchungs?tag|zeitpunkt|affärsdag)/.test(whole);
}

/**
 * Asks about columns such as `Amount In`, which hold either what an account received or what went into a pool, unless a
 * one-sided row or a purchase settles it.
 */
export function askAboutPoolFlows(fields: readonly FieldCandidate[]): Questions {
  const of = (field: MappedField): SampledColumn | undefined => fields.find((one) => one.field === field)?.column;
  const [given, received] = [of('sentQuantity'), of('receivedQuantity')];
  if (given === undefined || received === undefined) return {};
  if (!/\bout\b/.test(given.whole) || !/\bin\b/.test(received.whole)) return {};
  const types = of('type')?.samples ?? [];
  const isShown = types.some((word) => !['trade', undefined].includes(typeOfWord(word)));
  const isTwoSided = given.values.every((text, row) => (text === '') === ((received.values[row] ?? '') === ''));
  return isTwoSided && !isShown
    ? { [received.name]: 'Did you receive this, or did it go into a pool in return for something else?' }
    : {};
}

/**
 * Asks about a column with tax withheld from income. A mapping reads one transaction per row and would drop the tax.
 */
export function askAboutWithheldTax(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
  isComma: boolean,
): Questions {
  const withheldColumns = columns.filter(
    (column) =>
      withheldWords.test(` ${column.whole} `) &&
      !fields.some((one) => one.column === column) &&
      readNumbers(column, isComma).some(isSome),
  );
  return Object.fromEntries(
    withheldColumns.map(({ name }) => [
      name,
      'Was this tax withheld from the income in the row? A mapping cannot import it.',
    ]),
  );
}

const withheldWords =
  / (?:withheld|withholding|quellensteuer|kapitalertragsteuer|retenue|retención|ritenuta|irrf|dividendbelasting|källskatt) |源泉/;

/**
 * Asks about a column with an unknown name and small sums next to the money of trades, which may be a cost. If the
 * money already includes all costs, no question is needed.
 */
export function askAboutCosts(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
  candidates: readonly FieldCandidate[],
  isComma: boolean,
): Questions {
  const money = fields.find(({ field }) => field === 'amount' || field === 'price')?.column;
  const isTotal = fields.some(({ field }) => field === 'total');
  if (money === undefined || isTotal || !fields.some(({ field }) => field === 'quantity')) return {};
  const units = readNumbers(fields.find(({ field }) => field === 'quantity')?.column ?? money, isComma);
  const isPrice = fields.some(({ field, column }) => field === 'price' && column === money);
  const worth = readNumbers(money, isComma).map((value, row) =>
    isPrice ? ((value ?? 0n) * (units[row] ?? 0n)) / unit : (value ?? 0n),
  );
  const isCost = (column: SampledColumn): boolean => {
    if (fields.some((one) => one.column === column) || candidates.some((one) => one.column === column)) return false;
    if (column.whole.split(' ').some((word) => strangeWords.has(word))) return false;
    if (!column.samples.some((text) => /\d[.,]\d/.test(text)) || !column.samples.every(isNumber)) return false;
    const sums = readNumbers(column, isComma);
    const isOfUnits = sums.every((sum, row) => isNear(size(sum ?? 0n), size(units[row] ?? 0n)));
    if (isOfUnits || / (?:less|net|after) /.test(` ${column.whole} `)) return false;
    return sums.some(isSome) && sums.every((sum, row) => size(sum ?? 0n) * 10n <= size(worth[row] ?? 0n));
  };
  return Object.fromEntries(columns.filter(isCost).map(({ name }) => [name, 'Is this a cost of the trade?']));
}

/**
 * Asks about fees with different signs, because some were paid to the taxpayer. A mapping treats every fee as paid by
 * the taxpayer.
 */
export function askAboutRebates(fields: readonly FieldCandidate[], isComma: boolean): Questions {
  const isMixed = ({ column }: FieldCandidate): boolean => {
    const signs = new Set(readNumbers(column, isComma).flatMap((fee) => (isSome(fee) ? [(fee ?? 0n) > 0n] : [])));
    return signs.size > 1;
  };
  const feeColumns = fields.filter((one) => one.field === 'fee' && isMixed(one));
  return Object.fromEntries(
    feeColumns.map(({ column }) => [column.name, 'Fees have both signs. Which were paid, and which were received?']),
  );
}

/** Returns whether two values are within 5% of each other, like units with and without a fee. */
function isNear(a: bigint, b: bigint): boolean {
  return (a > b ? a - b : b - a) * 20n <= b;
}

/** Asks about multi-unit contracts, whose cost is not price times units, unless the symbol implies the multiplier. */
export function askAboutMultiplier(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
  { units }: RowInstruments,
  isComma: boolean,
): Questions {
  const isPriced = fields.some(({ field }) => field === 'price');
  const stated = columns.find(({ whole }) => / (?:multiplier|contract size|point value) /.test(` ${whole} `));
  if (!isPriced || stated === undefined) return {};
  const isMeant = readNumbers(stated, isComma).every(
    (value, row) => value === null || units[row] === null || size(value) === (units[row] ?? unit),
  );
  return isMeant ? {} : { [stated.name]: 'Is the cost of a unit the price times this number?' };
}

const unit = 10n ** 18n;
