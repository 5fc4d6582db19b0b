import type { Sql } from '../../../db/connection.ts';
import { isUnzonedNearNewYear, type StageScope, transactionColumns } from '../../transactions/rows/queries.ts';
import type { TransactionRow } from '../../transactions/rows/statement-sql.ts';
import { rowSources } from '../../transactions/sources/queries.ts';

export interface PreviewRow extends TransactionRow {
  /** In this file: a duplicate stands elsewhere in the file that had it first. */
  readonly file_line: number;
}

/** The first rows of the import, in the order of its file. */
export async function selectFirstRows(sql: Sql, scope: StageScope, limit: number): Promise<PreviewRow[]> {
  return sql<PreviewRow[]>`
    select ${transactionColumns(sql)}, s.line as file_line from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
    order by s.line, t.id limit ${limit}`;
}

export interface PreviewIssueRow {
  readonly kind: string;
  readonly on: string;
  readonly asset: string;
  readonly account: string;
  readonly dollars: string | null;
  readonly detail: string;
  readonly line: number;
}

/** What its rows leave open: what nothing limits first, then the most at stake. */
export async function selectIssuesOf(sql: Sql, scope: StageScope, limit: number): Promise<PreviewIssueRow[]> {
  return sql<PreviewIssueRow[]>`
    select x.issue as kind, x.on_day as on, x.asset, x.account, x.dollars, x.detail, s.line
    from issues x
    join ${rowSources(sql)} s on s.taxpayer_id = x.taxpayer_id and s.transaction_id = x.transactions[1]::uuid
    where x.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
    order by x.dollars desc nulls first, x.on_day, x.id limit ${limit}`;
}

/** Rows whose tax year depends on the zone in which their day is read, of those for which nobody stated one. */
export async function countNearNewYear(sql: Sql, scope: StageScope): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
      and ${isUnzonedNearNewYear(sql)}`;
  return row?.count ?? 0;
}

export async function countFuture(sql: Sql, scope: StageScope, today: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId} and t.on_day > ${today}`;
  return row?.count ?? 0;
}
