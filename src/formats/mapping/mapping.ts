import type { AssetClass, TransactionType } from '../../engine/model.ts';
import { normalizeHeader } from '../cells/cells.ts';
import type { DateOrderCode } from '../cells/times.ts';
import type { RowsSide } from '../format.ts';
import { type LotbookMember, lotbookColumns, memberOf } from '../lotbook-columns.ts';

/**
 * How to read a file that no format recognizes: which column holds what, and what the file does not state. It is plain
 * JSON, so that a request can carry it, a table can store it and another thread can read by it.
 */
export interface Mapping {
  /** Header of the file → the field below it. */
  readonly columns: Readonly<Record<string, MappedField>>;
  /** Which part of `3/4/2025` or `25-03-04` comes first. Without it the file decides. */
  readonly dateOrder?: DateOrderCode;
  /** Times are seconds or milliseconds since 1970. */
  readonly epoch?: boolean;
  /** Dates are days since 1900, as spreadsheets count them. */
  readonly serialDays?: boolean;
  /** A row without a date goes on with the date, account, asset and type of the row above it. */
  readonly fillDown?: boolean;
  readonly decimal?: '.' | ',';
  /**
   * The column whose sign says the way: more units, or less money, is a purchase, or a deposit where no column states
   * money. A type that says the other way rejects the row.
   */
  readonly signs?: 'quantity' | 'amount';
  /** The file's words for its types. `sign`: the sign decides. `skip`: the row is skipped. */
  readonly types?: Readonly<Record<string, MappedType>>;
  /** The zone of times without offset. */
  readonly timeZone?: string;
  /** What the quantity of a split is: the new shares for each old one, or the shares that were added. */
  readonly splitQuantity?: 'ratio' | 'added';
  /** Root of a future → the dollars of one point: `{"FDAX": "27.10"}`. */
  readonly multipliers?: Readonly<Record<string, string>>;
  /** Values that no column states. */
  readonly constants?: MappedConstants;
  /** Columns that nobody has decided on yet, and why: a file is not read before they are. */
  readonly undecided?: Readonly<Record<string, string>>;
}

export interface MappedConstants {
  readonly type?: TransactionType;
  readonly account?: string;
  readonly asset?: string;
  readonly currency?: string;
  readonly assetClass?: AssetClass;
}

/** Fields that other files have instead of members of a transaction. */
const otherFields = [
  /** The time of the day, where the day has its own column. */
  'time',
  /** The price of one unit: amount = price × quantity. */
  'price',
  /** The amount with the fee: more for a purchase, less for a sale. */
  'total',
  /** Money out of the account, and into it. */
  'debit',
  'credit',
  /** `BTC-USD`: the asset and what it is traded for. A currency, or another coin, which makes it a trade. */
  'pair',
  /** What the asset is traded for, in a column of its own. */
  'quote',
  /** What was given, where a row states it beside what was received (`receivedAsset`, `receivedQuantity`). */
  'sentAsset',
  'sentQuantity',
  /** A second word for the type, which says more where it is filled. */
  'label',
  /** Whether the row took place: rows that were cancelled or failed are skipped. */
  'status',
  /** Whether a trade opens or closes a position. */
  'effect',
  /** When a position was opened: the row is a purchase and a sale, and `date` is when it was closed. */
  'openedAt',
  /** The price of one unit when the position was opened: `price` is that of the closing. */
  'openPrice',
  /** The value of the position when it was opened: `amount` is that of the closing. */
  'openAmount',
  /** The realized gain that the row states after its fees, and the one before them. */
  'gain',
  'grossGain',
  /** Swap or rollover: what it cost to hold a position overnight. */
  'financing',
  /** The parts of an option whose asset is the underlying: the column `right` has calls and puts. */
  'expiration',
  'strike',
  /** The units of one contract, or the dollars of one point. */
  'multiplier',
  /** Tax withheld of a sale. */
  'tax',
] as const;

export const mappedFields: readonly MappedField[] = [
  // `gain` maps the stated gain, whatever the row turns out to be.
  ...lotbookColumns.map((column) => memberOf(column)).filter((name) => name !== 'statedGain'),
  ...otherFields,
];

export type MappedField = LotbookMember | (typeof otherFields)[number];
export type MappedType = TransactionType | 'sign' | 'skip';

export interface MappingFault {
  /** JSON pointer into the mapping. */
  readonly pointer: string;
  readonly detail: string;
}

export const constantNames = ['type', 'account', 'asset', 'currency', 'assetClass'] as const;
const textLengthMax = 200;

/** Columns that the mapping names and the header lacks, as the mapping writes them. */
export function columnsMissing(mapping: Mapping, header: readonly string[]): string[] {
  const names = new Set(header.map(normalizeHeader));
  return Object.keys(mapping.columns).filter((column) => !names.has(normalizeHeader(column)));
}

/** Whether the mapping leaves the direction of rows open: then the request must state it. */
export function asksSide({ columns, constants, signs }: Mapping): boolean {
  const fields = Object.values(columns);
  const says = (['type', 'sentQuantity', 'openedAt'] as const).some((field) => fields.includes(field));
  return !says && constants?.type === undefined && signs === undefined;
}

/** The mapping with the direction of every row. */
export function withSide(mapping: Mapping, side: RowsSide): Mapping {
  return { ...mapping, constants: { ...mapping.constants, type: side } };
}

/** The column that holds a field; undefined where none does. */
export function columnOf(mapping: Mapping, field: MappedField): string | undefined {
  return Object.keys(mapping.columns).find((column) => mapping.columns[column] === field);
}

/** A name inside a JSON pointer (RFC 6901). */
export function escaped(name: string): string {
  return name.slice(0, textLengthMax).replaceAll('~', '~0').replaceAll('/', '~1');
}
