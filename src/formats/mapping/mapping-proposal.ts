import { limits } from '../../base/limits.ts';
import { normalizeHeader } from '../cells/cells.ts';
import { isCurrency } from '../cells/currencies.ts';
import { numberIn, plainNumber, saysNone } from '../cells/fields.ts';
import { readTime } from '../cells/times.ts';
import { headerRowsMax } from '../detect.ts';
import type { Row } from '../format.ts';
import { columnOf, type MappedField, type Mapping, readMapping } from './mapping.ts';
import { namesOfField, plainWords, typeOfWord } from './mapping-words.ts';

/**
 * A proposed mapping, made from the header and the first values below it. A person reviews, corrects and returns it.
 */
export interface MappingProposal {
  readonly mapping: Mapping;
  readonly columns: readonly ProposedColumn[];
  /** Columns that a person should look at. */
  readonly unclear: readonly string[];
  /** What the file does not seem to have: members of a transaction, or `side`. */
  readonly missing: readonly string[];
}

export interface ProposedColumn {
  readonly column: string;
  /** The likely field of the column. Null where none is likely. */
  readonly field: MappedField | null;
  /** From 0 to 1, in tenths. */
  readonly confidence: number;
  readonly why: string;
}

/** Undefined where no row looks like a header of transactions: a date and two more recognized columns. */
export function proposeMapping(rows: readonly Row[]): MappingProposal | undefined {
  const head = rows.slice(0, headerRowsMax);
  const found = head
    .map((header, index) => ({ header, below: head.slice(index + 1, index + 1 + samplesMax) }))
    .map(({ header, below }) => assign(header, below))
    .toSorted((a, b) => b.score - a.score)[0];
  if (found === undefined || found.named.length < 3 || !found.named.some(({ field }) => field === 'date'))
    return undefined;
  const mapping = mappingOf(found);
  if ('faults' in readMapping(mapping)) return undefined;
  const words = wordsWithoutType(found, mapping);
  return {
    mapping,
    columns: found.columns.map(({ column, field, confidence, why }) => ({ column, field, confidence, why })),
    unclear: [
      ...found.columns.filter(({ confidence, empty }) => confidence < sure && !empty).map(({ column }) => column),
      ...words.map((word) => `${columnOf(mapping, 'type')}: ${word}`),
    ],
    missing: missingIn(mapping),
  };
}

const samplesMax = 50;
const sure = 0.7;
/** A column below this confidence is shown but not mapped. */
const likely = 0.5;

interface SampledColumn extends ProposedColumn {
  readonly place: number;
  readonly samples: readonly string[];
  readonly empty: boolean;
}

interface Assigned {
  readonly columns: readonly SampledColumn[];
  /** The columns that are not empty. */
  readonly named: readonly SampledColumn[];
  readonly score: number;
}

interface FieldCandidate {
  readonly place: number;
  readonly field: MappedField;
  readonly confidence: number;
  readonly why: string;
}

/** Assigns each field to the column that fits it best, the surest first. */
function assign(header: Row, below: readonly Row[]): Assigned {
  // A cell beyond the limit of names heads no column.
  const names = header.cells.map((cell) =>
    cell.length > limits.valueCharacters ? '' : cell.replace(/^\uFEFF/, '').trim(),
  );
  const samples = names.map((_, place) =>
    below.map(({ cells }) => (cells[place] ?? '').slice(0, limits.noteCharacters).trim()).filter((s) => !saysNone(s)),
  );
  const unique = names.map((name, place) => name !== '' && names.findIndex((other) => same(other, name)) === place);
  const candidates = names
    .flatMap((name, place) => (unique[place] === true ? candidatesOf(name, place, samples[place] ?? []) : []))
    .sort((a, b) => b.confidence - a.confidence || a.place - b.place);
  const [byPlace, taken] = [new Map<number, FieldCandidate>(), new Set<MappedField>()];
  for (const candidate of candidates) {
    if (byPlace.has(candidate.place) || taken.has(candidate.field)) continue;
    if (amountFields.has(candidate.field) && [...amountFields].some((field) => taken.has(field))) continue;
    byPlace.set(candidate.place, candidate);
    taken.add(candidate.field);
  }
  const columns = names.flatMap((column, place): SampledColumn[] => {
    if (unique[place] !== true) return [];
    const own = samples[place] ?? [];
    const candidate = byPlace.get(place);
    const nothing = {
      field: null,
      confidence: 0,
      why: own.length === 0 ? 'it is empty' : 'its name and its values mean nothing',
    };
    const { field, confidence, why } = candidate ?? nothing;
    return [{ column, place, field, confidence, why, samples: own, empty: own.length === 0 && field === null }];
  });
  return scored(columns.map((column) => unitsOf(column, taken)));
}

