import type { FieldCandidate, SampledColumn } from './column-candidates.ts';
import type { MappedField } from './mapping.ts';
import { readMeasure } from './measures.ts';
import { likely } from './text-columns.ts';

/** Finds the columns for the sent and received sides, in files whose rows can contain both. */
export function findSideColumns(
  candidates: readonly FieldCandidate[],
  texts: readonly FieldCandidate[],
): FieldCandidate[] | undefined {
  const best = (field: MappedField): FieldCandidate | undefined =>
    candidates
      .filter(
        (one) => one.field === field && one.rank < 900 && (one.confidence >= 0.7 || one.column.samples.length === 0),
      )
      .toSorted((a, b) => a.rank - b.rank)[0];
  const [sent, got] = [best('sentQuantity'), best('receivedQuantity')];
  const [sentAsset, gotAsset] = [best('sentAsset'), best('receivedAsset')];
  const quantity = candidates.find((one) => one.field === 'quantity' && one.confidence >= 0.9);
  const proceeds = candidates.find((one) => one.field === 'amount' && one.column.whole === 'proceeds');
  const [given, taken] =
    sentAsset !== undefined && gotAsset !== undefined ? [sent ?? quantity, got ?? proceeds] : [sent, got];
  if (given === undefined || taken === undefined || given.column === taken.column) return undefined;
  // Debit and credit columns in one currency are the two directions of the same money.
  const isBooked = bookWords.test(` ${given.column.whole} `) || bookWords.test(` ${taken.column.whole} `);
  if (isBooked && (sentAsset === undefined || gotAsset === undefined)) return undefined;
  const assets = [sentAsset, gotAsset].flatMap((one) => (one === undefined ? [] : [one]));
  const isNamed = assets.length === 2 || hasUnits(given, taken) || texts.some(({ field }) => field === 'asset');
  if (!isNamed) return undefined;
  const isValue = ({ field, column }: FieldCandidate): boolean =>
    field === 'amount' &&
    (column.unit !== '' || unitOfCells(column) !== '') &&
    !/ (?:sell|fee|sent|now) /.test(` ${column.whole} `);
  const value = candidates.filter((one) => isValue(one) && one.confidence >= likely).slice(0, 1);
  return [{ ...given, field: 'sentQuantity' }, { ...taken, field: 'receivedQuantity' }, ...assets, ...value];
}

const bookWords = / (?:debit|debited|credit|credited) /;

/** Returns the currency that all of a column's cells contain. '' if there is not exactly one. */
function unitOfCells(column: SampledColumn): string {
  const [unit = '', ...others] = new Set(column.samples.map((text) => readMeasure(text)?.unit ?? ''));
  return others.length === 0 ? unit : '';
}

function hasUnits(...columns: readonly FieldCandidate[]): boolean {
  return columns.every(({ column }) => column.samples.every((text) => (readMeasure(text)?.unit ?? '') !== ''));
}

/** Finds the columns for the received side, in addition to the row's asset and quantity. */
export function findReceivedColumns(
  candidates: readonly FieldCandidate[],
  texts: readonly FieldCandidate[],
  sides: readonly FieldCandidate[] | undefined,
): FieldCandidate[] {
  if (sides !== undefined) return [];
  const isFree = ({ column }: FieldCandidate): boolean => !texts.some((one) => one.column === column);
  const of = (field: MappedField): FieldCandidate[] =>
    candidates.filter((one) => one.field === field && one.confidence >= 0.7 && isFree(one)).slice(0, 1);
  const [quantities, assets] = [of('receivedQuantity'), of('receivedAsset')];
  return quantities.length > 0 && assets.length > 0 ? [...quantities, ...assets] : [];
}

/**
 * Swaps the asset and its quote if the units belong to the quote. `Market Amount` counts units of `Market Currency`, so
 * that is the asset.
 */
export function withAssetOfUnits(
  texts: readonly FieldCandidate[],
  candidates: readonly FieldCandidate[],
  amounts: readonly FieldCandidate[],
): FieldCandidate[] {
  const first = (one: FieldCandidate | undefined): string => one?.column.outside.split(' ')[0] ?? '';
  const [units, asset] = [
    amounts.find(({ field }) => field === 'quantity'),
    texts.find(({ field }) => field === 'asset'),
  ];
  const assetColumn = candidates.find(
    (one) => one.field === 'asset' && one.confidence >= likely && first(one) === first(units),
  );
  if (
    asset === undefined ||
    assetColumn === undefined ||
    assetColumn.column === asset.column ||
    first(asset) === first(units)
  )
    return [...texts];
  const quote = amounts.some((one) => one.field !== 'quantity' && first(one) === first(asset));
  const others = texts.filter(
    (one) => one !== asset && one.column !== assetColumn.column && !(quote && one.field === 'quote'),
  );
  return [...others, assetColumn, ...(quote ? [{ ...asset, field: 'quote' as const }] : [])];
}
