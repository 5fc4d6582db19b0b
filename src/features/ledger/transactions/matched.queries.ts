import type { Sql } from '../../../db/connection.ts';
import { type StageScope, sentAs } from './rows.queries.ts';

/**
 * Returns whether matching is necessary: whether there are rows from another kind of file or manual rows (`others`),
 * and whether any rows were matched before (`aliases`).
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

/**
 * Gives staged rows that were matched before the ids of their partners, one row per partner. Ignores aliases whose
 * partner is no longer stored.
 */
export async function applyAliases(sql: Sql, scope: StageScope): Promise<void> {
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

/** Records that these staged rows are the same as stored rows, for this and later imports. */
export async function insertAliases(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  pairs: readonly PairRow[],
): Promise<void> {
  const paired = sentAs(sql, 'p', pairs, {
    number: ['integer', ({ number }) => number],
    other_id: ['uuid', (pair) => pair.other_id],
  });
  await sql`
    insert into row_aliases (taxpayer_id, alias_id, transaction_id, external_id)
    select s.taxpayer_id, s.id, p.other_id, s.external_id
    from staged s join ${paired} on s.number = p.number
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}
    on conflict (taxpayer_id, alias_id) do update set transaction_id = excluded.transaction_id`;
  await sql`
    update staged s set id = p.other_id from ${paired}
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.number = p.number`;
}

/** Updates the references to stored rows whose ids changed. */
export async function renameRows(
  sql: Sql,
  taxpayerId: string,
  names: readonly (readonly [before: string, after: string])[],
): Promise<void> {
  const renamed = sentAs(sql, 'r', names, {
    id: ['uuid', ([before]) => before],
    new_id: ['uuid', ([, after]) => after],
  });
  for (const [table, column] of rowReferences) {
    await sql`
      update ${sql(table)} o set ${sql(column)} = r.new_id from ${renamed}
      where o.taxpayer_id = ${taxpayerId} and o.${sql(column)} = r.id`;
  }
}

/** The columns with ids of stored rows, other than those of answers. */
const rowReferences = [
  ['transaction_sources', 'transaction_id'],
  ['row_aliases', 'transaction_id'],
  ['edited_rows', 'transaction_id'],
  ['proposed_rows', 'transaction_id'],
  ['proposed_rows', 'id'],
  ['possible_duplicates', 'transaction_id'],
  ['possible_duplicates', 'other_id'],
] as const;

/** What makes two rows a possible duplicate: two files, or two names that the settings join. */
type DuplicateKind = 'files' | 'names';

export interface PossibleDuplicate {
  readonly id: string;
  readonly otherId: string;
  /** Default: `files`. */
  readonly kind?: DuplicateKind;
  readonly detail: string;
}

/**
 * Stores the pairs whose rows are both stored. The import of a pair is that of the later row, or that of the other row
 * if the later one is manual.
 */
export async function insertPossible(
  sql: Sql,
  taxpayerId: string,
  possible: readonly PossibleDuplicate[],
): Promise<number> {
  const rows = await sql`
    insert into possible_duplicates (taxpayer_id, id, import_id, transaction_id, other_id, kind, detail)
    select own.taxpayer_id, p.pair_id, coalesce(own.import_id, other.import_id), p.id, p.other_id, p.kind, p.detail
    from ${sentAs(sql, 'p', possible, {
      pair_id: ['uuid', () => crypto.randomUUID()],
      id: ['uuid', ({ id }) => id],
      other_id: ['uuid', ({ otherId }) => otherId],
      kind: ['text', ({ kind = 'files' }) => kind],
      detail: ['text', ({ detail }) => detail],
    })}
    join transactions own on own.taxpayer_id = ${taxpayerId} and own.id = p.id
    join transactions other on other.taxpayer_id = ${taxpayerId} and other.id = p.other_id
    on conflict (taxpayer_id, transaction_id, other_id) do nothing
    returning 1`;
  return rows.length;
}

interface OpenDuplicateRow {
  readonly id: string;
  readonly transactionId: string;
  readonly otherId: string;
  readonly importId: string;
  readonly detail: string;
}

/** Selects open pairs whose rows both still exist, either for these rows or for all. */
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

/** Selects the ids of both rows in each open pair. */
export const doubtfulIds = (sql: Sql, taxpayerId: string) => sql`
  select unnest(array[a.id, b.id]) from possible_duplicates d
  join transactions a on a.taxpayer_id = d.taxpayer_id and a.id = d.transaction_id
  join transactions b on b.taxpayer_id = d.taxpayer_id and b.id = d.other_id
  where d.taxpayer_id = ${taxpayerId} and d.dismissed_at is null`;

/** Dismisses a pair. Returns false if there is no open pair with this id. */
export async function dismissPossible(sql: Sql, taxpayerId: string, id: string, at: Date): Promise<boolean> {
  const rows = await sql`
    update possible_duplicates set dismissed_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and dismissed_at is null returning 1`;
  return rows.length > 0;
}

/** Deletes open pairs of two names whose rows now belong to different assets. */
export async function deletePossibleApart(sql: Sql, taxpayerId: string): Promise<void> {
  await sql`
    delete from possible_duplicates d using transactions a, transactions b
    where d.taxpayer_id = ${taxpayerId} and d.kind = 'names' and d.dismissed_at is null
      and a.taxpayer_id = ${taxpayerId} and a.id = d.transaction_id
      and b.taxpayer_id = ${taxpayerId} and b.id = d.other_id and a.asset_key <> b.asset_key`;
}

/** A pair of a staged row and a stored row that may be the same. */
export interface PairRow {
  /** The number of the staged row. */
  readonly number: number;
  /** The matching stored row. */
  readonly other_id: string;
}

interface PossiblePairRow extends PairRow {
  /** The id of the staged row. */
  readonly id: string;
}

/** The rows to match: the staged rows of an import, or one stored row that was entered manually. */
type RowsToMatch = StageScope | { readonly taxpayerId: string; readonly enteredId: string };

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
    coalesce(i.format = any(${family.shared as string[]}::text[]), false) as may_share,
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
 * Matches names of accounts that are possibly the same: "Schwab" and "Schwab ...5678", or two names with the same
 * digits. Many exports do not contain the number of their account, but every OFX file does.
 */
const sameAccountNumber = (sql: Sql) => sql`(starts_with(own.account, others.account || ' ')
  or starts_with(others.account, own.account || ' ')
  or substring(own.account from '\\d{3,}$') = substring(others.account from '\\d{3,}$'))`;

/**
 * Matches rows that can be a partner. A row with a source that has this layout cannot, unless its source ID shows that
 * it is the same row. In that case, an account setting has changed the names in the rows.
 */
const isFree = (sql: Sql, taxpayerId: string) => sql`(not others.is_linked or own.external_id <> '' and exists (
  select from row_aliases a
  where a.taxpayer_id = ${taxpayerId} and a.transaction_id = others.id and a.external_id = own.external_id
))`;

/**
 * Selects pairs that are certainly the same: equal in every value, in the same account and source (or
 * broker, in an OFX file). Joins rows by the
 * minute, because a trading bot can make many equal fills a day.
 */
export async function selectCertainPairs(sql: Sql, scope: StageScope, family: Family): Promise<PairRow[]> {
  const agree = sql`(others.same_source or others.may_share) and own.on_day = others.on_day and ${sameUnits(sql)} and ${sameAmount(sql)}
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
 * accounts of the source, in accounts of a broker with similar names, or with an amount in only one of them. If `by_hand` is set, one of the rows was entered
 * manually. Manual entries have arbitrary account names, no class and rounded numbers. Therefore equal quantities and
 * values on the same day match in any account, and values within one percent match in the same account.
 */
export async function selectPossiblePairs(sql: Sql, rows: RowsToMatch, family = noFamily) {
  return sql<PossiblePairRow[]>`
    with own as materialized (${ownRows(sql, rows)}), others as materialized (${otherRows(sql, rows, family)}),
    pairs as (
      select own.number, own.id, others.id as other_id, others.line as other_line, others.same_source,
        own.account = others.account or others.by_hand and lower(own.account) = lower(others.account)
          or others.may_share and ${sameAccountNumber(sql)} as same_account,
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
export async function selectEqualSums(sql: Sql, scope: StageScope, family: Family) {
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
  /** Formats of other sources whose accounts are the same if their names are: OFX beside a broker's own formats. */
  readonly shared: readonly string[];
}

/** The family of a manual entry. */
const noFamily: Family = { format: '', layout: '', formats: [], shared: [] };

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
