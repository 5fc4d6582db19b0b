import type { Statement, TransactionType } from '../engine/model.ts';
import { memberNames, statementMembers } from '../engine/statement-members.ts';
import { transactionTypeTable } from '../engine/transaction-types.ts';

/** The columns of the Lotbook CSV (API.md section 4) in the order in which an export writes them. */
export const lotbookColumns = [...new Set(memberNames.map((name) => statementMembers[name].column))];
export type LotbookColumn = (typeof statementMembers)[keyof Statement]['column'];

/** The columns as the members of a transaction in JSON are called: `receivedAsset`; `externalId` is the column `id`. */
export type LotbookMember = Exclude<keyof Statement, 'at' | 'on'> | 'date';

const memberOfColumn = new Map<string, LotbookMember>(
  memberNames.map((name) => [statementMembers[name].column, name === 'at' || name === 'on' ? 'date' : name]),
);

export function memberOf(column: LotbookColumn): LotbookMember;
export function memberOf(column: string): string;
export function memberOf(column: string): string {
  return memberOfColumn.get(column) ?? column;
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
