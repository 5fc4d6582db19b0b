import type { Sql } from '../../../db/connection.ts';
import type { Disposal, WashSale } from '../../../engine/model.ts';
import type { DisposalColumns, FactColumns, WashSaleColumns } from './columns.ts';
import {
  type ContractRow,
  type DisposalGroupRow,
  disposalsOfRow,
  type IncomeRow,
  type IssueRow,
  type WashSaleGroupRow,
  washSalesOfRow,
} from './rows.ts';

/** One book of one taxpayer: whose facts a statement is about. */
export interface BookScope {
  readonly taxpayerId: string;
  readonly book: string;
}

export const factTables = ['disposal_groups', 'wash_sale_groups', 'incomes', 'contracts_1256', 'issues'] as const;

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

export async function takeDisposals(sql: Sql, scope: BookScope, days: readonly string[]): Promise<Disposal[]> {
  const rows = await sql<DisposalGroupRow[]>`
    delete from disposal_groups where ${caused(sql, scope, days, null)} returning ${disposalFields(sql)}`;
  return rows.flatMap(disposalsOfRow);
}

export async function takeWashSales(sql: Sql, scope: BookScope, days: readonly string[]): Promise<WashSale[]> {
  const rows = await sql<WashSaleGroupRow[]>`
    delete from wash_sale_groups where ${caused(sql, scope, days, null)} returning ${washSaleFields(sql)}`;
  return rows.flatMap(washSalesOfRow);
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

/** Those recognized on these days, of all books or of one. */
export async function selectDisposalsOn(
  sql: Sql,
  scope: Pick<FactScope, 'taxpayerId' | 'book'>,
  days: readonly string[],
): Promise<Disposal[]> {
  const rows = await sql<DisposalGroupRow[]>`
    select ${disposalFields(sql)} from disposal_groups
    where ${within(sql, scope)} and on_day = any(${days as string[]}::date[])`;
  return rows.flatMap(disposalsOfRow);
}

/** Those of losses of these days, by id, of all books or of one. */
export async function selectWashSalesOn(
  sql: Sql,
  scope: Pick<FactScope, 'taxpayerId' | 'book'>,
  days: readonly string[],
): Promise<WashSale[]> {
  const rows = await sql<WashSaleGroupRow[]>`
    select ${washSaleFields(sql)} from wash_sale_groups
    where ${within(sql, scope)} and on_day = any(${days as string[]}::date[])`;
  return rows.flatMap(washSalesOfRow).sort(byId);
}

/** Those that a transaction caused or closed: in its books, from its day on. */
export async function selectDisposalsOf(sql: Sql, taxpayerId: string, transactionId: string): Promise<Disposal[]> {
  const rows = await sql<DisposalGroupRow[]>`
    select ${disposalFields(sql)}
    from disposal_groups g
    join (
      select distinct b.book as own, t.on_day as since
      from transactions t
      join books b on b.taxpayer_id = t.taxpayer_id
        and b.asset_key in (t.asset_key, t.second_key, t.third_key, t.fourth_key)
      where t.taxpayer_id = ${taxpayerId} and t.id = ${transactionId}
    ) o on g.book = o.own and g.caused_on >= o.since
    where g.taxpayer_id = ${taxpayerId} and position(${transactionId} in g.lines) > 0`;
  return rows.flatMap(disposalsOfRow).filter((one) => one.id.startsWith(`${transactionId}/`));
}

export async function insertDisposals(sql: Sql, scope: BookScope, c: DisposalColumns): Promise<void> {
  await sql`
    insert into disposal_groups (
      taxpayer_id, book, caused_on, number, on_day, asset, asset_class, account, inherited, sold, term, box, box_reason,
      short_sale, expired, code, basis_unknown, identified, acquired_various, description, count, lines
    )
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.causedOn}::date[], ${c.number}::integer[], ${c.on}::date[], ${c.asset}::text[], ${c.assetClass}::text[],
      ${c.account}::text[], ${c.inherited}::text[]::boolean[], ${c.sold}::date[], ${c.term}::text[], ${c.box}::text[],
      ${c.boxReason}::text[], ${c.shortSale}::text[]::boolean[], ${c.expired}::text[], ${c.code}::text[],
      ${c.basisUnknown}::text[]::boolean[], ${c.identified}::text[], ${c.acquiredVarious}::text[]::boolean[],
      ${c.description}::text[], ${c.count}::integer[], ${c.lines}::text[]
    ) as r`;
}

export async function insertWashSales(sql: Sql, scope: BookScope, c: WashSaleColumns): Promise<void> {
  await sql`
    insert into wash_sale_groups (taxpayer_id, book, caused_on, number, on_day, permanent, count, lines)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.causedOn}::date[], ${c.number}::integer[], ${c.on}::date[], ${c.permanent}::text[]::boolean[],
      ${c.count}::integer[], ${c.lines}::text[]
    ) as r`;
}

export async function insertIncomes(sql: Sql, scope: BookScope, c: FactColumns<'income'>): Promise<void> {
  await sql`
    insert into incomes (taxpayer_id, book, id, caused_on, on_day, transaction_id, type, asset, account, amount)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.transactionId}::text[], ${c.type}::text[],
      ${c.asset}::text[], ${c.account}::text[], ${c.amount}::numeric[]
    ) as r`;
}

export async function insertContracts(sql: Sql, scope: BookScope, c: FactColumns<'contract_1256'>): Promise<void> {
  await sql`
    insert into contracts_1256 (taxpayer_id, book, id, caused_on, on_day, transaction_id, asset, account, gain)
    select ${scope.taxpayerId}, ${scope.book}, r.* from unnest(
      ${c.id}::text[], ${c.causedOn}::date[], ${c.on}::date[], ${c.transactionId}::text[], ${c.asset}::text[],
      ${c.account}::text[], ${c.gain}::numeric[]
    ) as r`;
}

export async function insertIssues(sql: Sql, scope: BookScope, c: FactColumns<'issue'>): Promise<void> {
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

const disposalFields = (sql: Sql) => sql`
  caused_on as "causedOn", on_day as on, asset, asset_class as "assetClass", account, inherited, sold, term, box,
  box_reason as "boxReason", short_sale as "shortSale", expired, code, basis_unknown as "basisUnknown", identified,
  acquired_various as "acquiredVarious", description, count, lines`;

export const washSaleFields = (sql: Sql) => sql`caused_on as "causedOn", on_day as on, permanent, count, lines`;

const incomeFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, transaction_id as "transactionId", type, asset, account, amount`;

const contractFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, transaction_id as "transactionId", asset, account, gain`;

export const issueFields = (sql: Sql) => sql`
  id, caused_on as "causedOn", on_day as on, issue, asset, account, transactions, dollars, detail`;

/** By day and id: all, or those of an asset. */
export async function selectDisposals(sql: Sql, scope: FactScope, asset?: string): Promise<Disposal[]> {
  const rows = await sql<DisposalGroupRow[]>`
    select ${disposalFields(sql)} from disposal_groups
    where ${within(sql, scope)} ${asset === undefined ? sql`` : sql`and asset = ${asset}`}`;
  return rows.flatMap(disposalsOfRow).sort(byDay);
}

/** By day and id. */
export async function selectWashSales(sql: Sql, scope: FactScope): Promise<WashSale[]> {
  const rows = await sql<WashSaleGroupRow[]>`
    select ${washSaleFields(sql)} from wash_sale_groups where ${within(sql, scope)}`;
  return rows.flatMap(washSalesOfRow).sort(byDay);
}

function byDay(a: Disposal | WashSale, b: Disposal | WashSale): number {
  return a.on - b.on || byId(a, b);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
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
