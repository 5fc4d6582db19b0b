import type { Sql } from '../../../db/connection.ts';
import type { StageScope } from '../../transactions/rows/queries.ts';
import type { ReadingAsked } from '../options.ts';

/**
 * The import that is replaced counts as one of the same kind of file: its rows are compared with those of the new
 * reading as two files of one layout are, and not as two kinds of files that tell the same.
 */
export async function adoptKind(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  { format, layout }: { readonly format: string; readonly layout: string },
): Promise<void> {
  await sql`
    update imports set format = ${format}, layout = ${layout} where taxpayer_id = ${taxpayerId} and id = ${importId}`;
}

/** Pairs of rows that may be one stay, though the import that brought the first of them goes. */
export async function handOverDuplicates(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  replaced: string,
): Promise<void> {
  await sql`
    update possible_duplicates d set import_id = ${importId}
    where d.taxpayer_id = ${taxpayerId} and d.import_id = ${replaced}`;
}

/** Lines of the import whose rows other imports have too, or that wait for an answer. */
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
  readonly asked: ReadingAsked;
}

export async function selectKeptFile(sql: Sql, { taxpayerId, importId }: StageScope): Promise<KeptFile | undefined> {
  const [row] = await sql<KeptFile[]>`
    select status, file_name as "fileName", asked from imports
    where taxpayer_id = ${taxpayerId} and id = ${importId}`;
  return row;
}
