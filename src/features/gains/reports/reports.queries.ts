import type { Sql } from '../../../db/connection.ts';
import type { KeptBytes } from '../../ledger/blobs/read.ts';
import type { WorklistRow } from '../../ledger/issues/issues.queries.ts';
import { counts, resolutionsWithRows } from '../../ledger/transactions/row-issues.queries.ts';

export interface ReportRow {
  readonly sequence: string;
  readonly id: string;
  readonly year: number;
  readonly revision: string;
  readonly asOf: string;
  readonly digest: string;
  readonly createdAt: Date;
  /** Whether the books, or the name or number on forms, have changed since. */
  readonly stale: boolean;
}

/** The hash of the current name and number on forms. */
const printedFor = (sql: Sql) => sql`
  encode(sha256(convert_to(coalesce(nullif(t.taxpayer_name, ''), t.name) || E'\n' || t.tin, 'UTF8')), 'hex')`;

const reportColumns = (sql: Sql, taxpayerId: string) => sql`
  select r.sequence, r.id, r.year, r.revision, r.as_of as "asOf", r.digest, r.created_at as "createdAt",
    r.revision <> t.revision::text or r.printed_for <> ${printedFor(sql)} as stale
  from reports r join taxpayers t on t.id = r.taxpayer_id
  where r.taxpayer_id = ${taxpayerId}`;

/** Selects reports, newest first, optionally after a cursor and only for one year. */
export function listReports(
  sql: Sql,
  taxpayerId: string,
  { before, year }: { readonly before: string | null; readonly year: number | null },
  limit: number,
) {
  return sql<ReportRow[]>`
    ${reportColumns(sql, taxpayerId)} and (${before}::bigint is null or r.sequence < ${before}::bigint)
      and (${year}::integer is null or r.year = ${year}::integer)
    order by r.sequence desc limit ${limit + 1}`;
}

export async function selectReport(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<ReportRow[]>`${reportColumns(sql, taxpayerId)} and r.id = ${id}`;
  return row;
}

/** Selects the newest report for a year. Prefers a current report to a stale one. */
export async function selectNewestReport(sql: Sql, taxpayerId: string, year: number) {
  const [row] = await sql<ReportRow[]>`
    ${reportColumns(sql, taxpayerId)} and r.year = ${year} order by stale, r.sequence desc limit 1`;
  return row;
}

/** Selects the newest report of every year. Prefers a current report to a stale one. */
export function selectNewestReports(
  sql: Sql,
  taxpayerId: string,
): Promise<readonly Pick<ReportRow, 'year' | 'createdAt' | 'stale'>[]> {
  return sql<ReportRow[]>`
    select distinct on (year) year, "createdAt", stale from (${reportColumns(sql, taxpayerId)}) reports
    order by year, stale, sequence desc`;
}

export async function insertReport(
  sql: Sql,
  taxpayerId: string,
  report: Pick<ReportRow, 'id' | 'year' | 'revision' | 'asOf' | 'digest' | 'createdAt'>,
): Promise<void> {
  await sql`
    insert into reports (taxpayer_id, id, year, revision, as_of, digest, printed_for, created_at)
    select t.id, ${report.id}, ${report.year}, ${report.revision}, ${report.asOf}, ${report.digest}, ${printedFor(sql)},
      ${report.createdAt}
    from taxpayers t where t.id = ${taxpayerId}
    on conflict (taxpayer_id, id) do nothing`;
}

export async function insertBooks(
  sql: Sql,
  taxpayerId: string,
  digest: string,
  parts: readonly Uint8Array[],
): Promise<void> {
  const [known] = await sql`
    select 1 from report_books where taxpayer_id = ${taxpayerId} and digest = ${digest} limit 1`;
  if (known !== undefined) return;
  for (const [part, content] of parts.entries()) {
    await sql`
      insert into report_books (taxpayer_id, digest, part, content) values (${taxpayerId}, ${digest}, ${part}, ${content})
      on conflict (taxpayer_id, digest, part) do nothing`;
  }
}

/** Returns the size of a copy of books. */
export async function selectBytes(sql: Sql, taxpayerId: string, digest: string): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(coalesce(length(k.content), b.bytes)), 0)::integer as bytes
    from report_books k left join blobs b on b.taxpayer_id = k.taxpayer_id and b.digest = k.blob
    where k.taxpayer_id = ${taxpayerId} and k.digest = ${digest}`;
  return row?.bytes ?? 0;
}

export async function selectBooks(sql: Sql, taxpayerId: string, digest: string) {
  return sql<KeptBytes[]>`
    select content, blob from report_books where taxpayer_id = ${taxpayerId} and digest = ${digest} order by part`;
}

/** Deletes all but the newest reports of a year, and then the copies of books that no report uses. */
export async function deleteOldReports(sql: Sql, taxpayerId: string, year: number, kept: number): Promise<void> {
  const deleted = await sql<{ digest: string }[]>`
    delete from reports where taxpayer_id = ${taxpayerId} and year = ${year} and sequence <= (
      select sequence from reports where taxpayer_id = ${taxpayerId} and year = ${year}
      order by sequence desc offset ${kept} limit 1
    )
    returning digest`;
  if (deleted.length === 0) return;
  await sql`
    delete from report_books b
    where b.taxpayer_id = ${taxpayerId} and b.digest = any(${deleted.map((row) => row.digest)}::text[])
      and not exists (select from reports r where r.taxpayer_id = b.taxpayer_id and r.digest = b.digest)`;
}

/** Selects the valid answers of a year that changed the books, in the order in which they were given. */
export async function selectAnswers(
  sql: Sql,
  taxpayerId: string,
  year: number,
): Promise<Pick<WorklistRow, 'action' | 'issue' | 'on' | 'asset' | 'account' | 'dollars' | 'note' | 'given'>[]> {
  return sql`
    select r.action, r.issue ->> 'issue' as issue, r.issue ->> 'on' as on, r.issue ->> 'asset' as asset,
      r.issue ->> 'account' as account, r.issue ->> 'dollars' as dollars, r.note, r.given
    from ${resolutionsWithRows(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action <> 'accept' and not (r.action = 'pair' and r.other_id is null)
      and ${counts(sql)} and (extract(year from (r.issue ->> 'on')::date) = ${year}
        or jsonb_exists(coalesce(r.issue -> 'otherYears', '[]'), ${String(year)}))
    order by r.sequence`;
}
