import type { Sql } from '../../../db/connection.ts';
import { isUnzonedNearNewYear, type StageScope, transactionColumns } from '../transactions/rows/rows.queries.ts';
import type { TransactionRow } from '../transactions/rows/statement-sql.ts';
import { rowSources } from '../transactions/sources.queries.ts';

interface PreviewRow extends TransactionRow {
  /** The line number in this file. The stored row of a duplicate contains the line number in the earlier file. */
  readonly file_line: number;
}

/** Selects the first rows of the import, in the order of its file. */
export async function selectFirstRows(sql: Sql, scope: StageScope, limit: number) {
  return sql<PreviewRow[]>`
    select ${transactionColumns(sql)}, s.line as file_line from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
    order by s.line, t.id limit ${limit}`;
}

interface PreviewIssueRow {
  readonly kind: string;
  readonly on: string;
  readonly asset: string;
  readonly account: string;
  readonly dollars: string | null;
  readonly detail: string;
  readonly line: number;
}

/**
 * Selects the issues about rows of the import, largest amount at stake first. Unknown amounts come before all others.
 */
export async function selectPreviewIssues(sql: Sql, scope: StageScope, limit: number) {
  return sql<PreviewIssueRow[]>`
    select x.issue as kind, x.on_day as on, x.asset, x.account, x.dollars, x.detail, s.line
    from issues x
    join ${rowSources(sql)} s on s.taxpayer_id = x.taxpayer_id and s.transaction_id = x.transactions[1]::uuid
    where x.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId}
    order by x.dollars desc nulls first, x.on_day, x.id limit ${limit}`;
}

/** Counts the rows whose tax year depends on a time zone that has not been set. */
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
