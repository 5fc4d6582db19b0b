import type { Sql } from '../../../db/connection.ts';
import type { WashSale } from '../../../engine/model.ts';
import type { TransactionRow } from '../../transactions/columns.ts';
import { transactionColumns } from '../../transactions/queries.ts';
import { answers, counts, type Given } from '../../transactions/resolutions/queries.ts';
import { type BookScope, washSaleFields } from '../facts/queries.ts';
import { type LotRow, type WashSaleGroupRow, washSalesOfRow } from '../facts/rows.ts';

export interface CalculationRow {
  readonly id: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly result: object | null;
  readonly problem: { readonly code: string; readonly detail: string } | null;
}

export async function insertCalculation(
  sql: Sql,
  taxpayerId: string,
  given: {
    readonly id: string;
    readonly status: 'running' | 'completed';
    readonly result: object | null;
    readonly at: Date;
  },
): Promise<void> {
  await sql`
    insert into calculations (taxpayer_id, id, status, result, created_at, completed_at)
    values (${taxpayerId}, ${given.id}, ${given.status}, ${given.result === null ? null : JSON.stringify(given.result)}::text::json,
      ${given.at}, ${given.status === 'completed' ? given.at : null})
    on conflict (taxpayer_id, id) do update set
      status = excluded.status, result = excluded.result, completed_at = excluded.completed_at`;
}

export async function failCalculation(
  sql: Sql,
  taxpayerId: string,
  id: string,
  problem: object,
  at: Date,
): Promise<void> {
  await sql`
    update calculations set status = 'failed', problem = ${sql.json(problem as never)}, completed_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and status = 'running'`;
}

export async function selectCalculation(sql: Sql, taxpayerId: string, id: string): Promise<CalculationRow | undefined> {
  const [row] = await sql<CalculationRow[]>`
    select id, status, result, problem from calculations where taxpayer_id = ${taxpayerId} and id = ${id}`;
  return row;
}

/** Calculations that a restart cut off. */
export async function failAbandonedCalculations(sql: Sql, before: Date, problem: object, at: Date): Promise<void> {
  await sql`
    update calculations set status = 'failed', problem = ${sql.json(problem as never)}, completed_at = ${at}
    where status = 'running' and created_at < ${before}`;
}

/** Lines from a day on, before a day; null is open. */
export interface Within {
  readonly from: string | null;
  readonly before: string | null;
}

/** The last of the days that so many lines take, not counting those of one day; null where there are no lines. */
export async function selectLastDayOf(
  sql: Sql,
  taxpayerId: string,
  within: Within,
  lines: number,
  uncounted: string | null,
): Promise<string | null> {
  // A day has a line at least: of all days no more are looked at than there are lines to find.
  const [row] = await sql<{ day: string | null }[]>`
    select max(day) as day from (
      select day, sum(lines) over (order by day) - lines as earlier from (
        select on_day as day, case when on_day = ${uncounted}::date then 0 else sum(count) end as lines
        from disposal_groups
        where taxpayer_id = ${taxpayerId}
          ${within.from === null ? sql`` : sql`and on_day >= ${within.from}`}
          ${within.before === null ? sql`` : sql`and on_day < ${within.before}`}
        group by on_day order by on_day limit ${lines + 1}
      ) days
    ) reached where earlier < ${lines}`;
  return row?.day ?? null;
}

/** Lots by age, after one of them. */
export async function selectLots(
  sql: Sql,
  taxpayerId: string,
  filter: { readonly asset: string | null; readonly account: string | null },
  after: { readonly acquired: string; readonly id: string } | null,
  limit: number,
): Promise<LotRow[]> {
  return sql<LotRow[]>`
    select id, asset, asset_class as "assetClass", account, quantity, basis, acquired, held_since as "heldSince", inherited
    from lots
    where taxpayer_id = ${taxpayerId}
      and (${filter.asset}::text is null or asset = ${filter.asset}) and (${filter.account}::text is null or account = ${filter.account})
      ${after === null ? sql`` : sql`and (acquired, id) > (${after.acquired}, ${after.id})`}
    order by acquired, id limit ${limit + 1}`;
}

export async function selectTransactions(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<TransactionRow[]> {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = any(${ids as string[]}::uuid[])`;
}

/** The days on which rows of these types moved a book. */
export async function selectMovers(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  types: readonly string[],
  within: { readonly from: string; readonly until: string; readonly limit: number },
): Promise<{ day: string }[]> {
  const list = sql`any(${keys as string[]}::text[])`;
  return sql<{ day: string }[]>`
    select distinct t.on_day as day from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.on_day between ${within.from} and ${within.until}
      and t.type = any(${types as string[]}::text[])
      and (t.asset_key = ${list} or t.second_key = ${list} or t.third_key = ${list} or t.fourth_key = ${list})
    order by t.on_day limit ${within.limit}`;
}

/** Of these rows those whose content was said by hand. */
export async function selectSaidByHand(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from transactions
    where taxpayer_id = ${taxpayerId} and id = any(${ids as string[]}::uuid[]) and edition is not null`;
  return new Set(rows.map((row) => row.id));
}

export interface AnswerRow {
  readonly about: string;
  readonly action: 'basis' | 'pair' | 'value';
  readonly given: Given;
  readonly other: string | null;
  readonly note: string;
}

/** What the taxpayer said of these rows and counts, or what is a row because it was said. */
export async function selectAnswers(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<AnswerRow[]> {
  return sql<AnswerRow[]>`
    select coalesce(r.added_id, r.transaction_id) as about, r.action, r.given, r.other_id as other, r.note
    from ${answers(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action <> 'accept' and ${counts(sql)}
      and coalesce(r.added_id, r.transaction_id) = any(${ids as string[]}::uuid[])
    order by r.sequence`;
}

/** Wash sales of which lots that these transactions opened are the replacement, by the day that caused them. */
export async function selectWashSalesOnto(
  sql: Sql,
  scope: BookScope,
  transactionIds: readonly string[],
  within: { readonly from: string; readonly until: string },
): Promise<WashSale[]> {
  const rows = await sql<WashSaleGroupRow[]>`
    select ${washSaleFields(sql)} from wash_sale_groups
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
      and caused_on between ${within.from} and ${within.until}
      and exists (select from unnest(${transactionIds as string[]}::text[]) as opener where position(opener in lines) > 0)`;
  return rows.flatMap(washSalesOfRow).sort((a, b) => a.causedOn - b.causedOn || (a.id < b.id ? -1 : 1));
}