/** The column of the units: an amount of an asset counts its units where no other column does. */
function unitsOf(column: SampledColumn, taken: ReadonlySet<MappedField>): SampledColumn {
  const isUnits = column.field === 'amount' && taken.has('asset') && !taken.has('quantity') && !taken.has('currency');
  if (!isUnits || /[$€£]|usd|eur|value/i.test(column.column)) return column;
  return { ...column, field: 'quantity', confidence: 0.6, why: 'nothing else seems to count the units' };
}

function scored(columns: readonly SampledColumn[]): Assigned {
  const named = columns.filter(({ field, confidence }) => field !== null && confidence >= likely);
  return { columns, named, score: named.reduce((sum, { confidence }) => sum + confidence, 0) };
}

function same(a: string, b: string): boolean {
  return normalizeHeader(a) === normalizeHeader(b);
}

/** Fields that state the money of a row. One of them is enough. */
const amountFields: ReadonlySet<MappedField> = new Set(['amount', 'total', 'price']);

/** The fields a column may hold: by its name, by a part of its name, or by its values alone. */
function candidatesOf(name: string, place: number, samples: readonly string[]): FieldCandidate[] {
  const words = plainWords(name.replace(/\(.*?\)/g, ' ')) || plainWords(name);
  const named = (Object.entries(namesOfField) as [MappedField, readonly string[]][]).flatMap(([field, known]) => {
    const rank = known.indexOf(words);
    const within = rank === -1 && known.some((one) => one.length > 3 && ` ${words} `.includes(` ${one} `));
    if (rank === -1 && !within) return [];
    // An exchange rate is not an exchange, and an average filled price is not a quantity filled.
    if (rank === -1 && !['price', 'currency'].includes(field) && / (?:price|rate) /.test(` ${words} `)) return [];
    const base = rank === -1 ? 0.6 : rank < 6 ? 0.9 : 0.8;
    const why = rank === -1 ? `its name has a word for the ${field}` : `its name is one for the ${field}`;
    return [judged({ place, field, confidence: base, why }, samples)];
  });
  if (named.some(({ confidence }) => confidence >= likely) || samples.length === 0) return named;
  const shown = fieldOfValues(samples);
  return shown === undefined ? named : [...named, { place, ...shown }];
}

/** Reduces the confidence of a name where the values do not agree with it. */
function judged(candidate: FieldCandidate, samples: readonly string[]): FieldCandidate {
  const fits = valueTests[candidate.field];
  if (fits === undefined || samples.length === 0) return candidate;
  const share = samples.filter(fits).length / samples.length;
  if (share >= 0.9) return { ...candidate, confidence: tenths(candidate.confidence + 0.1) };
  if (share >= 0.5)
    return {
      ...candidate,
      confidence: tenths(candidate.confidence - 0.2),
      why: `${candidate.why}, not all values fit`,
    };
  return { ...candidate, confidence: 0.2, why: `${candidate.why}, but its values do not fit` };
}

function tenths(confidence: number): number {
  return Math.round(Math.min(confidence, 1) * 10) / 10;
}

const isNumber = (text: string): boolean => (numberIn(text) ?? numberIn(text, 'decimal comma')) !== undefined;
const isDate = (text: string): boolean =>
  (readTime(text, 'UTC', 'UTC') ?? readTime(text, 'UTC', 'UTC', 'day first')) !== undefined || epoch.test(text);
