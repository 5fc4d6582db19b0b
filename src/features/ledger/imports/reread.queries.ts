import type { Sql } from '../../../db/connection.ts';
import { type StageScope, type TransactionRow, transactionColumns } from '../transactions/rows.queries.ts';
import { rowSources } from '../transactions/transactions.queries.ts';
import type { ReadingRequest } from './options.ts';

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

export async function selectKeptFile(sql: Sql, { taxpayerId, importId }: StageScope) {
  const [row] = await sql<KeptFile[]>`
    select status, file_name as "fileName", asked from imports
    where taxpayer_id = ${taxpayerId} and id = ${importId}`;
  return row;
}

/** Selects the accounts that have rows in an import. */
const selectAccounts = (sql: Sql, taxpayerId: string, importId: string) => sql`
  select t.account from ${rowSources(sql)} s
  join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
  where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}
  union
  select q.content ->> 'account' from proposed_rows q
  where q.taxpayer_id = ${taxpayerId} and q.import_id = ${importId}`;

/** Selects the previous import of the same kind of file that has days and an account in common with this one. */
export async function selectPrevious(sql: Sql, { taxpayerId, importId }: StageScope): Promise<string | undefined> {
  const likely = await sql<{ id: string }[]>`
    select p.id from imports i join imports p on p.taxpayer_id = i.taxpayer_id
    where i.taxpayer_id = ${taxpayerId} and i.id = ${importId}
      and p.status = 'completed' and p.sequence < i.sequence and p.format = i.format
      and p.first_day <= i.last_day and p.last_day >= i.first_day
    order by p.sequence desc`;
  for (const { id } of likely) {
    const [shared] = await sql`
      (${selectAccounts(sql, taxpayerId, importId)}) intersect (${selectAccounts(sql, taxpayerId, id)}) limit 1`;
    if (shared !== undefined) return id;
  }
  return undefined;
}

export interface ImportedRow extends TransactionRow {
  /** The line number in the import's file. */
  readonly file_line: number;
}

/**
 * Selects rows that are in the import `scope` but not in `other`. If `within` is true, selects only days and accounts
 * that `other` also covers, so that older rows do not look missing from a file that begins later.
 */
export async function selectOnlyInImport(sql: Sql, scope: StageScope, other: string, within: boolean, limit: number) {
  const { taxpayerId, importId } = scope;
  return sql<ImportedRow[]>`
    select ${transactionColumns(sql)}, s.line as file_line
    from ${rowSources(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}
      -- If a row has several sources, this table contains all of them.
      and not exists (
        select from transaction_sources x
        where x.taxpayer_id = ${taxpayerId} and x.import_id = ${other} and x.transaction_id = s.transaction_id
      )
      ${
        within
          ? sql`and t.on_day between (select first_day from imports where taxpayer_id = ${taxpayerId} and id = ${other})
                and (select last_day from imports where taxpayer_id = ${taxpayerId} and id = ${other})
              and t.account in (${selectAccounts(sql, taxpayerId, other)})`
          : sql``
      }
    order by t.on_day, s.line, t.id limit ${limit}`;
}
