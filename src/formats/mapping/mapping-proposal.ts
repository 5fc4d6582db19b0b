import { rowOf } from '../../engine/transaction-types.ts';
import { readDay } from '../cells/times.ts';
import { headerRowsMax } from '../detect.ts';
import type { Row } from '../format.ts';
import { type AmountColumns, decideAmounts } from './amount-columns.ts';
import {
  countHeaders,
  type FieldCandidate,
  isNumber,
  isPair,
  listFieldCandidates,
  type SampledColumn,
  sampleColumns,
} from './column-candidates.ts';
import { findStatedZone, type StatedZone } from './header-zones.ts';
import { findMappedColumn, type MappedField, type Mapping } from './mapping.ts';
import { readMapping } from './mapping-json.ts';
import { currencyGains, findPositionColumns, type PositionColumns, type SampledFile } from './position-columns.ts';
import { areMoves, hasDecimalCommas, payMoney, proposeSettings } from './proposed-settings.ts';
import { addStakes } from './question-stakes.ts';
import { positionQuestions, type QuestionContext, tradeQuestions } from './questions.ts';
import { readRowInstruments } from './row-instruments.ts';
import { MappedSample, readNumbers } from './sample-numbers.ts';
import { findReceivedColumns, findSideColumns, withAssetOfUnits } from './side-columns.ts';
import { amountFields, assignTexts, doneAmong, likely } from './text-columns.ts';
import { typeOfWord } from './type-words.ts';

/** A proposed mapping, based on the header and the first values below it. The user reviews, corrects and returns it. */
export interface MappingProposal {
  readonly mapping: Mapping;
  readonly columns: readonly ProposedColumn[];
  /** Columns that the user should check. */
  readonly unclear: readonly string[];
  /** Transaction fields, or `side`, that seem to be missing from the file. */
  readonly missing: readonly string[];
  /** Futures roots with an unknown point value. Set them in the mapping's `multipliers`. */
  readonly unknownFutures: readonly string[];
}

export interface ProposedColumn {
  readonly column: string;
  /** The column's most likely field. Null if there is none. */
  readonly field: MappedField | null;
  /** From 0 to 1, in steps of a tenth. */
  readonly confidence: number;
  readonly why: string;
}

