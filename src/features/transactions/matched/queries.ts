import type { Sql } from '../../../db/connection.ts';
import type { StageScope } from '../queries.ts';

/** Formats whose files tell of the same accounts in other words: the source's other layouts. */
export interface Family {
  readonly format: string;
  readonly layout: string;
  /** The formats of the same source, this one included. */
  readonly formats: readonly string[];
}

/**
 * Whether there is anything by which the rows could be told already: another kind of file or rows by hand, and rows of
 * such files that were found to be others.
 */
export async function findOthers(
  sql: Sql,
  taxpayerId: string,
  family: Family,
): Promise<{ others: boolean; aliases: boolean }> {
  const [row] = await sql<{ others: boolean; aliases: boolean }[]>`
    select exists (
      select from imports where taxpayer_id = ${taxpayerId} and status = 'completed' and imported > 0
        and (format, layout) is distinct from (${family.format}, ${family.layout})
    ) or exists (
      select from transactions where taxpayer_id = ${taxpayerId} and import_id is null
    ) as others, exists (select from row_aliases where taxpayer_id = ${taxpayerId}) as aliases`;
  return row ?? { others: false, aliases: false };
}

/** Rows that were found to be others before take their names, one each; where the other is gone, the alias means nothing. */
export async function followAliases(sql: Sql, scope: StageScope): Promise<void> {
  const { taxpayerId, importId } = scope;
  await sql`
    update staged s set id = p.transaction_id
    from (
      select distinct on (a.transaction_id) own.number, a.transaction_id
      from staged own
      join row_aliases a on a.taxpayer_id = own.taxpayer_id and a.alias_id = own.id
      join transactions t on t.taxpayer_id = a.taxpayer_id and t.id = a.transaction_id
      where own.taxpayer_id = ${taxpayerId} and own.import_id = ${importId} and not exists (
        select from staged k where k.taxpayer_id = ${taxpayerId} and k.import_id = ${importId} and k.id = a.transaction_id
      )
      order by a.transaction_id, own.number
    ) p
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.number = p.number`;
}

export interface PairRow {
  /** Of the staged row. */
  readonly number: number;
  readonly id: string;
  readonly line: number;
  /** What the source calls it. */
  readonly external_id: string;
  /** The stored one that tells the same. */
  readonly other_id: string;
  readonly is_certain: boolean;
}

/**
 * Staged rows and stored ones that say the same of what, how much and for how much, told by another kind of file or by
 * hand. Units are compared to the precision of the one with fewer digits, but to five significant ones at least;
 * amounts to the cent, before or after the fee; instants to the second, or to the minute where one of them has no
 * seconds. All of it equal, in one account of one source: certain. A day off (zones), another account of the source, or
 * an amount that one of them does not state: worth a look. A row that a file of this layout tells already is no other
 * one's partner, unless that was this very one by the source's id: the setting of an account changes what rows are named.
 */
