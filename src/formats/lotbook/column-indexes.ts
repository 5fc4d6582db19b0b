import type { TransactionType } from '../../engine/model.ts';
import { extraMembers, membersOfKind, statementMembers } from '../../engine/statement-members.ts';
import type { HeaderColumns } from '../cells/cells.ts';
import {
  type ColumnsOfType,
  columnsOfType,
  type LotbookColumn,
  type LotbookMember,
  lotbookColumns,
  memberOf,
} from '../lotbook-columns.ts';

/** The column positions for a type. -1 if the column is missing from the header or the type does not use it. */
export interface ColumnIndexes extends Readonly<Record<LotbookMember, number>> {
  /** The fields beyond those of a plain trade whose columns are in the header, in the order in which they are read. */
  readonly others: readonly { readonly member: OtherMember; readonly place: number }[];
  /** The type's required columns. */
  readonly needed: readonly { readonly column: LotbookColumn; readonly place: number }[];
  readonly needsQuantity: boolean;
  readonly needsReceivedQuantity: boolean;
  /** Whether the type is an option trade, which requires the underlying. */
  readonly tradesOptions: boolean;
  /** Money and fee unit columns that are in the header but not used by the type. */
  readonly unused: readonly { readonly column: LotbookColumn; readonly place: number }[];
}

/** The fields that most rows do not have. */
const otherMembers = [...extraMembers, 'externalId', 'note'] as const;
export type OtherMember = (typeof otherMembers)[number];

export function indexColumnsByType(columns: HeaderColumns): Readonly<Record<TransactionType, ColumnIndexes>> {
  const types = Object.keys(columnsOfType) as TransactionType[];
  return Object.fromEntries(types.map((type) => [type, buildColumnIndexes(columnsOfType[type], columns)])) as Record<
    TransactionType,
    ColumnIndexes
  >;
}

/** Columns that apply to every type. */
const common: ReadonlySet<LotbookColumn> = new Set([
  'date',
  'type',
  'account',
  'currency',
  'asset_class',
  'id',
  'note',
]);

const ofMoney: readonly LotbookColumn[] = [...membersOfKind('money'), 'feeQuantity' as const].map(
  (name) => statementMembers[name].column,
);

export function buildColumnIndexes({ needs, uses }: ColumnsOfType, columns: HeaderColumns): ColumnIndexes {
  const findColumnIndex = (column: LotbookColumn): number => columns.findColumnIndexes(column)[0] ?? -1;
  const used: ReadonlySet<LotbookColumn> = new Set([...common, ...needs, ...uses]);
  const indexEntries = lotbookColumns.map(
    (column) => [memberOf(column), used.has(column) ? findColumnIndex(column) : -1] as const,
  );
  const indexes = Object.fromEntries(indexEntries) as Record<LotbookMember, number>;
  return {
    ...indexes,
    others: otherMembers.flatMap((member) => (indexes[member] < 0 ? [] : [{ member, place: indexes[member] }])),
    needed: needs.map((column) => ({ column, place: findColumnIndex(column) })),
    needsQuantity: needs.includes('quantity'),
    needsReceivedQuantity: needs.includes('received_quantity'),
    tradesOptions: needs.includes('quantity') && uses.includes('underlying'),
    unused: ofMoney
      .filter((column) => !used.has(column) && findColumnIndex(column) >= 0)
      .map((column) => ({ column, place: findColumnIndex(column) })),
  };
}
