import type { Sql } from '../../../db/connection.ts';
import type { Columns } from './columns.ts';
import type { ContractRow, DisposalRow, IncomeRow, IssueRow, WashSaleRow } from './rows.ts';

/** One book of one taxpayer: whose facts a statement is about. */
export interface BookScope {
  readonly taxpayerId: string;
  readonly book: string;
}

export const factTables = ['disposals', 'wash_sales', 'incomes', 'contracts_1256', 'issues'] as const;

/** Facts caused on these days, or after a day where it is given. */
const caused = (sql: Sql, scope: BookScope, days: readonly string[], after: string | null) => sql`
  taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
  and (caused_on = any(${days as string[]}::date[]) ${after === null ? sql`` : sql`or caused_on > ${after}`})`;

/** Returns the years that lost some. */
export async function deleteFacts(
  sql: Sql,
  scope: BookScope,
  days: readonly string[],
  after: string | null,
): Promise<number[]> {
  const gone = await Promise.all(
    factTables.map(
      (table) => sql<{ year: number }[]>`
        with gone as (
          delete from ${sql(table)} where ${caused(sql, scope, days, after)}
          returning extract(year from on_day)::integer as year
        )
        select distinct year from gone`,
    ),
  );
  return [...new Set(gone.flat().map((row) => row.year))];
}

/** All of a book's. Returns the years that had some. */
export async function deleteAllFacts(sql: Sql, scope: BookScope): Promise<number[]> {
  return deleteFacts(sql, scope, [], '-infinity');
}

export async function takeDisposals(sql: Sql, scope: BookScope, days: readonly string[]): Promise<DisposalRow[]> {
  return sql<DisposalRow[]>`
    delete from disposals where ${caused(sql, scope, days, null)} returning ${disposalFields(sql)}`;
}

export async function takeWashSales(sql: Sql, scope: BookScope, days: readonly string[]): Promise<WashSaleRow[]> {
  return sql<WashSaleRow[]>`
    delete from wash_sales where ${caused(sql, scope, days, null)} returning ${washSaleFields(sql)}`;
}

export async function takeIncomes(sql: Sql, scope: BookScope, days: readonly string[]): Promise<IncomeRow[]> {
  return sql<IncomeRow[]>`delete from incomes where ${caused(sql, scope, days, null)} returning ${incomeFields(sql)}`;
}

export async function takeContracts(sql: Sql, scope: BookScope, days: readonly string[]): Promise<ContractRow[]> {
  return sql<ContractRow[]>`
    delete from contracts_1256 where ${caused(sql, scope, days, null)} returning ${contractFields(sql)}`;
}

export async function takeIssues(
  sql: Sql,
  scope: BookScope,
  days: readonly string[],
  after: string | null,
): Promise<IssueRow[]> {
  return sql<IssueRow[]>`delete from issues where ${caused(sql, scope, days, after)} returning ${issueFields(sql)}`;
}

