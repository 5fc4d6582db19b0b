import type { AssetClass, TransactionType } from '../../engine/model.ts';
import { normalizeHeader } from '../cells/cells.ts';
import type { DateOrderCode } from '../cells/times.ts';
import type { RowsSide } from '../format.ts';
import { type LotbookMember, lotbookColumns, memberOf } from '../lotbook-columns.ts';

/**
 * How to read a file in an unknown format: what each column holds, and values that the file does not contain. It is
 * plain JSON, so a request can carry it, a table can store it and another thread can use it.
 */
export interface Mapping {
  /** Maps headers of the file to fields. */
  readonly columns: Readonly<Record<string, MappedField>>;
  /** Which part of `3/4/2025` or `25-03-04` comes first. If absent, the file decides. */
  readonly dateOrder?: DateOrderCode;
  /** Times are seconds or milliseconds since 1970. */
  readonly epoch?: boolean;
  /** Dates are days since 1900, as in spreadsheets. */
  readonly serialDays?: boolean;
  /** A row without a date inherits the date, account, asset and type of the row above it. */
  readonly fillDown?: boolean;
  readonly decimal?: '.' | ',';
  /**
   * The column whose sign gives the direction: more units, or less money, is a purchase, or a deposit if no column
   * holds money. A row whose type contradicts the sign is rejected.
   */
  readonly signs?: 'quantity' | 'amount';
  /** The file's words for its types. `sign`: the sign decides. `skip`: the row is skipped. */
  readonly types?: Readonly<Record<string, MappedType>>;
  /** The zone of times without an offset. */
  readonly timeZone?: string;
  /** The meaning of a split's quantity: new shares per old share, or shares added. */
  readonly splitQuantity?: 'ratio' | 'added';
  /** Root of a future → dollars per point: `{"FDAX": "27.10"}`. */
  readonly multipliers?: Readonly<Record<string, string>>;
  /** Values that no column holds. */
  readonly constants?: MappedConstants;
  /** Undecided columns, each with its question. A file is not read until they are decided. */
  readonly undecided?: Readonly<Record<string, string>>;
}

export interface MappedConstants {
  readonly type?: TransactionType;
  readonly account?: string;
  readonly asset?: string;
  readonly currency?: string;
  readonly assetClass?: AssetClass;
}

/** Fields of other files that replace members of a transaction. */
const otherFields = [
  /** The time of day, if the date has its own column. */
  'time',
  /** The unit price: amount = price × quantity. */
  'price',
  /** The amount including the fee: more for a purchase, less for a sale. */
  'total',
  /** Money out of the account, and into it. */
  'debit',
  'credit',
  /** `BTC-USD`: the asset and its quote. The quote is a currency, or another coin, which makes the row a trade. */
  'pair',
  /** The quote of the asset, in its own column. */
  'quote',
  /** The units sent, if a row also has the units received (`receivedAsset`, `receivedQuantity`). */
  'sentAsset',
  'sentQuantity',
  /** A second word for the type, which is more specific if present. */
  'label',
  /** Whether the transaction was completed: canceled or failed rows are skipped. */
  'status',
  /** Whether a trade opens or closes a position. */
  'effect',
  /** When a position was opened. The row is a purchase and a sale, and `date` is the closing date. */
  'openedAt',
  /** The unit price at opening. `price` is that at closing. */
  'openPrice',
  /** The value of the position at opening. `amount` is that at closing. */
  'openAmount',
  /** The realized gain in the row after its fees, and the one before them. */
  'gain',
  'grossGain',
  /** Swap or rollover: the cost of holding a position overnight. */
  'financing',
  /** The parts of an option whose asset is the underlying. The column `right` has calls and puts. */
  'expiration',
  'strike',
  /** The units per contract, or the dollars per point. */
  'multiplier',
  /** Tax withheld from a sale. */
  'tax',
] as const;

export const mappedFields: readonly MappedField[] = [
  // `gain` maps the stated gain for every type of row.
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

/** Mapped columns that are missing from the header, as written in the mapping. */
export function columnsMissing(mapping: Mapping, header: readonly string[]): string[] {
  const names = new Set(header.map(normalizeHeader));
  return Object.keys(mapping.columns).filter((column) => !names.has(normalizeHeader(column)));
}

/** Whether the mapping leaves the direction of rows open, so the request must give it. */
export function asksSide({ columns, constants, signs }: Mapping): boolean {
  const fields = Object.values(columns);
  const says = (['type', 'sentQuantity', 'openedAt'] as const).some((field) => fields.includes(field));
  return !says && constants?.type === undefined && signs === undefined;
}

/** The mapping with a direction for every row. */
export function withSide(mapping: Mapping, side: RowsSide): Mapping {
  return { ...mapping, constants: { ...mapping.constants, type: side } };
}

/** The column mapped to a field, or undefined. */
export function findMappedColumn(mapping: Mapping, field: MappedField): string | undefined {
  return Object.keys(mapping.columns).find((column) => mapping.columns[column] === field);
}

/** A name inside a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.slice(0, textLengthMax).replaceAll('~', '~0').replaceAll('/', '~1');
}
