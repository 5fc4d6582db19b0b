import { isTimeZone } from '../../base/day.ts';
import { isObject } from '../../base/json.ts';
import { type AssetClass, assetClasses, type TransactionType, transactionTypes } from '../../engine/model.ts';
import { normalizeHeader } from '../cells/cells.ts';
import type { RowsSide } from '../format.ts';
import { type LotbookMember, lotbookColumns, memberOf } from '../lotbook-columns.ts';

/**
 * How to read a file that no format recognizes: which column holds what, and what the file does not state. It is plain
 * JSON, so that a request can carry it, a table can store it and another thread can read by it.
 */
export interface Mapping {
  /** Header of the file → the field below it. */
  readonly columns: Readonly<Record<string, MappedField>>;
  /** Which part of `3/4/2025` comes first. Without it the file decides. Dates with the year first need none. */
  readonly dateOrder?: 'mdy' | 'dmy';
  /** Times are seconds or milliseconds since 1970. */
  readonly epoch?: boolean;
  readonly decimal?: '.' | ',';
  /** The column whose sign separates purchases from sales: more units, or less money, is a purchase. */
  readonly signs?: 'quantity' | 'amount';
  /** The file's words for its types. `sign`: the sign decides. `skip`: the row is skipped. */
  readonly types?: Readonly<Record<string, MappedType>>;
  /** The zone of times without offset. */
  readonly timeZone?: string;
  /** Values that no column states. */
  readonly constants?: MappedConstants;
}

export interface MappedConstants {
  readonly type?: TransactionType;
  readonly account?: string;
  readonly asset?: string;
  readonly currency?: string;
  readonly assetClass?: AssetClass;
}

/** The members of a transaction, and four fields that other files have instead. */
export const mappedFields: readonly MappedField[] = [
  ...lotbookColumns.map((column) => memberOf(column)),
  /** The time of the day, where the day has its own column. */
  'time',
  /** The price of one unit: amount = price × quantity. */
  'price',
  /** The amount with the fee: more for a purchase, less for a sale. */
  'total',
  /** `BTC-USD`: the asset and what it is traded for. A currency, or another coin, which makes it a trade. */
  'pair',
];

export type MappedField = LotbookMember | 'time' | 'price' | 'total' | 'pair';
export type MappedType = TransactionType | 'sign' | 'skip';

export interface MappingFault {
  /** JSON pointer into the mapping. */
  readonly pointer: string;
  readonly detail: string;
}

const members = ['columns', 'dateOrder', 'epoch', 'decimal', 'signs', 'types', 'timeZone', 'constants'];
const constantNames = ['type', 'account', 'asset', 'currency', 'assetClass'] as const;
const columnsMax = 256;
const textLengthMax = 200;

/** Reads a mapping from a JSON value. Otherwise returns all its faults. */
export function readMapping(value: unknown): { readonly mapping: Mapping } | { readonly faults: MappingFault[] } {
  if (!isObject(value)) return { faults: [{ pointer: '', detail: 'A mapping is a JSON object.' }] };
  const faults = [
    ...unknownNames('', value, members),
    ...faultsOfColumns(value.columns),
    ...faultsOfTypes(value.types),
    ...faultsOfConstants(value.constants),
    ...faultsOfWords(value),
  ];
  if (faults.length > 0) return { faults };
  const mapping = value as unknown as Mapping;
  const contradictions = contradictionsIn(mapping);
  return contradictions.length > 0 ? { faults: contradictions } : { mapping };
}

/** Columns that the mapping names and the header lacks, as the mapping writes them. */
export function columnsMissing(mapping: Mapping, header: readonly string[]): string[] {
  const names = new Set(header.map(normalizeHeader));
  return Object.keys(mapping.columns).filter((column) => !names.has(normalizeHeader(column)));
}

/** Whether the mapping leaves the direction of rows open: then the request must state it. */
export function asksSide({ columns, constants, signs }: Mapping): boolean {
  return !Object.values(columns).includes('type') && constants?.type === undefined && signs === undefined;
}

/** The mapping with the direction of every row. */
export function withSide(mapping: Mapping, side: RowsSide): Mapping {
  return { ...mapping, constants: { ...mapping.constants, type: side } };
}

/** The column that holds a field; undefined where none does. */
export function columnOf(mapping: Mapping, field: MappedField): string | undefined {
  return Object.keys(mapping.columns).find((column) => mapping.columns[column] === field);
}

function faultsOfColumns(columns: unknown): MappingFault[] {
  const pointer = '/columns';
  if (!isObject(columns) || Object.keys(columns).length === 0)
    return [{ pointer, detail: 'Say which column holds what: {"Trade Date": "date", "Ticker": "asset", …}.' }];
  if (Object.keys(columns).length > columnsMax) return [{ pointer, detail: `At most ${columnsMax} columns.` }];
  return Object.entries(columns).flatMap(([name, field]) =>
    typeof field === 'string' && mappedFields.some((known) => known === field)
      ? []
      : [{ pointer: `${pointer}/${escaped(name)}`, detail: `This is none of ${mappedFields.join(', ')}.` }],
  );
}

