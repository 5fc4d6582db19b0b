import { isCurrency } from '../cells/currencies.ts';
import type { Row } from '../format.ts';
import { type FieldCandidate, isContract, isEpoch, namesMax, type SampledColumn } from './column-candidates.ts';
import { fieldsNamedBy, wordsOfHeader } from './column-words.ts';
import { fieldSet, sharedFields } from './mapping.ts';
import { stateOfWord, typeOfWord } from './type-words.ts';

/** A column below this confidence is listed but not mapped. */
export const likely = 0.5;

export const amountFields = fieldSet(['quantity', 'price', 'amount', 'total', 'fee', 'debit', 'credit']);
const sideFields = fieldSet(['sentQuantity', 'receivedQuantity', 'sentAsset', 'receivedAsset']);

/** Assigns each field to its best column, starting with the most certain ones. */
export function assignTexts(
  candidates: readonly FieldCandidate[],
  columns: readonly SampledColumn[],
): FieldCandidate[] {
  const ordered = candidates
    .filter(({ field, confidence }) => confidence >= likely && !amountFields.has(field) && !sideFields.has(field))
    .map((one) => ({ one, weight: computeWeight(one) }))
    .sort((a, b) => b.weight - a.weight || a.one.column.place - b.one.column.place);
  const assigned: FieldCandidate[] = [];
  const type = typeColumn(candidates);
  if (type !== undefined) assigned.push(type);
  for (const { one } of ordered) {
    const isTaken = assigned.some(
      ({ field, column }) => (field === one.field && !sharedFields.has(field)) || column === one.column,
    );
    if (isTaken || one.field === 'type' || !isFitting(one, columns)) continue;
    assigned.push(one);
  }
  return withoutNeedlessTime(withDayOfPurchase(assigned));
}

/** Uses the purchase date as the row's date if all rows are purchases and there is no other date column. */
function withDayOfPurchase(candidates: readonly FieldCandidate[]): readonly FieldCandidate[] {
  const types = candidates.find(({ field }) => field === 'type')?.column.samples ?? [];
  if (candidates.some(({ field }) => field === 'date') || types.length === 0) return candidates;
  if (!types.every((word) => typeOfWord(word) === 'buy')) return candidates;
  return candidates.map((one) => (one.field === 'acquired' ? { ...one, field: 'date' } : one));
}

/** Returns the completed rows, because canceled rows contain amounts that were never paid. */
export function doneAmong(header: Row, rows: readonly Row[]): readonly Row[] {
  const columnIndex = header.cells.findIndex((cell) => fieldsNamedBy(wordsOfHeader(cell.trim()).whole).has('status'));
  const done = rows.filter(({ cells }) => stateOfWord(cells[columnIndex] ?? '') !== 'not done');
  return columnIndex === -1 || done.length === 0 ? rows : done;
}

function computeWeight({ confidence, rank, field, column }: FieldCandidate): number {
  // In a currency column, a coin is the traded asset, and a currency is money.
  const isMoney = field === 'asset' && column.samples.length > 0 && column.samples.every(isCurrency) ? -0.3 : 0;
  const utc = field === 'date' && / ?utc ?/.test(column.whole) ? 0.05 : 0;
  const counted = field === 'date' && column.samples.length > 0 && column.samples.every(isEpoch) ? 0.02 : 0;
  const isCurrencies = field === 'quote' && column.samples.length > 0 && column.samples.every(isCurrency) ? -0.5 : 0;
  // The traded asset's column comes before its quote.
  const isPlain = field === 'quote' && /^(?:base )?currency$/.test(column.outside) ? -0.3 : 0;
  // The symbol column identifies a contract, even if other columns identify its underlying.
  const isOfContracts = field === 'asset' && column.samples.some(isContract) ? 0.2 : 0;
  return confidence - rank / 1000 + isMoney + isOfContracts + isCurrencies + isPlain + utc + counted;
}

const contractFields = fieldSet(['effect', 'expiration', 'maturity', 'strike', 'right', 'multiplier', 'tax', 'ratio']);

function isFitting({ field, column }: FieldCandidate, columns: readonly SampledColumn[]): boolean {
  if (field === 'status') return column.samples.some((word) => stateOfWord(word) !== undefined);
  if (contractFields.has(field)) return column.samples.length > 0 && column.samples.some((text) => /\S/.test(text));
  if (field === 'time') return column.samples.length > 0;
  // Mapping an empty asset column would hide the one that is filled.
  if (field === 'asset' || field === 'pair')
    return column.samples.length > 0 || columns.every(({ samples }) => samples.length === 0);
  return true;
}

/** Returns the type column: the one with the most recognized words, or else one with only unknown words. */
function typeColumn(candidates: readonly FieldCandidate[]): FieldCandidate | undefined {
  const typed = candidates.filter(({ field, column }) => field === 'type' && column.samples.length > 0);
  const share = ({ column: { samples } }: FieldCandidate, counts: (word: string) => boolean): number =>
    samples.filter(counts).length / samples.length;
  const shareOfTypeWords = (one: FieldCandidate): number =>
    share(one, (word) => typeOfWord(word) !== undefined && typeOfWord(word) !== 'trade');
  const isKnown = (one: FieldCandidate): number => share(one, (word) => typeOfWord(word) !== undefined);
  // A column named as a type outranks one that only contains such words.
  const isNamed = (one: FieldCandidate): number => (one.rank < namesMax && shareOfTypeWords(one) > 0 ? 1 : 0);
  const best = typed.toSorted(
    (a, b) => isNamed(b) - isNamed(a) || shareOfTypeWords(b) - shareOfTypeWords(a) || a.rank - b.rank,
  )[0];
  if (best === undefined) return undefined;
  const { samples } = best.column;
  const isId = isKnown(best) === 0 && samples.some((text) => /\d{3}/.test(text));
  const isText = best.rank === namesMax && isKnown(best) < 0.5;
  return isId || isText ? undefined : { ...best, confidence: Math.max(best.confidence, likely) };
}

/** Drops the time of day if the date is not mapped or already contains it. */
function withoutNeedlessTime(candidates: readonly FieldCandidate[]): FieldCandidate[] {
  const date = candidates.find(({ field }) => field === 'date');
  const isDay = date?.column.samples.every((text) => !/\d:\d/.test(text) && !isEpoch(text)) === true;
  return candidates.filter(({ field }) => field !== 'time' || isDay);
}