export async function selectPairs(sql: Sql, scope: StageScope, family: Family): Promise<PairRow[]> {
  const { taxpayerId, importId } = scope;
  return sql<PairRow[]>`
    with own as (
      select s.number, s.id, s.line, s.external_id, s.type, s.account, s.asset_key, s.received_asset, s.currency, s.quantity, s.amount, s.fee,
        s.at, s.on_day, coalesce(to_char(s.quantity, '9.9999EEEE'), '') as units
      from staged s
      where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and coalesce(s.quantity, s.amount) > 0
        and s.type <> 'reported_sale'
        and not exists (select from transactions k where k.taxpayer_id = ${taxpayerId} and k.id = s.id)
    ), others as (
      select t.id, t.type, t.account, t.asset_key, t.received_asset, t.currency, t.quantity, t.amount, t.fee, t.at,
        t.on_day, t.line, coalesce(to_char(t.quantity, '9.9999EEEE'), '') as units, i.format,
        exists (
          select from transaction_sources s join imports j on j.taxpayer_id = s.taxpayer_id and j.id = s.import_id
          where s.taxpayer_id = t.taxpayer_id and s.transaction_id = t.id
            and (j.format, j.layout) is not distinct from (${family.format}, ${family.layout})
        ) as is_told
      from transactions t
      left join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id
      where t.taxpayer_id = ${taxpayerId} and coalesce(t.quantity, t.amount) > 0
        and (i.format, i.layout) is distinct from (${family.format}, ${family.layout})
        and t.on_day between (select min(on_day) from own) - 1 and (select max(on_day) from own) + 1
        and not exists (
          select from staged k where k.taxpayer_id = ${taxpayerId} and k.import_id = ${importId} and k.id = t.id
        )
        and not exists (select from resolutions r where r.taxpayer_id = t.taxpayer_id and r.added_id = t.id)
    ), pairs as (
      select own.number, own.id, own.line, own.external_id, others.id as other_id, others.line as other_line,
        own.account = others.account as same_account,
        others.format = any(${family.formats as string[]}::text[]) as same_source,
        abs(own.on_day - others.on_day) as days_apart,
        own.at is null or others.at is null or
          case when extract(second from own.at) = 0 or extract(second from others.at) = 0
            then date_trunc('minute', own.at) = date_trunc('minute', others.at)
            else date_trunc('second', own.at) = date_trunc('second', others.at) end as same_time,
        own.quantity is not null and own.amount is null and others.amount is null
          or round(own.amount, 2) = round(others.amount, 2)
          or round(own.amount + coalesce(own.fee, 0), 2) = round(others.amount + coalesce(others.fee, 0), 2)
          or round(own.amount - coalesce(own.fee, 0), 2) = round(others.amount - coalesce(others.fee, 0), 2) as same_amount,
        own.amount is null <> (others.amount is null) as amount_unstated
      from own join others using (type, asset_key, units, received_asset, currency)
      where others.on_day between own.on_day - 1 and own.on_day + 1
        and (not others.is_told or own.external_id <> '' and exists (
          select from row_aliases a
          where a.taxpayer_id = ${taxpayerId} and a.transaction_id = others.id and a.external_id = own.external_id
        ))
        and (own.quantity is null or round(own.quantity, least(scale(trim_scale(own.quantity)), scale(trim_scale(others.quantity))))
          = round(others.quantity, least(scale(trim_scale(own.quantity)), scale(trim_scale(others.quantity)))))
    )
    select number, id, line, external_id, other_id,
      coalesce(same_account and same_source and same_time and same_amount and days_apart = 0, false) as is_certain
    from pairs
    where (same_account or same_source) and (same_amount or amount_unstated) and (days_apart = 0 or same_time)
    order by is_certain desc, number, days_apart, other_line, other_id`;
}

/** The staged rows are these stored ones, now and whenever they are told again. */
export async function insertAliases(
  sql: Sql,
  scope: StageScope,
  pairs: readonly Pick<PairRow, 'number' | 'id' | 'external_id' | 'other_id'>[],
): Promise<void> {
  const [numbers, ids, others] = [pairs.map((p) => p.number), pairs.map((p) => p.id), pairs.map((p) => p.other_id)];
  await sql`
    insert into row_aliases (taxpayer_id, alias_id, transaction_id, external_id)
    select ${scope.taxpayerId}, p.id, p.other_id, p.external_id
    from unnest(${ids}::uuid[], ${others}::uuid[], ${pairs.map((p) => p.external_id)}::text[]) as p (id, other_id, external_id)
    on conflict (taxpayer_id, alias_id) do update set transaction_id = excluded.transaction_id`;
  await sql`
    update staged s set id = p.other_id
    from unnest(${numbers}::integer[], ${others}::uuid[]) as p (number, other_id)
    where s.taxpayer_id = ${scope.taxpayerId} and s.import_id = ${scope.importId} and s.number = p.number`;
}