function faultsOfTypes(types: unknown): MappingFault[] {
  if (types === undefined) return [];
  if (!isObject(types)) return [{ pointer: '/types', detail: 'The words of the file, each with its type.' }];
  const known: readonly string[] = [...transactionTypes, 'sign', 'skip'];
  return Object.entries(types)
    .filter(([, type]) => typeof type !== 'string' || !known.includes(type))
    .map(([word]) => ({ pointer: `/types/${escaped(word)}`, detail: `This is none of ${known.join(', ')}.` }));
}

function faultsOfConstants(constants: unknown): MappingFault[] {
  if (constants === undefined) return [];
  if (!isObject(constants)) return [{ pointer: '/constants', detail: 'An object: {"currency": "EUR"}.' }];
  const choices: Readonly<Record<string, readonly string[]>> = { type: transactionTypes, assetClass: assetClasses };
  const wrong = Object.entries(constants).flatMap(([name, text]): MappingFault[] => {
    const pointer = `/constants/${escaped(name)}`;
    if (typeof text !== 'string' || text.trim() === '' || text.length > textLengthMax)
      return [{ pointer, detail: `A text of at most ${textLengthMax} characters.` }];
    if (choices[name]?.includes(text) === false)
      return [{ pointer, detail: `This is none of ${choices[name].join(', ')}.` }];
    return name === 'currency' && !/^[A-Z]{3}$/.test(text) ? [{ pointer, detail: 'Three letters, as USD.' }] : [];
  });
  return [...unknownNames('/constants', constants, constantNames), ...wrong];
}

function faultsOfWords(value: Readonly<Record<string, unknown>>): MappingFault[] {
  const { dateOrder, epoch, decimal, signs, timeZone } = value;
  const faults: MappingFault[] = [];
  const check = (pointer: string, isRight: boolean, detail: string): void => {
    if (!isRight) faults.push({ pointer, detail });
  };
  check(
    '/dateOrder',
    [undefined, 'mdy', 'dmy'].some((one) => one === dateOrder),
    '`mdy` or `dmy`.',
  );
  check('/epoch', epoch === undefined || typeof epoch === 'boolean', 'true or false.');
  check(
    '/decimal',
    [undefined, '.', ','].some((one) => one === decimal),
    '`.` or `,`.',
  );
  check(
    '/signs',
    [undefined, 'quantity', 'amount'].some((one) => one === signs),
    '`quantity` or `amount`.',
  );
  const isZone = timeZone === undefined || (typeof timeZone === 'string' && isTimeZone(timeZone));
  check('/timeZone', isZone, 'A name of the IANA database, as America/New_York.');
  return faults;
}

/** Checks what each part allows and all of them together do not. */
function contradictionsIn(mapping: Mapping): MappingFault[] {
  const { columns, constants = {}, signs, types, epoch, dateOrder } = mapping;
  const fields = Object.values(columns);
  const faults: MappingFault[] = [];
  const isMapped = (field: MappedField): boolean => fields.includes(field);
  const twice = Object.entries(columns).filter(([, field], index) => fields.indexOf(field) < index);
  for (const [column, field] of twice) {
    const first = columnOf(mapping, field);
    faults.push({ pointer: `/columns/${escaped(column)}`, detail: `"${first}" holds the ${field} already.` });
  }
  for (const name of constantNames) {
    if (constants[name] !== undefined && name !== 'account' && isMapped(name))
      faults.push({ pointer: `/constants/${name}`, detail: `A column holds the ${name}: say one or the other.` });
  }
  if (!isMapped('date')) faults.push({ pointer: '/columns', detail: 'No column holds the date.' });
  for (const field of ['asset', 'currency'] as const) {
    if (isMapped('pair') && (isMapped(field) || constants[field] !== undefined))
      faults.push({ pointer: '/columns', detail: `The pair says the ${field}: map one of them.` });
  }
  if (
    !isMapped('asset') &&
    !isMapped('pair') &&
    constants.asset === undefined &&
    !isMapped('type') &&
    constants.type === undefined
  )
    faults.push({ pointer: '/columns', detail: 'No column holds the asset, and no constant names it.' });
  if (types !== undefined && !isMapped('type'))
    faults.push({ pointer: '/types', detail: 'No column holds the type that these words stand for.' });
  if (signs !== undefined && constants.type !== undefined)
    faults.push({ pointer: '/signs', detail: 'All rows have one type: their sign can say nothing.' });
  if (signs === 'quantity' && !isMapped('quantity'))
    faults.push({ pointer: '/signs', detail: 'No column holds the quantity whose sign this is.' });
  if (signs === 'amount' && !isMapped('amount') && !isMapped('total'))
    faults.push({ pointer: '/signs', detail: 'No column holds the amount or the total whose sign this is.' });
  if (signs === undefined && Object.values(types ?? {}).includes('sign'))
    faults.push({ pointer: '/types', detail: 'Say in "signs" whose sign it is.' });
  if (epoch === true && (dateOrder !== undefined || isMapped('time')))
    faults.push({ pointer: '/epoch', detail: 'A count of seconds has no order and no time beside it.' });
  return faults;
}

function unknownNames(
  pointer: string,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
): MappingFault[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: `${pointer}/${escaped(name)}`, detail: `Not known here: ${known.join(', ')} are.` }));
}

/** A name inside a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return name.slice(0, textLengthMax).replaceAll('~', '~0').replaceAll('/', '~1');
}
