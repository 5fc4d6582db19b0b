import type { Sql } from '../../../db/connection.ts';

/** What the taxpayer said of a row: text, as it was given. */
export interface Given {
  readonly basis?: string;
  readonly acquired?: string;
  readonly quantity?: string;
  readonly figure?: 'amount' | 'fee' | 'fmv';
  readonly amount?: string;
  readonly fee?: string;
}

export interface RestatementRow {
  readonly action: 'basis' | 'pair' | 'value';
  readonly transaction_id: string;
  readonly other_id: string | null;
  readonly given: Given;
  /** Of the other row of a pair. */
  readonly to_account: string | null;
  readonly arrived: string | null;
}

/** The answers that hold now: those whose rows are all there, and that are not a row of their own. */
export async function selectRestatements(sql: Sql, taxpayerId: string): Promise<RestatementRow[]> {
  return sql<RestatementRow[]>`
    select r.action, r.transaction_id, r.other_id, r.given, d.account as to_account, d.quantity as arrived
    from resolutions r
    join transactions t on t.taxpayer_id = r.taxpayer_id and t.id = r.transaction_id
    left join transactions d on d.taxpayer_id = r.taxpayer_id and d.id = r.other_id
    where r.taxpayer_id = ${taxpayerId} and r.action <> 'accept' and r.added_id is null
      and (r.other_id is null or d.id is not null)
    order by r.id`;
}

/** A pair is one movement: where one leg comes or goes, the book is replayed from the earlier one on. */
export async function selectPairDays(sql: Sql, taxpayerId: string): Promise<{ asset_key: string; day: string }[]> {
  return sql<{ asset_key: string; day: string }[]>`
    select asset_key, min(from_day) as day from resolutions
    where taxpayer_id = ${taxpayerId} and action = 'pair' and other_id is not null group by asset_key`;
}

/** The issues that the taxpayer lives with. */
export async function selectAccepted(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ issue_id: string }[]>`
    select issue_id from resolutions where taxpayer_id = ${taxpayerId} and action = 'accept'`;
  return rows.map((row) => row.issue_id);
}
