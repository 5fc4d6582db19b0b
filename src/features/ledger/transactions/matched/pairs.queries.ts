import type { Sql } from '../../../../db/connection.ts';
import type { StageScope } from '../rows/rows.queries.ts';

/** A pair of a staged row and a stored row that may be the same. */
export interface PairRow {
  /** The number of the staged row. */
  readonly number: number;
  /** The matching stored row. */
  readonly other_id: string;
}

export interface PossiblePairRow extends PairRow {
  /** The id of the staged row. */
  readonly id: string;
}

/** The rows to match: the staged rows of an import, or one stored row that was entered manually. */
export type RowsToMatch = StageScope | { readonly taxpayerId: string; readonly enteredId: string };

/** Selects the rows to match. Excludes staged rows that match a stored row already. */
const ownRows = (sql: Sql, { taxpayerId, ...rows }: RowsToMatch) => sql`
  select ${'enteredId' in rows ? sql`1 as number` : sql`s.number`}, s.id, s.external_id, s.type, s.account, s.asset, s.asset_key, s.received_asset, s.currency, s.quantity,
    s.amount, s.fee, s.at, date_trunc('minute', s.at) as minute, s.on_day,
    coalesce(to_char(s.quantity, '9.9999EEEE'), '') as units
  from ${'enteredId' in rows ? sql`transactions` : sql`staged`} s
  where s.taxpayer_id = ${taxpayerId} and coalesce(s.quantity, s.amount) > 0 and s.type <> 'reported_sale' and ${
    'enteredId' in rows
      ? sql`s.id = ${rows.enteredId}`
      : sql`s.import_id = ${rows.importId}
        and not exists (select from transactions k where k.taxpayer_id = ${taxpayerId} and k.id = s.id)`
  }`;

/**
 * Selects stored rows on the days of the staged rows that match no staged row yet. Selects rows from other kinds of
 * files, and manual rows. A manual entry is compared only with file rows that are not in a pair yet.
 */
const otherRows = (sql: Sql, { taxpayerId, ...rows }: RowsToMatch, family: Family) => sql`
  select t.id, t.type, t.account, t.asset, t.asset_key, t.received_asset, t.currency, t.quantity, t.amount, t.fee, t.at,
    date_trunc('minute', t.at) as minute, t.on_day, t.line, coalesce(to_char(t.quantity, '9.9999EEEE'), '') as units,
    t.import_id is null or ${'enteredId' in rows} as by_hand, coalesce(i.format = any(${family.formats as string[]}::text[]), false) as same_source,
    exists (
      select from transaction_sources s join imports j on j.taxpayer_id = s.taxpayer_id and j.id = s.import_id
      where s.taxpayer_id = ${taxpayerId} and s.transaction_id = t.id
        and (j.format, j.layout) is not distinct from (${family.format}, ${family.layout})
    ) as is_linked
  from transactions t
  left join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id
  where t.taxpayer_id = ${taxpayerId} and coalesce(t.quantity, t.amount) > 0
    and (i.format, i.layout) is distinct from (${family.format}, ${family.layout})
    and t.on_day between (select min(on_day) from own) - 1 and (select max(on_day) from own) + 1
    and not exists (select from resolutions r where r.taxpayer_id = t.taxpayer_id and r.added_id = t.id)
    and ${
      'enteredId' in rows
        ? sql`t.import_id is not null and not exists (
            select from possible_duplicates d where d.taxpayer_id = ${taxpayerId} and t.id in (d.transaction_id, d.other_id)
          )`
        : sql`not exists (
            select from staged k where k.taxpayer_id = ${taxpayerId} and k.import_id = ${rows.importId} and k.id = t.id
          )`
    }`;

/**
 * Matches equal quantities. They are compared at the precision of the quantity with fewer digits, but with at least
 * five significant digits (`units`).
 */
const sameUnits = (sql: Sql) => sql`(own.quantity is null
  or round(own.quantity, least(scale(trim_scale(own.quantity)), scale(trim_scale(others.quantity))))
    = round(others.quantity, least(scale(trim_scale(own.quantity)), scale(trim_scale(others.quantity)))))`;