export async function selectDisposalsNamed(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<DisposalRow[]> {
  return sql<DisposalRow[]>`
    select ${disposalFields(sql)} from disposals where taxpayer_id = ${taxpayerId} and id = any(${ids as string[]}::text[])`;
}

export async function selectWashSalesOf(
  sql: Sql,
  taxpayerId: string,
  disposalIds: readonly string[],
): Promise<WashSaleRow[]> {
  return sql<WashSaleRow[]>`
    select ${washSaleFields(sql)} from wash_sales
    where taxpayer_id = ${taxpayerId} and disposal_id = any(${disposalIds as string[]}::text[]) order by id`;
}

export async function insertDisposals(sql: Sql, scope: BookScope, c: Columns<'disposal'>): Promise<void> {
  await sql`
    insert into disposals (
      taxpayer_id, book, id, caused_on, on_day, sale_id, lot_id, asset, asset_class, account, quantity, acquired, held_since,
      inherited, sold, proceeds, basis, term, box, box_reason, short_sale, expired, code, adjustment, basis_unknown,
      identified, acquired_various, description
    )
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.saleId}::text[], ${c.lotId}::text[], ${c.asset}::text[],
      ${c.assetClass}::text[], ${c.account}::text[], ${c.quantity}::numeric[], ${c.acquired}::date[],
      ${c.heldSince}::date[], ${c.inherited}::text[]::boolean[], ${c.sold}::date[], ${c.proceeds}::numeric[],
      ${c.basis}::numeric[], ${c.term}::text[], ${c.box}::text[], ${c.boxReason}::text[], ${c.shortSale}::text[]::boolean[],
      ${c.expired}::text[], ${c.code}::text[], ${c.adjustment}::numeric[], ${c.basisUnknown}::text[]::boolean[],
      ${c.identified}::text[], ${c.acquiredVarious}::text[]::boolean[], ${c.description}::text[]
    ) as r`;
}

export async function insertWashSales(sql: Sql, scope: BookScope, c: Columns<'wash'>): Promise<void> {
  await sql`
    insert into wash_sales (
      taxpayer_id, book, id, caused_on, on_day, disposal_id, replacement_lot_id, replacement_transaction_id, quantity,
      disallowed, permanent
    )
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.disposalId}::text[], ${c.replacementLotId}::text[],
      ${c.replacementTransactionId}::text[], ${c.quantity}::numeric[], ${c.disallowed}::numeric[], ${c.permanent}::text[]::boolean[]
    ) as r`;
}

export async function insertIncomes(sql: Sql, scope: BookScope, c: Columns<'income'>): Promise<void> {
  await sql`
    insert into incomes (taxpayer_id, book, id, caused_on, on_day, transaction_id, type, asset, account, amount)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.transactionId}::text[], ${c.type}::text[],
      ${c.asset}::text[], ${c.account}::text[], ${c.amount}::numeric[]
    ) as r`;
}

export async function insertContracts(sql: Sql, scope: BookScope, c: Columns<'contract_1256'>): Promise<void> {
  await sql`
    insert into contracts_1256 (taxpayer_id, book, id, caused_on, on_day, transaction_id, asset, account, gain)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.transactionId}::text[], ${c.asset}::text[],
      ${c.account}::text[], ${c.gain}::numeric[]
    ) as r`;
}

export async function insertIssues(sql: Sql, scope: BookScope, c: Columns<'issue'>): Promise<void> {
  await sql`
    insert into issues (taxpayer_id, book, id, caused_on, on_day, issue, asset, account, transactions, dollars, detail)
    select ${scope.taxpayerId}, ${scope.book}, r.id, r.caused_on, r.on_day, r.issue, r.asset, r.account,
      array(select jsonb_array_elements_text(r.transactions::jsonb)), r.dollars, r.detail
    from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.issue}::text[], ${c.asset}::text[], ${c.account}::text[],
      ${c.transactions}::text[], ${c.dollars}::numeric[], ${c.detail}::text[]
    ) as r (id, caused_on, on_day, issue, asset, account, transactions, dollars, detail)`;
}

/** Which facts: of one book or of all, from a day on, before a day. */
export interface FactScope {
  readonly taxpayerId: string;
  readonly book?: string;
  readonly from?: string;
  readonly before?: string;
  /** Only those that a replay until this day leaves. */
  readonly causedUntil?: string;
}

const within = (sql: Sql, { taxpayerId, book, from, before, causedUntil }: FactScope) => sql`
  taxpayer_id = ${taxpayerId}
  ${book === undefined ? sql`` : sql`and book = ${book}`}
  ${from === undefined ? sql`` : sql`and on_day >= ${from}`}
  ${before === undefined ? sql`` : sql`and on_day < ${before}`}
  ${causedUntil === undefined ? sql`` : sql`and caused_on <= ${causedUntil}`}`;

export const disposalFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, sale_id as "saleId", lot_id as "lotId", asset, asset_class as "assetClass",
  account, quantity, acquired, held_since as "heldSince", inherited, sold, proceeds, basis, term, box,
  box_reason as "boxReason", short_sale as "shortSale", expired, code, adjustment, basis_unknown as "basisUnknown",
  identified, acquired_various as "acquiredVarious", description`;

export const washSaleFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, disposal_id as "disposalId", replacement_lot_id as "replacementLotId",
  replacement_transaction_id as "replacementTransactionId", quantity, disallowed, permanent`;

const incomeFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, transaction_id as "transactionId", type, asset, account, amount`;

const contractFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, transaction_id as "transactionId", asset, account, gain`;

export const issueFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, issue, asset, account, transactions, dollars, detail`;

export function selectDisposals(sql: Sql, scope: FactScope): Promise<DisposalRow[]> {
  return sql<
    DisposalRow[]
  >`select ${disposalFields(sql)} from disposals where ${within(sql, scope)} order by on_day, id`;
}

export function selectWashSales(sql: Sql, scope: FactScope): Promise<WashSaleRow[]> {
  return sql<
    WashSaleRow[]
  >`select ${washSaleFields(sql)} from wash_sales where ${within(sql, scope)} order by on_day, id`;
}

export function selectIncomes(sql: Sql, scope: FactScope): Promise<IncomeRow[]> {
  return sql<IncomeRow[]>`
    select ${incomeFields(sql)} from incomes where ${within(sql, scope)} order by on_day, id`;
}

export function selectContracts(sql: Sql, scope: FactScope): Promise<ContractRow[]> {
  return sql<ContractRow[]>`
    select ${contractFields(sql)} from contracts_1256 where ${within(sql, scope)} order by on_day, id`;
}

export function selectIssues(sql: Sql, scope: FactScope): Promise<IssueRow[]> {
  return sql<IssueRow[]>`select ${issueFields(sql)} from issues where ${within(sql, scope)} order by on_day, id`;
}
