import type { Sql } from '../../../db/connection.ts';
import type { TransactionRow } from '../../transactions/columns.ts';
import { type StageScope, transactionColumns } from '../../transactions/queries.ts';
import { tellers } from '../../transactions/told/queries.ts';

/** The import before this one that read the same kind of file, over days that both cover, for an account of both. */
export async function selectPrevious(sql: Sql, scope: StageScope): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select p.id from imports i join imports p on p.taxpayer_id = i.taxpayer_id
    where i.taxpayer_id = ${scope.taxpayerId} and i.id = ${scope.importId}
      and p.status = 'completed' and p.sequence < i.sequence and p.format = i.format
      and p.first_day <= i.last_day and p.last_day >= i.first_day
      and exists (
        select from ${tellers(sql)} a
        join transactions mine on mine.taxpayer_id = a.taxpayer_id and mine.id = a.transaction_id
        where a.taxpayer_id = p.taxpayer_id and a.import_id = p.id and mine.account in (
          select t.account from ${tellers(sql)} b
          join transactions t on t.taxpayer_id = b.taxpayer_id and t.id = b.transaction_id
          where b.taxpayer_id = i.taxpayer_id and b.import_id = i.id
        )
      )
    order by p.sequence desc limit 1`;
  return row?.id;
}

export interface ToldRow extends TransactionRow {
  /** In the file of the import that tells it. */
  readonly told_line: number;
}

/**
 * Rows that `scope` tells and `other` does not. `within`: only of days and accounts that the other one covers too, so
 * that a file which begins later does not make older rows look gone.
 */
export async function selectOnlyIn(
  sql: Sql,
  scope: StageScope,
  other: string,
  within: boolean,
  limit: number,
): Promise<ToldRow[]> {
  const { taxpayerId, importId } = scope;
  return sql<ToldRow[]>`
    select ${transactionColumns(sql)}, s.line as told_line
    from ${tellers(sql)} s
    join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    join imports o on o.taxpayer_id = s.taxpayer_id and o.id = ${other}
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}
      and not exists (
        select from ${tellers(sql)} x
        where x.taxpayer_id = ${taxpayerId} and x.import_id = ${other} and x.transaction_id = t.id
      )
      ${
        within
          ? sql`and t.on_day between o.first_day and o.last_day and t.account in (
              select a.account from ${tellers(sql)} y
              join transactions a on a.taxpayer_id = y.taxpayer_id and a.id = y.transaction_id
              where y.taxpayer_id = ${taxpayerId} and y.import_id = ${other}
            )`
          : sql``
      }
    order by t.on_day, s.line, t.id limit ${limit}`;
}
