import { readTime } from '../cells/times.ts';
import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import { coinOfHeader, readMeasure } from './measures.ts';
import { findReinvestments } from './proposed-settings.ts';
import { readNumbers } from './sample-numbers.ts';
import { typeOfWord } from './type-words.ts';

/** Questions that a proposal leaves to the user because a wrong guess would change amounts. */

/** Asks about fee columns that are not mapped, because their money would be lost. */
export function askAboutUnmappedFees(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
  isComma: boolean,
): Record<string, string> {
  const fees = fields.filter(({ field }) => field === 'fee').map(({ column }) => column);
  const isNamed = fields.some(({ field }) => field === 'feeAsset');
  const isUnread = (column: SampledColumn): boolean => {
    if (fields.some((one) => one.column === column) || !feeWords.test(` ${column.whole}`)) return false;
    // If the file names the fee's coin but no fee is mapped, the fee's value is the fee.
    const isOnly = fees.length === 0 && / (?:value|worth) /.test(` ${column.whole} `) && isNamed;
    if (notFeeWords.test(` ${column.whole} `) && !isOnly) return false;
    const isSame = fees.some((fee) => fee.unit !== column.unit || fee.whole.includes('total'));
    // A fee in percent would be lost, too.
    const isCounted = column.samples.some((text) => /[1-9]/.test(text) && /^[-+\d.,%\s]+$/.test(text));
    return !isSame && (isCounted || readNumbers(column, isComma).some((value) => value !== null && value !== 0n));
  };
  return Object.fromEntries(
    columns.filter(isUnread).map(({ name }) => [name, 'This looks like a fee. Which field is it?']),
  );
}

const feeWords = / (?:fee|commission|charge|gebühr|provision|frais|comisi|commission|courtage|prowizja|手数料)/;
const notFeeWords =
  / (?:rate|perc|percent|currency|asset|coin|balance|id|type|level|role|value|price|worth|basis|discount|inclusive|incl|including|excluding|excl|less|after|before|net) /;

/** Asks about columns that only futures have. A future's row is not a purchase, because nothing is owned. */
export function askAboutFutures(columns: readonly SampledColumn[], isComma: boolean): Record<string, string> {
  const isNamed = ({ whole, samples }: SampledColumn): boolean =>
    samples.length > 0 && futuresWords.test(` ${whole} `) && !whole.endsWith('contract address');
  // Exchanges leave these columns empty or zero for spot trades.
  const isOnMargin = (column: SampledColumn): boolean =>
    / (?:margin|pnl) /.test(` ${column.whole} `) &&
    (readNumbers(column, isComma).some((value) => value !== null && value !== 0n) ||
      column.samples.some((text) => /^(?:cross|isolated)/i.test(text)));
  const futureColumns = columns.filter((column) => isNamed(column) || isOnMargin(column));
  return Object.fromEntries(
    futureColumns.map(({ name }) => [
      name,
      'Are these futures or margin trades? Only their settled gains count, not the purchases and sales.',
    ]),
  );
}

const futuresWords =
  / (?:leverage|mark price|index price|funding|reduce only|liquidation fee|liquidation price|realized pnl|closing pnl|contract|perpetual) /;

/** Asks how many units are in a lot of gold or an index, because the broker defines it. */
export function askAboutLotSize(fields: readonly FieldCandidate[]): Record<string, string> {
  const units = fields.find(({ field }) => field === 'quantity')?.column;
  if (units === undefined || !/ lots? /.test(` ${units.whole} `)) return {};
  return { [units.name]: 'How many units are in one lot?' };
}

/**
 * Asks whether the file is a report of sales with their cost basis. Its rows are then reported sales, not transactions.
 */
export function askAboutSalesReport(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
): Record<string, string> {
  const types = fields.find(({ field }) => field === 'type')?.column.samples ?? [];
  const basis = columns.find(
    ({ whole, samples }) => samples.length > 0 && / (?:cost )?basis| basis /.test(` ${whole}`),
  );
  const isReport = columns.some(({ whole, samples }) => samples.length > 0 && reportWords.test(` ${whole} `));
  if (basis === undefined || !isReport || types.some((word) => typeOfWord(word) === 'reported_sale')) return {};
  return { [basis.name]: 'Is this a report of sales with their cost basis rather than a list of purchases and sales?' };
}

const reportWords = / (?:acquired|date acquired|acquisition date|gain|gains|gain loss|short term|long term) /;

/**
 * Asks about rows with the same time that add one asset and remove another. They are the two sides of one trade, not
 * transfers.
 */
