import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import { typesOfHistory, typesOfNamedSales } from '../../../engine/events/form-names.ts';
import { farDays } from '../../../engine/events/form-rows.ts';
import type { TaxpayerRow } from '../books/books.queries.ts';
import { needsPrice } from '../prices/prices.queries.ts';
import type { AccountSource } from '../transactions/evidence.ts';
import { changesRecomputation } from '../transactions/row-issues.queries.ts';
import {
  type SqlPart,
  type TouchedRow,
  type TransactionRow,
  transactionColumns,
} from '../transactions/rows.queries.ts';

/**
 * Selects accounts that have rows without a class for these assets, or rows without a class that declare an asset
 * worthless.
 */
export async function selectOpenAccounts(sql: Sql, taxpayerId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    select account from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[])
      and stated_class is null and source_class is null
    union
    select account from transactions
    where taxpayer_id = ${taxpayerId} and type = 'worthless' and stated_class is null and source_class is null`;
  return rows.map(({ account }) => account);
}

/** Selects accounts that have rows without a class for some assets and also trade certain other assets. */
export async function selectAccountsBeside(
  sql: Sql,
  taxpayerId: string,
  unclassified: readonly string[],
  beside: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    with unclassified as materialized (
      select distinct account from transactions
      where taxpayer_id = ${taxpayerId} and stated_class is null and source_class is null
        and asset_key = any(${unclassified as string[]}::text[])
    )
    select account from unclassified
    where exists (select from unclassified) and account in (
      select account from transactions
      where taxpayer_id = ${taxpayerId} and asset_key = any(${beside as string[]}::text[])
      union
      select account from transactions
      where taxpayer_id = ${taxpayerId} and second_key = any(${beside as string[]}::text[])
    )`;
  return rows.map(({ account }) => account);
}

/** Selects accounts that have rows of these types without a class for these assets. */
export async function selectAccountsOfTypes(
  sql: Sql,
  taxpayerId: string,
  keys: readonly string[],
  types: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ account: string }[]>`
    select distinct account from transactions
    where taxpayer_id = ${taxpayerId} and asset_key = any(${keys as string[]}::text[])
      and stated_class is null and source_class is null and type = any(${types as string[]}::text[])`;
  return rows.map(({ account }) => account);
}

/** Data that most accounts do not have. A recomputation skips the statements about anything that is false here. */
export interface AccountUses {
  readonly links: boolean;
  /** Rows from Forms 1099. */
  readonly forms: boolean;
  readonly statedGains: boolean;
  readonly worthless: boolean;
  /** Rows that may need a price, or prices that rows use. */
  readonly prices: boolean;
  /** Security numbers in imported files. */
  readonly numbers: boolean;
  readonly balances: boolean;
  /** Rejected lines or proposed rows. */
  readonly rejects: boolean;
  readonly locks: boolean;
}

/** An account before a recomputation. */
export interface AccountState extends Pick<TaxpayerRow, 'settings' | 'time_zone' | 'revision'> {
  /** Whether the taxpayer ever had a row. */
  readonly begun: boolean;
  /** The engine version that calculated the books. Null if unknown. */
  readonly engine: string | null;
  /** The day of the last row used for the calculation. */
  readonly through: string | null;
  /** The day of the last stored row. */
  readonly last: string | null;
  readonly books: readonly { readonly asset_key: string; readonly book: string }[];
  /** The kinds of the taxpayer's answers that change how rows are read or which issues count. */
  readonly answers: readonly string[];
  readonly uses: AccountUses;
}

/** Selects the state of an account in one statement, because each statement costs more than what it reads here. */
export async function selectAccountState(sql: Sql, taxpayerId: string): Promise<AccountState> {
  const rows = (condition: SqlPart) =>
    sql`exists (select from transactions t where t.taxpayer_id = ${taxpayerId} and ${condition})`;
  const any = (table: string) => sql`exists (select from ${sql(table)} where taxpayer_id = ${taxpayerId})`;
  const [row] = await sql<AccountState[]>`
    select me.settings, me.time_zone, me.revision, l.taxpayer_id is not null as begun, l.engine, l.through,
      (select on_day from transactions where taxpayer_id = ${taxpayerId} order by on_day desc limit 1) as last,
      (
        select coalesce(json_agg(json_build_object('asset_key', b.asset_key, 'book', b.book)), '[]')
        from books b where b.taxpayer_id = ${taxpayerId}
      ) as books,
      (
        select coalesce(json_agg(distinct r.action), '[]') from resolutions r
        where r.taxpayer_id = ${taxpayerId} and ${changesRecomputation(sql)}
      ) as answers,
      json_build_object(
        'links', ${rows(sql`t.links is not null`)},
        'forms', ${rows(sql`t.type in ('reported_sale', 'reported_total')`)},
        'statedGains', ${rows(sql`t.stated_gain is not null`)},
        'worthless', ${rows(sql`t.type = 'worthless'`)},
        'prices', ${rows(needsPrice(sql))} or ${any('valuations')},
        'numbers', exists (select from imports where taxpayer_id = ${taxpayerId} and security_numbers <> '[]'::jsonb),
        'balances', ${any('balances')},
        'rejects', ${any('import_rejects')} or ${any('proposed_rows')},
        'locks', ${any('year_locks')}
      ) as uses
    from taxpayers me left join ledgers l on l.taxpayer_id = me.id
    where me.id = ${taxpayerId}`;
  if (row === undefined) throw booksDeleted();
  return row;
}

/** The subjects of the rows of an account. */
export interface RowKinds {
  /** The number of rows. */
  readonly rows: number;
  /** Every asset key that a row affects. */
  readonly keys: readonly string[];
  /** The pairs of keys that rows join into one book. */
  readonly links: readonly [string, string][];
  /** The formats of each account's imports and the 1099 boxes of its sales. */
  readonly sources: readonly AccountSource[];
}

