import type { TransactionType } from '../engine/model.ts';
import { transactionTypeTable } from '../engine/transaction-types.ts';

/** The columns of the Lotbook CSV (API.md section 4) in the order in which an export writes them. */
export const lotbookColumns = [
  'date',
  'type',
  'account',
  'asset',
  'quantity',
  'amount',
  'fee',
  'currency',
  'received_asset',
  'received_quantity',
  'fee_asset',
  'fee_quantity',
  'fee_own',
  'to_account',
  'acquired',
  'basis',
  'fmv',
  'ratio',
  'lots',
  'identified_at',
  'shares',
  'underlying',
  'right',
  'box',
  'wash',
  'term',
  'asset_class',
  'id',
  'note',
] as const;
export type LotbookColumn = (typeof lotbookColumns)[number];

/** The columns as the members of a transaction in JSON are called: `receivedAsset`; `externalId` is the column `id`. */
export type LotbookMember = Camel<Exclude<LotbookColumn, 'id'>> | 'externalId';
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export function memberOf(column: LotbookColumn): LotbookMember;
export function memberOf(column: string): string;
export function memberOf(column: string): string {
  return column === 'id' ? 'externalId' : column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** One column more, of exports: the IANA zone in which the day of the row's time was read. */
export const zoneColumn = 'time_zone';

/** What rows of a type cannot do without, and what else they may say. Columns in neither are ignored. */
export interface ColumnsOfType {
  readonly needs: readonly LotbookColumn[];
  readonly uses: readonly LotbookColumn[];
}

export const columnsOfType: Readonly<Record<TransactionType, ColumnsOfType>> = transactionTypeTable;

/** A transfer out of the universal pool says of its lots what they were when they were allocated, too. */
export const columnsOfAllocation: ColumnsOfType = {
  needs: columnsOfType.transfer.needs,
  uses: [...columnsOfType.transfer.uses, 'acquired', 'basis'],
};