export function askAboutTradeSides(fields: readonly FieldCandidate[], isComma: boolean): Record<string, string> {
  const of = (field: string): SampledColumn | undefined => fields.find((one) => one.field === field)?.column;
  const [dates, assets, quantities, types] = [of('date'), of('asset'), of('quantity'), of('type')];
  const isSided = ['sentQuantity', 'amount', 'total', 'price', 'debit', 'receivedQuantity'].some(
    (field) => of(field) !== undefined,
  );
  if (dates === undefined || assets === undefined || quantities === undefined || isSided) return {};
  const numbers = readNumbers(quantities, isComma);
  const seen = new Map<string, { readonly asset: string; readonly isOut: boolean }>();
  for (const [row, date] of dates.values.entries()) {
    const asset = assets.values[row] ?? '';
    const type = typeOfWord(types?.values[row] ?? '');
    const isOut = (numbers[row] ?? 0n) < 0n || type === 'withdrawal' || type === 'spend';
    const at = readTime(date, 'UTC', 'UTC')?.at;
    if (asset === '' || (at === null && !/^\d{10}/.test(date))) continue;
    const other = seen.get(date);
    if (other !== undefined && other.asset !== asset && other.isOut !== isOut)
      return {
        [quantities.name]: 'Are rows with the same time the sides of one trade? A mapping reads each row separately.',
      };
    seen.set(date, { asset, isOut });
  }
  return {};
}

/** Asks about reinvested dividends, which a file may list twice: once as a payment and once as shares. */
export function askAboutReinvestments(fields: readonly FieldCandidate[]): Record<string, string> {
  const type = fields.find(({ field }) => field === 'type')?.column.name;
  const [word] = findReinvestments(fields).open;
  if (type === undefined || word === undefined) return {};
  return { [type]: `Is "${word.slice(0, 40)}" a purchase with a dividend from another row, or a dividend itself?` };
}

/** Asks for the asset column in a file of trades or dividends without one. */
export function askAboutMissingAsset(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
): Record<string, string> {
  const has = (...names: readonly string[]): boolean => fields.some(({ field }) => names.includes(field));
  const units = fields.find(({ field }) => field === 'quantity')?.column;
  const inCells = units?.samples.some((text) => (readMeasure(text)?.unit ?? '') !== '') === true;
  if (has('asset', 'pair', 'sentAsset', 'sentQuantity') || inCells || coinOfHeader(units?.name ?? '') !== '') return {};
  const type = fields.find(({ field }) => field === 'type')?.column;
  const named = (type?.samples ?? []).map((word) => typeOfWord(word));
  const isOfAssets = units !== undefined || named.some((one) => one !== undefined && !ofCash.has(one));
  // An unrecognized text column is the most likely one for assets.
  const isText = ({ samples }: SampledColumn): boolean =>
    samples.length > 0 && samples.every((text) => /^\p{L}/u.test(text));
  const free = columns.find((one) => isText(one) && !fields.some(({ column }) => column === one));
  const column = free ?? type ?? units;
  return column !== undefined && isOfAssets ? { [column.name]: 'Which column contains the asset?' } : {};
}

const ofCash: ReadonlySet<string> = new Set(['interest', 'withholding', 'deposit', 'withdrawal', 'skip']);

/** Asks about interest next to a bond's price, because no column shows whether the row's money includes it. */
export function askAboutAccruedInterest(columns: readonly SampledColumn[], isComma: boolean): Record<string, string> {
  const isOfBonds = columns.some(({ whole }) =>
    /^(?:cusip(?: number)?|maturity(?: date)?|coupon(?: rate)?)$/.test(whole),
  );
  const accrued = columns.find(({ whole }) => /^(?:accrued|accr)(?: interest| int)?$/.test(whole));
  if (!isOfBonds || accrued === undefined || readNumbers(accrued, isComma).every((value) => (value ?? 0n) === 0n))
    return {};
  return {
    [accrued.name]:
      'Does the amount include this interest? Accrued interest is not part of the cost basis of a bond. Map it to accruedInterest, with an amount that excludes it.',
  };
}

/**
 * Asks about a column that may hold the transaction types, because the signs of amounts are used only without such a
 * column.
 */
export function askAboutTypeColumn(
  columns: readonly SampledColumn[],
  fields: readonly FieldCandidate[],
): Record<string, string> {
  if (fields.some(({ field }) => field === 'type' || field === 'sentQuantity')) return {};
  const isTyped = (column: SampledColumn): boolean =>
    !fields.some((one) => one.column === column) &&
    column.samples.some((text) => text.length >= 3 && typeOfWord(text) !== undefined);
  const typeColumns = columns.filter(isTyped);
  return Object.fromEntries(typeColumns.map(({ name }) => [name, 'Does this column contain the transaction types?']));
}