/** Returns undefined if no row looks like a transaction header: a date and two more recognized columns. */
export function proposeMapping(rows: readonly Row[]): MappingProposal | undefined {
  const head = rows.slice(0, headerRowsMax);
  const tables = head
    .map((header, index) => ({
      header,
      count: countHeaders(header),
      below: head.slice(index + 1, index + 1 + samplesMax),
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, headersMax)
    .map(({ header, below }) => assign(header, below))
    .toSorted((a, b) => b.score - a.score);
  // If a header is repeated, only the first one counts.
  const assigned = tables
    .filter(({ header }) => sameCells(header, tables[0]?.header))
    .toSorted((a, b) => a.header.line - b.header.line)[0];
  if (assigned === undefined || assigned.sample.fields.length < 3 || !assigned.sample.has('date')) return undefined;
  const { sample } = assigned;
  const zone = findStatedZone(sample.fields, sample.columns, head.slice(0, head.indexOf(assigned.header)));
  const withQuestions = withRowsAbove({ ...assigned, undecided: { ...assigned.undecided, ...zone.undecided } }, head);
  const mapping = buildMapping(sample, addStakes(withQuestions.undecided, sample), zone);
  if ('faults' in readMapping(mapping)) return undefined;
  return {
    mapping,
    columns: sample.columns.map((column) => toProposedColumn(column, sample)),
    unclear: listUnclearParts(assigned, mapping),
    missing: listMissingFields(mapping),
    unknownFutures: findUnknownFutures(sample),
  };
}

const samplesMax = 50;
/** The maximum number of header candidates. */
const headersMax = 6;
const sure = 0.7;
function sameCells(a: Row, b: Row | undefined): boolean {
  return a.cells.join('\n') === b?.cells.join('\n');
}

/** Adds a question if rows of another table precede the header, because they would not be imported. */
function withRowsAbove(assigned: Assigned, head: readonly Row[]): Assigned {
  const above = head.slice(0, head.indexOf(assigned.header)).map(({ cells }) => cells.map((cell) => cell.trim()));
  const isData = (cells: readonly string[]): boolean =>
    cells.some((cell) => /\d/.test(cell) && readDay(cell) !== undefined) &&
    cells.filter((cell) => isNumber(cell)).length > 0 &&
    cells.filter((cell) => cell !== '').length > 3;
  const date = assigned.sample.column('date')?.name;
  if (date === undefined || !above.some(isData)) return assigned;
  return {
    ...assigned,
    undecided: {
      ...assigned.undecided,
      [date]: 'Rows above this header are not imported. Do they belong to a different table?',
    },
  };
}

interface Assigned {
  readonly header: Row;
  readonly sample: MappedSample;
  readonly undecided: AmountColumns['undecided'];
  readonly score: number;
}

/** Assigns columns to fields: text columns by name and values, number columns by whether the numbers agree. */
function assign(header: Row, below: readonly Row[]): Assigned {
  const width = header.cells.filter((cell) => cell.trim() !== '').length;
  // Skips section titles and total lines, because they reveal nothing about a column.
  const rows = doneAmong(
    header,
    below.filter(({ cells }) => cells.filter((cell) => cell.trim() !== '').length * 3 > width),
  );
  const columns = sampleColumns(header, rows);
  const isComma = hasDecimalCommas(columns);
  const candidates = columns.flatMap(listFieldCandidates);
  const texts = withWholeOptions(assignTexts(candidates, columns));
  const file = { columns, candidates, texts, isComma };
  const positions = findPositionColumns(file);
  const { sample, undecided } =
    positions !== undefined && positions.fields.length > 0 ? assignPositions(positions, file) : assignTrades(file);
  return {
    header,
    sample,
    undecided: { ...undecided, ...positions?.undecided },
    score: sample.fields.reduce((sum, { confidence }) => sum + confidence, 0),
  };
}

/**
 * Drops incomplete option columns. An expiration without a strike belongs to a future. An option with a strike and
 * right may call its expiration a maturity.
 */
function withWholeOptions(stated: readonly FieldCandidate[]): FieldCandidate[] {
  const isStated = (field: MappedField): boolean => stated.some((one) => one.field === field);
  const matures = isStated('strike') && isStated('right') && !isStated('expiration');
  const texts = stated.map(
    (one): FieldCandidate => (matures && one.field === 'maturity' ? { ...one, field: 'expiration' } : one),
  );
  const has = (field: MappedField): boolean => texts.some((one) => one.field === field);
  const isWhole = has('expiration') && has('strike') && has('right');
  return texts.filter(({ field }) => isWhole || !['expiration', 'strike', 'right'].includes(field));
}

type AssignedFields = Pick<Assigned, 'sample' | 'undecided'>;

/** Assigns columns for rows that contain both an opening and a closing. */
function assignPositions({ fields }: PositionColumns, { columns, candidates, isComma }: SampledFile): AssignedFields {
  const instruments = readRowInstruments(fields, columns);
  const isKnown = instruments.instruments.every(
    ({ kind, asset }) => kind !== 'asset' || (asset !== '' && !isPair(asset)),
  );
  const gains = fields.filter(({ field }) => field === 'gain' || field === 'grossGain').map(({ column }) => column);
  const sample = new MappedSample(columns, candidates, fields, isComma);
  const undecided = askAll(positionQuestions, sample, { instruments, gains: isKnown ? gains : [] });
  return { sample, undecided };
}

function askAll(
  questions: typeof tradeQuestions,
  sample: MappedSample,
  context: QuestionContext,
): Record<string, string> {
  return Object.assign({}, ...questions.map((ask) => ask(sample, context)));
}

/** Assigns columns for rows that are one transaction each. */
function assignTrades({ columns, candidates, texts, isComma }: SampledFile): AssignedFields {
  const usedColumns = new Set(texts.map(({ column }) => column));
  const numeric = candidates.filter(({ column, field }) => !usedColumns.has(column) && amountFields.has(field));
  const types = texts.find(({ field }) => field === 'type')?.column.samples ?? [];
  const has = (field: MappedField): boolean => texts.some((one) => one.field === field);
  const sides = findSideColumns(candidates, texts);
  const isChain = types.length === 0 && columns.some(({ whole }) => chainWords.test(` ${whole} `));
  const asset = texts.find(({ field }) => field === 'asset')?.column;
  const tax = texts.find(({ field }) => field === 'tax')?.column;
  const sold = texts.find(({ field }) => field === 'type')?.column.values ?? [];
  const instruments = readRowInstruments(texts, columns);
  const known = {
    hasAsset: has('asset') || has('pair'),
    hasCurrency: texts.some(({ field, column }) => field === 'currency' && column.samples.length > 0) && !has('quote'),
    hasPair: has('pair') || has('quote'),
    hasFeeAsset: has('feeAsset'),
    paysMoney: payMoney(types) && !coinWords.test(` ${asset?.whole ?? ''} `),
    onlyMoves: isChain || areMoves(types),
    isComma,
    perContract: instruments.units,
    taxes:
      tax === undefined ? [] : readNumbers(tax, isComma).map((value, row) => (isSale(sold[row] ?? '') ? value : null)),
  };
  const amounts = decideAmounts(
    numeric.filter(
      ({ column, field }) => sides === undefined || (field === 'fee' && !sides.some((one) => one.column === column)),
    ),
    known,
  );
  const isOfCurrencies = instruments.instruments.some(({ kind }) => kind === 'currencies');
  const fees = amounts.chosen.filter(({ field }) => field === 'fee');
  const gains = isOfCurrencies ? currencyGains(columns, fees, isComma) : { fields: [], undecided: {} };
  const fields = withoutContradictions([
    ...withAssetOfUnits(texts, candidates, amounts.chosen),
    ...(sides ?? []),
    ...findReceivedColumns(candidates, texts, sides),
    ...amounts.chosen,
    ...gains.fields,
  ]);
  const sample = new MappedSample(columns, candidates, fields, isComma);
  const questions = askAll(tradeQuestions, sample, { instruments, gains: [] });
  return { sample, undecided: { ...amounts.undecided, ...gains.undecided, ...questions } };
}

function findUnknownFutures(sample: MappedSample): string[] {
  if (sample.has('multiplier')) return [];
  const roots = readRowInstruments(sample.fields, sample.columns).instruments.flatMap((one) =>
    one.kind === 'future' && one.future.multiplier === null ? [one.future.root] : [],
  );
  return [...new Set(roots)];
}

function isSale(word: string): boolean {
  const type = typeOfWord(word);
  return type !== undefined && type !== 'skip' && type !== 'sign' && rowOf(type).side === 'sell';
}

/** Header words in files that list blockchain records. */
const chainWords = / (?:hash|txid|txhash|block|address|tx id|tx number) /;
const coinWords = / (?:coin|crypto|cryptocurrency|token|currency) /;

/** Removes the weaker column of each contradictory pair. */
function withoutContradictions(fields: readonly FieldCandidate[]): FieldCandidate[] {
  const has = (field: MappedField): boolean => fields.some((one) => one.field === field);
  const drops: ReadonlySet<MappedField> = new Set([
    ...(has('sentQuantity') && has('sentAsset') ? (['asset', 'pair', 'quote', 'currency'] as const) : []),
    ...(has('sentQuantity') ? (['pair', 'quote', 'quantity', 'price'] as const) : []),
    ...(has('pair') ? (['asset', 'quote', 'currency'] as const) : []),
    ...(has('quote') && has('asset') ? (['currency'] as const) : (['quote'] as const)),
    ...(has('receivedAsset') && has('pair') ? (['receivedAsset', 'receivedQuantity'] as const) : []),
  ]);
  const kept = fields.filter(({ field }) => !drops.has(field));
  const seen = new Set<SampledColumn>();
  return kept.filter(({ column }) => {
    if (seen.has(column)) return false;
    seen.add(column);
    return true;
  });
}

function buildMapping(sample: MappedSample, undecided: Assigned['undecided'], zone: StatedZone): Mapping {
  const fields = sample.fields.toSorted((a, b) => a.column.place - b.column.place);
  return {
    columns: Object.fromEntries(fields.map(({ column, field }) => [column.name, field])),
    ...proposeSettings(sample),
    ...zone.settings,
    ...(Object.keys(undecided).length > 0 ? { undecided } : {}),
  };
}

function toProposedColumn(column: SampledColumn, { fields, candidates }: MappedSample): ProposedColumn {
  const mapped = fields.find((one) => one.column === column);
  const weak = candidates
    .filter((one) => one.column === column && one.confidence < likely)
    .toSorted((a, b) => a.rank - b.rank)[0];
  const nothing = {
    field: null,
    confidence: 0,
    why: column.samples.length === 0 ? 'it is empty' : 'neither its name nor its values are recognized',
  };
  const { field, confidence, why } = mapped ?? weak ?? nothing;
  return { column: column.name, field, confidence, why };
}

function listUnclearParts({ sample, undecided }: Assigned, mapping: Mapping): string[] {
  const isUnclear = (column: SampledColumn): boolean => {
    const { field, confidence } = toProposedColumn(column, sample);
    return confidence < sure && !(column.samples.length === 0 && field === null);
  };
  const column = sample.column('type');
  const words = column === undefined || findMappedColumn(mapping, 'type') === undefined ? [] : column.samples;
  return [
    ...sample.columns.filter(isUnclear).map(({ name }) => name),
    ...Object.keys(undecided),
    ...[...new Set(words)]
      .filter((word) => typeOfWord(word) === undefined)
      .map((word) => `${column?.name}: ${word.slice(0, 40)}`),
  ];
}

function listMissingFields(mapping: Mapping): string[] {
  const fields = new Set<string>(Object.values(mapping.columns));
  const hasSides = fields.has('sentQuantity');
  const money = ['amount', 'total', 'price', 'debit', 'credit'].some((field) => fields.has(field));
  return [
    ...(fields.has('type') || hasSides || mapping.signs !== undefined ? [] : ['side']),
    ...(fields.has('asset') || fields.has('pair') || hasSides ? [] : ['asset']),
    ...(fields.has('quantity') || hasSides ? [] : ['quantity']),
    ...(money || hasSides ? [] : ['amount']),
  ];
}
