import type { Sql } from '../../../../db/connection.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import type { ReadingRequest } from '../options.ts';

/**
 * Gives the new import the same kind of file as the import that it replaces. The rows of both are then compared as two
 * files with one layout, not as two kinds of files with the same trades.
 */
export async function adoptKind(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  { format, layout }: { readonly format: string; readonly layout: string },
): Promise<void> {
  await sql`
    update imports set format = ${format}, layout = ${layout} where taxpayer_id = ${taxpayerId} and id = ${importId}`;
}

/** Keeps possible duplicates when the import of their later row is replaced. */
export async function handOverDuplicates(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  replaced: string,
): Promise<void> {
  await sql`
    update possible_duplicates d set import_id = ${importId}
    where d.taxpayer_id = ${taxpayerId} and d.import_id = ${replaced}`;
}

/** Counts the lines of the import whose rows are also in other imports or are held for review. */
export async function countShared(sql: Sql, { taxpayerId, importId }: StageScope): Promise<number> {
  const [row] = await sql<{ lines: number }[]>`
    select count(*)::integer as lines from (
      select s.line from transaction_sources s
      where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and exists (
        select from transaction_sources o
        where o.taxpayer_id = ${taxpayerId} and o.transaction_id = s.transaction_id and o.import_id <> ${importId}
      )
      union
      select q.line from proposed_rows q
      where q.taxpayer_id = ${taxpayerId} and q.import_id = ${importId} and not exists (
        select from transactions t where t.taxpayer_id = ${taxpayerId} and t.id = q.id
      )
    ) lines`;
  return row?.lines ?? 0;
}

export interface KeptFile {
  readonly status: 'running' | 'completed' | 'failed';
  readonly fileName: string | null;
  readonly asked: ReadingRequest;
}

export async function selectKeptFile(sql: Sql, { taxpayerId, importId }: StageScope): Promise<KeptFile | undefined> {
  const [row] = await sql<KeptFile[]>`
    select status, file_name as "fileName", asked from imports
    where taxpayer_id = ${taxpayerId} and id = ${importId}`;
  return row;
}