const isTicker = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.\-/ ]{0,24}$/.test(text) && !isNumber(text);
const isPair = (text: string): boolean => /^[A-Z0-9]{2,10}[-/_][A-Z]{3,5}$/i.test(text);
const epoch = /^[1-3]\d{9}(?:\d{3})?$/;

const valueTests: Partial<Record<MappedField, (text: string) => boolean>> = {
  date: isDate,
  acquired: isDate,
  time: (text) => /^\d{1,2}:\d{2}/.test(text),
  account: (text) => !isNumber(text),
  type: (text) => typeOfWord(text) !== undefined,
  // `BRK-B` is a share, not a pair: the other side of a pair is a currency or has at least three letters.
  asset: (text) => isTicker(text) && !isPair(text),
  pair: isPair,
  receivedAsset: isTicker,
  feeAsset: isTicker,
  quantity: isNumber,
  price: isNumber,
  amount: isNumber,
  total: isNumber,
  fee: isNumber,
  receivedQuantity: isNumber,
  basis: isNumber,
  currency: (text) => /^[A-Za-z]{3}$/.test(text) && isCurrency(text),
};

function fieldOfValues(samples: readonly string[]): Omit<FieldCandidate, 'place'> | undefined {
  const all = (test: (text: string) => boolean): boolean => samples.every(test);
  const read = (field: MappedField, what: string) => ({ field, confidence: 0.5, why: `its values read as ${what}` });
  if (all((text) => isDate(text) && !isNumber(text))) return read('date', 'dates');
  if (all((text) => typeOfWord(text) !== undefined)) return read('type', 'types');
  if (all((text) => isCurrency(text))) return read('currency', 'currencies');
  return undefined;
}

function mappingOf({ named }: Assigned): Mapping {
  const holding = (field: MappedField): SampledColumn | undefined => named.find((column) => column.field === field);
  const numbers = named
    .filter(({ field }) => valueTests[field ?? 'note'] === isNumber)
    .flatMap(({ samples }) => samples);
  const isComma = numbers.some(
    (text) => plainNumber(text) === undefined && numberIn(text, 'decimal comma') !== undefined,
  );
  const dates = holding('date')?.samples ?? [];
  const money = holding('amount') ?? holding('total') ?? holding('price');
  const currency = holding('currency') === undefined ? /\(([A-Z]{3})\)/.exec(money?.column ?? '')?.[1] : undefined;
  const negative = (column: SampledColumn | undefined): boolean =>
    column?.samples.some((text) => (numberIn(text) ?? numberIn(text, 'decimal comma'))?.startsWith('-') === true) ===
    true;
  const signs =
    holding('type') !== undefined || money?.field === 'price'
      ? undefined
      : negative(holding('quantity'))
        ? 'quantity'
        : negative(money)
          ? 'amount'
          : undefined;
  const unsignedPrice = holding('type') === undefined && money?.field === 'price' && negative(holding('quantity'));
  return {
    columns: Object.fromEntries(named.map(({ column, field }) => [column, field as MappedField])),
    ...(isComma ? { decimal: ',' as const } : {}),
    ...(dates.length > 0 && dates.every((text) => epoch.test(text)) ? { epoch: true } : {}),
    ...(unsignedPrice ? { signs: 'quantity' as const } : signs === undefined ? {} : { signs }),
    ...(currency !== undefined && currency !== 'USD' && isCurrency(currency) ? { constants: { currency } } : {}),
  };
}

function wordsWithoutType({ named }: Assigned, mapping: Mapping): string[] {
  const column = named.find(({ field }) => field === 'type');
  if (column === undefined || columnOf(mapping, 'type') === undefined) return [];
  return [...new Set(column.samples)].filter((word) => typeOfWord(word) === undefined).map((word) => word.slice(0, 40));
}

function missingIn(mapping: Mapping): string[] {
  const fields = new Set<string>(Object.values(mapping.columns));
  const money = [...amountFields].some((field) => fields.has(field));
  return [
    ...(fields.has('type') || mapping.signs !== undefined ? [] : ['side']),
    ...(fields.has('asset') || fields.has('pair') ? [] : ['asset']),
    ...(fields.has('quantity') ? [] : ['quantity']),
    ...(money ? [] : ['amount']),
  ];
}