/** Reads all rows once. Four statements for the parts of the result would take four times as long. */
export async function selectRowKinds(sql: Sql, taxpayerId: string): Promise<RowKinds> {
  const [row] = await sql<(Omit<RowKinds, 'links'> & { readonly links: readonly string[] })[]>`
    with kinds as materialized (
      select account, import_id, case when type = 'reported_sale' then box end as box,
        asset_key, second_key, third_key, fourth_key, links, count(*) as rows
      from transactions where taxpayer_id = ${taxpayerId}
      group by account, import_id, case when type = 'reported_sale' then box end,
        asset_key, second_key, third_key, fourth_key, links
    ), named as (
      select account, import_id, box from kinds
      union
      select t.account, s.import_id, null
      from transaction_sources s join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
      where s.taxpayer_id = ${taxpayerId}
    )
    select
      (select coalesce(sum(rows), 0)::integer from kinds) as rows,
      (
        select coalesce(json_agg(distinct k.key), '[]')
        from kinds t, lateral (values (t.asset_key), (t.second_key), (t.third_key), (t.fourth_key)) as k (key)
        where k.key is not null
      ) as keys,
      (select coalesce(json_agg(distinct links), '[]') from kinds where links is not null) as links,
      (
        select coalesce(json_agg(s), '[]') from (
          select distinct n.account, i.format, n.box
          from named n left join imports i on i.taxpayer_id = ${taxpayerId} and i.id = n.import_id
        ) s
      ) as sources`;
  if (row === undefined) throw new Error('The kinds of rows are missing.');
  return { ...row, links: row.links.flatMap((links) => JSON.parse(links) as [string, string][]) };
}

/** Selects the books with rows in these accounts or transfers to them, and the first day of such rows in each book. */
export async function selectKeysOfAccounts(sql: Sql, taxpayerId: string, accounts: readonly string[]) {
  return sql<TouchedRow[]>`
    select k.asset_key, min(t.on_day) as day
    from transactions t, lateral (values (t.asset_key), (t.second_key), (t.third_key), (t.fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and k.asset_key is not null
      and (t.account = any(${accounts as string[]}::text[]) or t.to_account = any(${accounts as string[]}::text[]))
    group by k.asset_key`;
}

const historyTypes = [...typesOfHistory];
const saleTypes = [...typesOfNamedSales];

export async function selectHasForms(sql: Sql, taxpayerId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from transactions where taxpayer_id = ${taxpayerId} and type = 'reported_sale' limit 1`;
  return rows.length > 0;
}

/** A name of an asset on an account's Forms 1099. */
interface FormNameRow {
  readonly account: string;
  readonly asset_key: string;
  readonly asset: string;
  /** Whether the account has transactions under this same name. */
  readonly has_history: boolean;
}

export async function selectFormNames(sql: Sql, taxpayerId: string) {
  return sql<FormNameRow[]>`
    with named as (
      select distinct account, asset_key, asset from transactions
      where taxpayer_id = ${taxpayerId} and type = 'reported_sale'
    )
    select n.account, n.asset_key, n.asset, exists (
      select from transactions t
      where t.taxpayer_id = ${taxpayerId} and t.asset_key = n.asset_key and t.type = any(${historyTypes}::text[])
        and t.account in (n.account, '')
    ) as has_history
    from named n`;
}

/** Selects the rows of Forms 1099 with these names. */
export async function selectFormsOfNames(sql: Sql, taxpayerId: string, names: readonly FormNameRow[]) {
  const [accounts, keys] = [names.map((name) => name.account), names.map((name) => name.asset_key)];
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)} from transactions t
    join unnest(${accounts}::text[], ${keys}::text[]) as n (account, asset_key)
      on t.account = n.account and t.asset_key = n.asset_key
    where t.taxpayer_id = ${taxpayerId} and t.type = 'reported_sale'`;
}

/** Selects one row for each account, asset and class in the transactions. */
export async function selectNamedHistory(sql: Sql, taxpayerId: string) {
  return sql<TransactionRow[]>`
    select distinct on (
      t.account, t.to_account, t.asset_key, t.second_key, t.third_key, t.fourth_key, t.asset_class
    ) ${transactionColumns(sql)}
    from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.type = any(${historyTypes}::text[])
    order by t.account, t.to_account, t.asset_key, t.second_key, t.third_key, t.fourth_key, t.asset_class, t.id`;
}

/**
 * Selects sales that rows of Forms 1099 with these names may report: sales on nearby days, and types that a form may
 * date much later or earlier.
 */
export async function selectSalesNear(
  sql: Sql,
  taxpayerId: string,
  names: readonly FormNameRow[],
  span: { readonly first: string; readonly last: string },
) {
  const [accounts, keys] = [names.map((name) => name.account), names.map((name) => name.asset_key)];
  return sql<TransactionRow[]>`
    with shown as (
      select distinct t.on_day from transactions t
      join unnest(${accounts}::text[], ${keys}::text[]) as n (account, asset_key)
        on t.account = n.account and t.asset_key = n.asset_key
      where t.taxpayer_id = ${taxpayerId} and t.type = 'reported_sale'
    ), days as (
      select distinct s.on_day + d.days as on_day from shown s, generate_series(-${farDays}::int, ${farDays}::int) as d (days)
    )
    select ${transactionColumns(sql)} from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.type = any(${saleTypes}::text[])
      and t.on_day between ${span.first} and ${span.last}
      and (t.type in ('short_sell', 'sell_to_open', 'worthless') or t.on_day in (select on_day from days))`;
}
