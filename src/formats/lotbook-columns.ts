import type { Statement, TransactionType } from '../engine/model.ts';
import { memberNames, statementMembers } from '../engine/statement-members.ts';
import { transactionTypeTable } from '../engine/transaction-types.ts';

/** The columns of the Lotbook CSV (.github/API.md, "Lotbook CSV") in export order. */
export const lotbookColumns = [...new Set(memberNames.map((name) => statementMembers[name].column))];
export type LotbookColumn = (typeof statementMembers)[keyof Statement]['column'];

/** The columns as members of a transaction in JSON: `receivedAsset`. `externalId` is the column `id`. */
export type LotbookMember = Exclude<keyof Statement, 'at' | 'on'> | 'date';

const memberOfColumn = new Map<string, LotbookMember>(
  memberNames.map((name) => [statementMembers[name].column, name === 'at' || name === 'on' ? 'date' : name]),
);

export function memberOf(column: LotbookColumn): LotbookMember;
export function memberOf(column: string): string;
export function memberOf(column: string): string {
  return memberOfColumn.get(column) ?? column;
}

/** A column of exports only: the IANA zone in which the row's time was dated. */
export const zoneColumn = 'time_zone';

/** The required and optional columns of each type. Others are ignored. */
export interface ColumnsOfType {
  readonly needs: readonly LotbookColumn[];
  readonly uses: readonly LotbookColumn[];
}

export const columnsOfType: Readonly<Record<TransactionType, ColumnsOfType>> = transactionTypeTable;

/** A transfer out of the universal pool also has the day and basis of its lots at the allocation. */
export const columnsOfAllocation: ColumnsOfType = {
  needs: columnsOfType.transfer.needs,
  uses: [...columnsOfType.transfer.uses, 'acquired', 'basis'],
};
