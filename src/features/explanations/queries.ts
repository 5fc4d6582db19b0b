import type { Sql } from '../../db/connection.ts';
import type { WashSale } from '../../engine/model.ts';
import { type BookScope, factFields } from '../books/facts/queries.ts';
import { factOf, type RowOf } from '../books/facts/tables.ts';
import { answers, counts, type Given } from '../transactions/resolutions/queries.ts';

/** The days with rows of these types in a book. */
export async function selectMovingDays(
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

/** The rows among these whose content was entered or corrected by hand. */
export async function selectCorrectedByHand(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<Set<string>> {
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

/** The resolutions in force about these rows, and those that added one of them. */
export async function selectAnswers(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<AnswerRow[]> {
  return sql<AnswerRow[]>`
    select coalesce(r.added_id, r.transaction_id) as about, r.action, r.given, r.other_id as other, r.note
    from ${answers(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action not in ('accept', 'class') and ${counts(sql)}
      and coalesce(r.added_id, r.transaction_id) = any(${ids as string[]}::uuid[])
    order by r.sequence`;
}

/** Wash sales whose replacement lots these transactions opened, by the day that caused them. */
export async function selectWashSalesReplacedBy(
  sql: Sql,
  scope: BookScope,
  transactionIds: readonly string[],
  within: { readonly from: string; readonly until: string },
): Promise<WashSale[]> {
  const rows = await sql<RowOf<'wash'>[]>`
    select ${factFields(sql, 'wash')} from wash_sales
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
      and caused_on between ${within.from} and ${within.until}
      and replacement_transaction_id = any(${transactionIds as string[]}::text[])
    order by caused_on, id`;
  return rows.map((row) => factOf('wash', row));
}
