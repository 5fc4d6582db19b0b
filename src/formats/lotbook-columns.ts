import type { Statement, TransactionType } from '../engine/model.ts';
import { memberNames, statementMembers } from '../engine/statement-members.ts';
import { transactionTypeTable } from '../engine/transaction-types.ts';

/** The Lotbook CSV columns in export order (.github/API.md, "Lotbook CSV"). */
export const lotbookColumns = [...new Set(memberNames.map((name) => statementMembers[name].column))];
export type LotbookColumn = (typeof statementMembers)[keyof Statement]['column'];

/** The columns by their JSON field names, such as `receivedAsset`. `externalId` is the column `id`. */
export type LotbookMember = Exclude<keyof Statement, 'at' | 'on'> | 'date';

const memberOfColumn = new Map<string, LotbookMember>(
  memberNames.map((name) => [statementMembers[name].column, name === 'at' || name === 'on' ? 'date' : name]),
);

export function memberOf(column: LotbookColumn): LotbookMember;
export function memberOf(column: string): string;
export function memberOf(column: string): string {
  return memberOfColumn.get(column) ?? column;
}

/** A column that only exports have: the IANA zone that determined the row's day. */
export const zoneColumn = 'time_zone';

/** The required and optional columns for each type. All others are ignored. */
export interface ColumnsOfType {
  readonly needs: readonly LotbookColumn[];
  readonly uses: readonly LotbookColumn[];
}

export const columnsOfType: Readonly<Record<TransactionType, ColumnsOfType>> = transactionTypeTable;

/** A transfer out of the universal pool also needs the day and basis of its lots at the allocation. */
export const columnsOfAllocation: ColumnsOfType = {
  needs: columnsOfType.transfer.needs,
  uses: [...columnsOfType.transfer.uses, 'acquired', 'basis'],
};
