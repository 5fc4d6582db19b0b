import type { Sql } from '../../../db/connection.ts';
import type { IssueKind } from '../../../engine/model.ts';

interface StatusRow {
  readonly revision: string;
  readonly transactions: number;
  readonly unread: number;
  readonly duplicates: number;
  readonly staleReports: number;
  readonly lastImportAt: Date | null;
  readonly imports: number;
  readonly importBytes: string;
  readonly calculations: number;
}

/**
 * Selects all counts of a taxpayer except issues, in one statement. A year counts as stale if its newest report is
 * stale.
 */
export async function selectStatus(sql: Sql, taxpayerId: string): Promise<StatusRow> {
  const [row] = await sql<StatusRow[]>`
    select t.revision, t.transactions_stored as transactions,
      (select count(*) from notifications n where n.taxpayer_id = ${taxpayerId} and n.read_at is null)::integer as unread,
      (
        select count(*) from possible_duplicates d
        join transactions a on a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id
        join transactions b on b.taxpayer_id = d.taxpayer_id and b.id = d.other_id
        where d.taxpayer_id = ${taxpayerId} and d.dismissed_at is null
      )::integer as duplicates,
      (
        select count(*) from (
          select year, bool_and(r.revision <> t.revision::text or r.printed_for <>
            encode(sha256(convert_to(coalesce(nullif(t.taxpayer_name, ''), t.name) || E'\n' || t.tin, 'UTF8')), 'hex')) as stale
          from reports r where r.taxpayer_id = ${taxpayerId} group by year
        ) y where y.stale
      )::integer as "staleReports",
      (
        select max(created_at) from imports i where i.taxpayer_id = ${taxpayerId} and i.status = 'completed'
      ) as "lastImportAt",
      (select count(*) from imports i where i.taxpayer_id = ${taxpayerId} and i.status = 'running')::integer as imports,
      (
        select coalesce(sum(bytes), 0)::bigint from imports i
        where i.taxpayer_id = ${taxpayerId} and i.status in ('running', 'completed')
      ) as "importBytes",
      (select count(*) from calculations c where c.taxpayer_id = ${taxpayerId} and c.status = 'running')::integer as calculations
    from taxpayers t where t.id = ${taxpayerId}`;
  if (row === undefined) throw new Error('A taxpayer without a row.');
  return row;
}

export interface IssueCountRow {
  readonly kind: IssueKind;
  readonly count: number;
  readonly unknown: number;
  readonly dollars: string;
}

/** Selects the number of open issues of each kind, with the largest amount at stake first. */
export async function selectIssueCounts(sql: Sql, taxpayerId: string): Promise<IssueCountRow[]> {
  return sql<IssueCountRow[]>`
    select issue as kind, count(*)::integer as count, (count(*) filter (where dollars is null))::integer as unknown,
      coalesce(sum(dollars), 0) as dollars
    from issues where taxpayer_id = ${taxpayerId}
    group by issue order by 4 desc, 1`;
}