/** Matches amounts that are equal to the cent, before or after the fee. */
const sameAmount = (sql: Sql) => sql`(own.quantity is not null and own.amount is null and others.amount is null
  or round(own.amount, 2) = round(others.amount, 2)
  or round(own.amount + coalesce(own.fee, 0), 2) = round(others.amount + coalesce(others.fee, 0), 2)
  or round(own.amount - coalesce(own.fee, 0), 2) = round(others.amount - coalesce(others.fee, 0), 2))`;

/** Matches times that are equal to the second, or to the minute if one of them has no seconds. */
const sameTime = (sql: Sql) => sql`(own.at is null or others.at is null or own.minute = others.minute and (
  extract(second from own.at) = 0 or extract(second from others.at) = 0
  or date_trunc('second', own.at) = date_trunc('second', others.at)))`;

/**
 * Matches rows that can be a partner. A row with a source that has this layout cannot, unless its source ID shows that
 * it is the same row. In that case, an account setting has changed the names in the rows.
 */
const isFree = (sql: Sql, taxpayerId: string) => sql`(not others.is_linked or own.external_id <> '' and exists (
  select from row_aliases a
  where a.taxpayer_id = ${taxpayerId} and a.transaction_id = others.id and a.external_id = own.external_id
))`;

/**
 * Selects pairs that are certainly the same: equal in every value, in the same account and source. Joins rows by the
 * minute, because a trading bot can make many equal fills a day.
 */
export async function selectCertainPairs(sql: Sql, scope: StageScope, family: Family): Promise<PairRow[]> {
  const agree = sql`others.same_source and own.on_day = others.on_day and ${sameUnits(sql)} and ${sameAmount(sql)}
    and ${sameTime(sql)} and ${isFree(sql, scope.taxpayerId)}`;
  return sql<PairRow[]>`
    with own as materialized (${ownRows(sql, scope)}), others as materialized (${otherRows(sql, scope, family)})
    select number, other_id from (
      select own.number, others.id as other_id, others.line as other_line
      from own join others using (type, account, asset_key, units, received_asset, currency, minute) where ${agree}
      union all
      select own.number, others.id, others.line
      from own join others using (type, account, asset_key, units, received_asset, currency, on_day)
      where (own.at is null or others.at is null) and ${agree}
    ) pairs
    order by number, other_line, other_id`;
}

/**
 * Selects pairs of the remaining rows that are possibly the same: dated one day apart (time zones), in different
 * accounts of the source, or with an amount in only one of them. If `by_hand` is set, one of the rows was entered
 * manually. Manual entries have arbitrary account names, no class and rounded numbers. Therefore equal quantities and
 * values on the same day match in any account, and values within one percent match in the same account.
 */
export async function selectPossiblePairs(sql: Sql, rows: RowsToMatch, family = noFamily): Promise<PossiblePairRow[]> {
  return sql<PossiblePairRow[]>`
    with own as materialized (${ownRows(sql, rows)}), others as materialized (${otherRows(sql, rows, family)}),
    pairs as (
      select own.number, own.id, others.id as other_id, others.line as other_line, others.same_source,
        own.account = others.account or others.by_hand and lower(own.account) = lower(others.account) as same_account,
        others.by_hand and own.quantity is not null and own.on_day = others.on_day
          and round(own.amount, 2) = round(others.amount, 2) as same_trade,
        others.by_hand and abs(own.amount + coalesce(own.fee, 0) - others.amount - coalesce(others.fee, 0))
          <= own.amount * 0.01 as near_amount,
        abs(own.on_day - others.on_day) as days_apart, ${sameTime(sql)} as same_time, ${sameAmount(sql)} as same_amount,
        own.amount is null <> (others.amount is null) as amount_unstated
      from own cross join (values (-1), (0), (1)) as near (days)
      join others on (others.type, others.asset, others.units, others.received_asset, others.currency, others.on_day)
        = (own.type, own.asset, own.units, own.received_asset, own.currency, own.on_day + near.days)
      where (own.asset_key = others.asset_key or others.by_hand) and ${sameUnits(sql)}
        and ${isFree(sql, rows.taxpayerId)}
    )
    select number, id, other_id from pairs
    where (same_account or same_source or same_trade)
      and (same_amount or amount_unstated or near_amount) and (days_apart = 0 or same_time)
    order by number, days_apart, other_line, other_id`;
}

