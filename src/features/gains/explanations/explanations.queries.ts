import type { Sql } from '../../../db/connection.ts';
import type { Disposal, TransactionType, WashSale } from '../../../engine/model.ts';
import { lotRowColumns } from '../../ledger/books/books.queries.ts';
import { type RowOf, toFact } from '../../ledger/books/fact-tables.ts';
import { type BookScope, factFields } from '../../ledger/books/facts.queries.ts';
import type { LotRow } from '../../ledger/books/lots.ts';
import { counts, type ResolutionValues, resolutionsWithRows } from '../../ledger/transactions/row-issues.queries.ts';
import { rowSources } from '../../ledger/transactions/transactions.queries.ts';

/** Selects the days that have rows of these types in a book. */
export async function selectMovingDays(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  types: readonly string[],
  within: { readonly from: string; readonly until: string; readonly limit: number },
) {
  const list = sql`any(${keys as string[]}::text[])`;
  return sql<{ day: string }[]>`
    select distinct t.on_day as day from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.on_day between ${within.from} and ${within.until}
      and t.type = any(${types as string[]}::text[])
      and (t.asset_key = ${list} or t.second_key = ${list} or t.third_key = ${list} or t.fourth_key = ${list})
    order by t.on_day limit ${within.limit}`;
}

/** Selects the ids of rows that were entered or corrected manually. */
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

export interface ResolutionRow {
  readonly about: string;
  readonly action: 'basis' | 'pair' | 'value';
  readonly given: ResolutionValues;
  readonly other: string | null;
  readonly note: string;
}

/** Selects the current resolutions of issues about these rows, and the resolutions that added one of the rows. */
export async function selectResolutions(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<ResolutionRow[]>`
    select coalesce(r.added_id, r.transaction_id) as about, r.action, r.given, r.other_id as other, r.note
    from ${resolutionsWithRows(sql)}
    where r.taxpayer_id = ${taxpayerId} and r.action not in ('accept', 'class') and ${counts(sql)}
      and coalesce(r.added_id, r.transaction_id) = any(${ids as string[]}::uuid[])
    order by r.sequence`;
}

/** Selects the wash sales caused in a span of days whose replacement lots these transactions opened. */
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
  return rows.map((row) => toFact('wash', row));
}

export async function selectAllSources(sql: Sql, taxpayerId: string, id: string) {
  return sql<{ importId: string; fileName: string | null; format: string | null; line: number }[]>`
    select s.import_id as "importId", i.file_name as "fileName", i.format, s.line
    from ${rowSources(sql)} s join imports i on i.taxpayer_id = s.taxpayer_id and i.id = s.import_id
    where s.taxpayer_id = ${taxpayerId} and s.transaction_id = ${id}
    order by i.sequence`;
}

/** Selects the open lots that a transaction opened, oldest first. */
export async function selectLotsOpenedBy(sql: Sql, taxpayerId: string, id: string) {
  return sql<LotRow[]>`
    select ${lotRowColumns(sql)}
    from lots where taxpayer_id = ${taxpayerId} and id >= ${`${id}/`} and id < ${`${id}0`}
    order by acquired, id`;
}

/** The role of a transaction on a line: it either sold the units or opened the lot. */
export type DisposalRole = 'sale' | 'lot';

/**
 * Selects the first lines that a transaction caused, or the first lines that sell lots opened by the transaction, and
 * the total number of such lines.
 */
export async function selectDisposalsNaming(
  sql: Sql,
  taxpayerId: string,
  id: string,
  role: DisposalRole,
  limit: number,
): Promise<{ count: number; disposals: Disposal[] }> {
  const slice = `${id}/`;
  const isNamed =
    role === 'sale'
      ? sql`(d.sale_id = ${id} or starts_with(d.id, ${slice}))`
      : sql`(starts_with(d.lot_id, ${slice}) or strpos(d.lot_id, ${`:${slice}`}) > 0) and not starts_with(d.id, ${slice})`;
  const rows = await sql<(RowOf<'disposal'> & { readonly total: number })[]>`
    select ${factFields(sql, 'disposal')}, (count(*) over ())::integer as total
    from (
      select distinct b.book as own, t.on_day as since
      from transactions t
      join books b on b.taxpayer_id = t.taxpayer_id
        and b.asset_key in (t.asset_key, t.second_key, t.third_key, t.fourth_key)
      where t.taxpayer_id = ${taxpayerId} and t.id = ${id}
    ) o
    join disposals d on d.book = o.own and d.caused_on >= o.since
    where d.taxpayer_id = ${taxpayerId} and ${isNamed}
    order by d.on_day, d.id limit ${limit}`;
  return { count: rows[0]?.total ?? 0, disposals: rows.map((row) => toFact('disposal', row)) };
}

/** Selects the income from a transaction. */
export async function selectIncomes(sql: Sql, taxpayerId: string, id: string) {
  return sql<{ type: TransactionType; amount: string }[]>`
    select i.type, i.amount from transactions t
    join incomes i on i.taxpayer_id = t.taxpayer_id and i.on_day = t.on_day and i.transaction_id = t.id::text
    where t.taxpayer_id = ${taxpayerId} and t.id = ${id} order by i.id`;
}