/** Stored rows got other names. */
export async function renameMatched(
  sql: Sql,
  taxpayerId: string,
  names: readonly (readonly [before: string, after: string])[],
): Promise<void> {
  const renamed = sql`
    from unnest(${names.map(([before]) => before)}::uuid[], ${names.map(([, after]) => after)}::uuid[]) as r (id, new_id)`;
  await sql`
    update row_aliases a set transaction_id = r.new_id ${renamed}
    where a.taxpayer_id = ${taxpayerId} and a.transaction_id = r.id`;
  await sql`
    update possible_duplicates d set transaction_id = r.new_id ${renamed}
    where d.taxpayer_id = ${taxpayerId} and d.transaction_id = r.id`;
  await sql`
    update possible_duplicates d set other_id = r.new_id ${renamed}
    where d.taxpayer_id = ${taxpayerId} and d.other_id = r.id`;
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
 * Days on which one asset was bought (or sold) in one account for sums that another kind of file tells in another number
 * of rows: fills against the orders that they filled.
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
      from transactions t join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id
      where t.taxpayer_id = ${taxpayerId} and t.type in ('buy', 'sell', 'trade')
        and (i.format, i.layout) is distinct from (${family.format}, ${family.layout})
        and t.on_day between (select min(on_day) from own) and (select max(on_day) from own)
        and not exists (
          select from staged k where k.taxpayer_id = ${taxpayerId} and k.import_id = ${importId} and k.id = t.id
        )
      group by t.account, t.type, t.asset_key, t.on_day
    )
    select own.asset, own.on_day, own.rows, others.rows as other_rows, own.id, others.id as other_id
    from own join others using (account, type, asset_key, on_day)
    where own.rows <> others.rows and abs(own.units - others.units) <= own.units * 0.00001
      and abs(own.amount - others.amount) <= 0.01 * greatest(own.rows, others.rows)
    order by own.on_day, own.asset, own.id`;
}

export interface PossibleDuplicate {
  readonly id: string;
  readonly otherId: string;
  readonly detail: string;
}

/** Those of which both rows are stored. */
export async function insertPossible(
  sql: Sql,
  scope: StageScope,
  possible: readonly PossibleDuplicate[],
): Promise<number> {
  const rows = await sql`
    insert into possible_duplicates (taxpayer_id, id, import_id, transaction_id, other_id, detail)
    select ${scope.taxpayerId}, gen_random_uuid(), ${scope.importId}, p.id, p.other_id, p.detail
    from unnest(
      ${possible.map((one) => one.id)}::uuid[], ${possible.map((one) => one.otherId)}::uuid[],
      ${possible.map((one) => one.detail)}::text[]
    ) as p (id, other_id, detail)
    where exists (select from transactions t where t.taxpayer_id = ${scope.taxpayerId} and t.id = p.id)
      and exists (select from transactions t where t.taxpayer_id = ${scope.taxpayerId} and t.id = p.other_id)
    on conflict (taxpayer_id, transaction_id, other_id) do nothing
    returning 1`;
  return rows.length;
}

export interface OpenDuplicateRow {
  readonly id: string;
  readonly transactionId: string;
  readonly otherId: string;
  readonly importId: string;
  readonly detail: string;
}

/** Pairs that nobody settled, of which both rows stand; of these rows, or of all. */
export async function selectPossible(
  sql: Sql,
  taxpayerId: string,
  of: { readonly ids: readonly string[] } | { readonly after: string | null; readonly limit: number },
): Promise<OpenDuplicateRow[]> {
  const part =
    'ids' in of
      ? sql`and (d.transaction_id = any(${of.ids as string[]}::uuid[]) or d.other_id = any(${of.ids as string[]}::uuid[]))`
      : sql`and (${of.after}::uuid is null or d.id > ${of.after}::uuid)`;
  return sql<OpenDuplicateRow[]>`
    select d.id, d.transaction_id as "transactionId", d.other_id as "otherId", d.import_id as "importId", d.detail
    from possible_duplicates d
    join transactions a on a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id
    join transactions b on b.taxpayer_id = d.taxpayer_id and b.id = d.other_id
    where d.taxpayer_id = ${taxpayerId} and d.dismissed_at is null ${part}
    order by d.id ${'limit' in of ? sql`limit ${of.limit}` : sql``}`;
}

/** The rows of open pairs, either side. */
export const doubtfulIds = (sql: Sql, taxpayerId: string) => sql`
  select unnest(array[a.id, b.id]) from possible_duplicates d
  join transactions a on a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id
  join transactions b on b.taxpayer_id = d.taxpayer_id and b.id = d.other_id
  where d.taxpayer_id = ${taxpayerId} and d.dismissed_at is null`;

/** False where there is none of that name that is open. */
export async function dismissPossible(sql: Sql, taxpayerId: string, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update possible_duplicates set dismissed_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and dismissed_at is null returning 1`;
  return rows.length > 0;
}