export interface SumRow {
  readonly asset: string;
  readonly on_day: string;
  readonly rows: number;
  readonly other_rows: number;
  readonly id: string;
  readonly other_id: string;
}

/**
 * Selects days with purchases (or sales) of an asset in an account whose totals equal those of a different number of
 * rows in another kind of file or in manual entries. Such rows may be orders and their fills.
 */
export async function selectEqualSums(sql: Sql, scope: StageScope, family: Family): Promise<SumRow[]> {
  const { taxpayerId, importId } = scope;
  return sql<SumRow[]>`
    with own as (
      select s.account, s.type, s.asset_key, s.on_day, min(s.asset) as asset, count(*)::integer as rows, sum(s.quantity) as units,
        sum(s.amount) as amount, min(s.id::text) as id
      from staged s
      where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.type in ('buy', 'sell', 'trade')
        and not exists (select from transactions k where k.taxpayer_id = ${taxpayerId} and k.id = s.id)
      group by s.account, s.type, s.asset_key, s.on_day
    ), others as (
      select t.account, t.type, t.asset_key, t.on_day, count(*)::integer as rows, sum(t.quantity) as units,
        sum(t.amount) as amount, min(t.id::text) as id
      from transactions t left join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id
      where t.taxpayer_id = ${taxpayerId} and t.type in ('buy', 'sell', 'trade')
        and (i.format, i.layout) is distinct from (${family.format}, ${family.layout})
        and t.on_day between (select min(on_day) from own) and (select max(on_day) from own)
        and not exists (
          select from staged k where k.taxpayer_id = ${taxpayerId} and k.import_id = ${importId} and k.id = t.id
        )
      group by t.account, t.type, t.asset_key, t.on_day, t.import_id is null
    )
    select own.asset, own.on_day, own.rows, others.rows as other_rows, own.id, others.id as other_id
    from own join others using (account, type, asset_key, on_day)
    where own.rows <> others.rows and abs(own.units - others.units) <= own.units * 0.00001
      and abs(own.amount - others.amount) <= 0.01 * greatest(own.rows, others.rows)
    order by own.on_day, own.asset, own.id`;
}

/**
 * A file's format and the other formats of the same source. Their files cover the same accounts in different layouts.
 */
export interface Family {
  readonly format: string;
  readonly layout: string;
  /** The formats of the same source, including this one. */
  readonly formats: readonly string[];
}

/** The family of a manual entry. */
const noFamily: Family = { format: '', layout: '', formats: [] };

/** Selects pairs of rows from two files that are equal except for the name of the security. */
export async function selectJoinedPairs(
  sql: Sql,
  taxpayerId: string,
): Promise<{ readonly id: string; readonly other_id: string }[]> {
  return sql<{ id: string; other_id: string }[]>`
    select own.id, o.id as other_id
    from transactions own join transactions o
      on o.taxpayer_id = own.taxpayer_id and o.asset_key = own.asset_key
      and (o.account, o.type, o.on_day, o.received_asset) = (own.account, own.type, own.on_day, own.received_asset)
      and o.quantity is not distinct from own.quantity and o.amount is not distinct from own.amount
      and (o.at is null or own.at is null or o.at = own.at)
    where own.taxpayer_id = ${taxpayerId} and own.stated_names is not null and own.type <> 'reported_sale'
      and own.stated_names is distinct from o.stated_names and own.import_id is distinct from o.import_id
    order by own.line, own.id, o.line, o.id`;
}
