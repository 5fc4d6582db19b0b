import type { AssetClass, TransactionType } from '../../engine/model.ts';
import { normalizeHeader } from '../cells/cells.ts';
import type { DateOrderCode } from '../cells/times.ts';
import type { RowsSide } from '../format.ts';
import { type LotbookMember, lotbookColumns, memberOf } from '../lotbook-columns.ts';

/**
 * Specifies how to read a file in an unknown format: what each column contains, and values that the file does not
 * contain. It is plain JSON, so it can be sent in a request, stored in a table and passed to another thread.
 */
export interface Mapping {
  /** Maps the file's headers to fields. */
  readonly columns: Readonly<Record<string, MappedField>>;
  /** Which part of `3/4/2025` or `25-03-04` comes first. If absent, the file's dates determine it. */
  readonly dateOrder?: DateOrderCode;
  /** Whether times are seconds or milliseconds since 1970. */
  readonly epoch?: boolean;
  /** Whether dates are days since 1900, as in spreadsheets. */
  readonly serialDays?: boolean;
  /** Whether a row without a date inherits the date, account, asset and type from the row above it. */
  readonly fillDown?: boolean;
  readonly decimal?: '.' | ',';
  /**
   * The column whose sign sets the direction. More units or less money means a purchase, or a deposit if no column
   * holds money. A row whose type contradicts the sign is rejected.
   */
  readonly signs?: 'quantity' | 'amount';
  /** Maps the file's words to types. `sign` means that the sign sets the direction, and `skip` skips the row. */
  readonly types?: Readonly<Record<string, MappedType>>;
  /** The zone for times without an offset. */
  readonly timeZone?: string;
  /** Whether a split's quantity is new shares per old share, or shares added. */
  readonly splitQuantity?: 'ratio' | 'added';
  /** Maps a future's root to dollars per point: `{"FDAX": "27.10"}`. */
  readonly multipliers?: Readonly<Record<string, string>>;
  /** Values that are not in any column. */
  readonly constants?: MappedConstants;
  /** Columns that the user still has to decide, each with its question. The file is not read before that. */
  readonly undecided?: Readonly<Record<string, string>>;
}

export interface MappedConstants {
  readonly type?: TransactionType;
  readonly account?: string;
  readonly asset?: string;
  readonly currency?: string;
  readonly assetClass?: AssetClass;
}

/** Fields that other files contain in place of transaction fields. */
const otherFields = [
  /** The time of day, if it is not in the date column. */
  'time',
  /** The unit price: amount = price × quantity. */
  'price',
  /** The amount including the fee: higher for a purchase, lower for a sale. */
  'total',
  /** Money paid out of the account, and money paid into it. */
  'debit',
  'credit',
  /**
   * The asset and its quote, as in `BTC-USD`. The quote is a currency, or another coin, which makes the row a crypto
   * trade.
   */
  'pair',
  /** The asset's quote, if it has its own column. */
  'quote',
  /** The units sent, in rows that also contain the units received (`receivedAsset`, `receivedQuantity`). */
  'sentAsset',
  'sentQuantity',
  /** A second, more specific word for the type. */
  'label',
  /** Whether the transaction was completed. Canceled and failed rows are skipped. */
  'status',
  /** Whether a trade opens or closes a position. */
  'effect',
  /** When a position was opened. The row is both a purchase and a sale, and `date` is the closing date. */
  'openedAt',
  /** The unit price at opening. `price` is the one at closing. */
  'openPrice',
  /** The position's value at opening. `amount` is the one at closing. */
  'openAmount',
  /** The realized gain after fees, and before fees. */
  'gain',
  'grossGain',
  /** The swap or rollover charge for holding a position overnight. */
  'financing',
  /** The parts of an option whose asset column holds the underlying. The column `right` holds calls and puts. */
  'expiration',
  'strike',
  /** Units per contract, or dollars per point. */
  'multiplier',
  /** Tax withheld from a sale. */
  'tax',
] as const;

export const mappedFields: readonly MappedField[] = [
  // `gain` holds the reported gain for every type of row.
  ...lotbookColumns.map((column) => memberOf(column)).filter((name) => name !== 'statedGain'),
  ...otherFields,
];

export type MappedField = LotbookMember | (typeof otherFields)[number];
export type MappedType = TransactionType | 'sign' | 'skip';

export interface MappingFault {
  /** A JSON pointer into the mapping. */
  readonly pointer: string;
  readonly detail: string;
}

export const constantNames = ['type', 'account', 'asset', 'currency', 'assetClass'] as const;
const textLengthMax = 200;

/** Fields that several columns can hold. Fees are added up, and accounts must agree. */
export const sharedFields: ReadonlySet<MappedField> = new Set(['fee', 'account']);

export function fieldSet(...groups: readonly (readonly MappedField[])[]): ReadonlySet<MappedField> {
  return new Set(groups.flat());
}

/** Returns the mapped columns that the header lacks, as written in the mapping. */
export function columnsMissing(mapping: Mapping, header: readonly string[]): string[] {
  const names = new Set(header.map(normalizeHeader));
  return Object.keys(mapping.columns).filter((column) => !names.has(normalizeHeader(column)));
}

/** Returns whether the mapping does not set the direction of rows, so the request must. */
export function asksSide({ columns, constants, signs }: Mapping): boolean {
  const fields = Object.values(columns);
  const says = (['type', 'sentQuantity', 'openedAt'] as const).some((field) => fields.includes(field));
  return !says && constants?.type === undefined && signs === undefined;
}

/** Returns the mapping with this direction for every row. */
export function withSide(mapping: Mapping, side: RowsSide): Mapping {
  return { ...mapping, constants: { ...mapping.constants, type: side } };
}

/** Returns the column mapped to a field, or undefined. */
export function findMappedColumn(mapping: Mapping, field: MappedField): string | undefined {
  return Object.keys(mapping.columns).find((column) => mapping.columns[column] === field);
}

/** Escapes a name for use in a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.slice(0, textLengthMax).replaceAll('~', '~0').replaceAll('/', '~1');
}
