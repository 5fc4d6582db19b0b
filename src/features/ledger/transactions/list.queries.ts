import type { Sql } from '../../../db/connection.ts';
import { doubtfulIds } from './matched.queries.ts';
import { type TransactionRow, transactionColumns } from './rows.queries.ts';
import { isNamedLike, rowSources } from './transactions.queries.ts';

export interface Filter {
  /** The first day. `before` is exclusive. */
  readonly from: string | null;
  readonly before: string | null;
  /** Matches any of these assets. */
  readonly assets: readonly string[] | null;
  readonly accounts: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly importId: string | null;
  /**
   * If `wanted` is true, selects only rows that need review. If false, selects only rows that do not. A row dated after
   * `today` (in the taxpayer's time zone) needs review.
   */
  readonly review: { readonly wanted: boolean; readonly today: string } | null;
  /** Matches part of any text in the row. */
  readonly text: string | null;
  /** Selects only rows with these ids. */
  readonly ids: readonly string[] | null;
}

export interface ListedRow extends TransactionRow {
  /** The sort key within a day, in microseconds since 1970. */
  readonly moment: string;
}

/** The sort key that precedes the date. Null sorts only by date. */
type ListKey = 'amount' | 'asset' | null;
/** The position after a row. `key` is the amount or asset of the row, or empty in a list sorted by date. */
export type ListCursor = readonly [key: string, day: string, moment: string, id: string];

export interface ListPageRequest {
  readonly by: ListKey;
  readonly descending: boolean;
  readonly after: ListCursor | null;
  /** The number of rows to skip after the cursor. */
  readonly offset?: number;
  readonly limit: number;
}

/** Selects up to `limit` + 1 rows after the cursor, in the requested order. */
export async function selectListed(
  sql: Sql,
  taxpayerId: string,
  filter: Filter,
  { by, descending, after, limit, offset = 0 }: ListPageRequest,
) {
  const direction = descending ? sql`desc` : sql``;
  const first = by === null ? sql`` : sql`${keyColumn(sql, by, descending)} ${direction},`;
  return sql<ListedRow[]>`
    select ${transactionColumns(sql)}, t.stated_names, (extract(epoch from t.moment) * 1000000)::bigint as moment
    from transactions t
    where t.taxpayer_id = ${taxpayerId} ${conditions(sql, taxpayerId, filter)}
      ${after === null ? sql`` : afterCursor(sql, by, after, descending)}
    order by ${first} t.on_day ${direction}, t.moment ${direction}, t.id ${direction}
    limit ${limit + 1} offset ${offset}`;
}

/** Returns the sort column. Rows without an amount sort last in both directions. */
function keyColumn(sql: Sql, by: Exclude<ListKey, null>, descending: boolean) {
  if (by === 'asset') return sql`t.asset collate "C"`;
  return sql`coalesce(t.amount, ${descending ? '-Infinity' : 'Infinity'}::numeric)`;
}

/** Selects the ids of the first rows that match the filter, by date. */
export async function selectListedIds(sql: Sql, taxpayerId: string, filter: Filter, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select t.id from transactions t where t.taxpayer_id = ${taxpayerId} ${conditions(sql, taxpayerId, filter)}
    order by t.on_day, t.moment, t.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Counts the rows that match the filter. */
export async function countListed(sql: Sql, taxpayerId: string, filter: Filter): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from transactions t
    where t.taxpayer_id = ${taxpayerId} ${conditions(sql, taxpayerId, filter)}`;
  return row?.count ?? 0;
}

/** Counts the matching rows on each day, oldest first. */
export async function selectDays(sql: Sql, taxpayerId: string, filter: Filter) {
  return sql<{ date: string; count: number }[]>`
    select t.on_day::text as date, count(*)::integer as count
    from transactions t where t.taxpayer_id = ${taxpayerId} ${conditions(sql, taxpayerId, filter)}
    group by t.on_day order by t.on_day`;
}

function afterCursor(sql: Sql, by: ListKey, [value, day, moment, id]: ListCursor, descending: boolean) {
  const compare = descending ? sql`<` : sql`>`;
  const cursorValues = sql`${day}::date, timestamptz 'epoch' + ${moment}::bigint * interval '1 microsecond', ${id}::uuid`;
  if (by === null) return sql`and (t.on_day, t.moment, t.id) ${compare} (${cursorValues})`;
  const key = by === 'asset' ? sql`${value}::text collate "C"` : sql`${value}::numeric`;
  return sql`and (${keyColumn(sql, by, descending)}, t.on_day, t.moment, t.id) ${compare} (${key}, ${cursorValues})`;
}

const textArray = (sql: Sql, values: readonly string[]) => sql`${values as string[]}::text[]`;

function conditions(sql: Sql, taxpayerId: string, filter: Filter) {
  const { from, before, assets, accounts, types, importId, review, text, ids } = filter;
  const part = text === null ? '' : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`
    ${from === null ? sql`` : sql`and t.on_day >= ${from}`}
    ${before === null ? sql`` : sql`and t.on_day < ${before}`}
    ${
      assets === null
        ? sql``
        : sql`and (array[t.asset, t.received_asset, t.fee_asset] && ${textArray(sql, assets)}
          or t.stated_names is not null and array(select value from jsonb_each_text(t.stated_names::jsonb)) && ${textArray(sql, assets)})`
    }
    ${accounts === null ? sql`` : sql`and array[t.account, t.to_account] && ${textArray(sql, accounts)}`}
    ${types === null ? sql`` : sql`and t.type = any(${textArray(sql, types)})`}
    ${ids === null ? sql`` : sql`and t.id = any(${ids as string[]}::uuid[])`}
    ${
      importId === null
        ? sql``
        : sql`and (t.import_id = ${importId} or exists (
            select from transaction_sources s
            where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.transaction_id = t.id
          ))`
    }
    ${
      review === null
        ? sql``
        : sql`and ${review.wanted} = (t.on_day > ${review.today} or t.id in (
            select named::uuid from issues i, unnest(i.transactions) as named where i.taxpayer_id = ${taxpayerId}
            union ${doubtfulIds(sql, taxpayerId)}
          ))`
    }
    ${
      text === null
        ? sql``
        : sql`and (t.asset ilike ${part} or t.account ilike ${part} or t.note ilike ${part} or t.external_id ilike ${part}
            or t.type ilike ${part} or t.received_asset ilike ${part} or t.to_account ilike ${part}
            or t.stated_names ilike ${part} or ${isNamedLike(sql, taxpayerId, text, 't')})`
    }`;
}

/** Selects the first import of each row. */
export async function selectFirstSources(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<{ id: string; importId: string; line: number }[]>`
    select distinct on (s.transaction_id) s.transaction_id as id, s.import_id as "importId", s.line
    from ${rowSources(sql)} s
    join imports i on i.taxpayer_id = s.taxpayer_id and i.id = s.import_id
    where s.taxpayer_id = ${taxpayerId} and s.transaction_id = any(${ids as string[]}::uuid[])
    order by s.transaction_id, i.sequence`;
}

export interface NamedIssue {
  readonly issue: string;
  readonly detail: string;
  readonly dollars: string | null;
  readonly transactions: string[];
}

/** Selects the issues that refer to any of these rows. */
export async function selectIssuesNaming(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<NamedIssue[]>`
    select issue, detail, dollars, transactions from issues
    where taxpayer_id = ${taxpayerId} and transactions && ${ids as string[]}::text[] order by on_day, id`;
}

/** Selects rows after a cursor for the export, sorted by day, time and line. */
export async function selectInOrder(
  sql: Sql,
  taxpayerId: string,
  after: ExportCursor | null,
  limit: number,
): Promise<ExportRow[]> {
  const key =
    after === null
      ? sql``
      : sql`and (t.on_day, t.moment, t.line, t.id) > (${after.on_day}::date,
          timestamptz 'epoch' + ${after.moment}::bigint * interval '1 microsecond', ${after.line}::integer, ${after.id}::uuid)`;
  return sql<ExportRow[]>`
    select ${transactionColumns(sql)}, t.stated_names, t.time_zone, (extract(epoch from t.moment) * 1000000)::bigint as moment
    from transactions t where t.taxpayer_id = ${taxpayerId} ${key}
    order by t.on_day, t.moment, t.line, t.id limit ${limit}`;
}

export interface ExportRow extends ListedRow {
  readonly time_zone: string | null;
}

export type ExportCursor = Pick<ListedRow, 'on_day' | 'moment' | 'line' | 'id'>;

export async function hasTimes(sql: Sql, taxpayerId: string): Promise<boolean> {
  const rows = await sql`select from transactions where taxpayer_id = ${taxpayerId} and at is not null limit 1`;
  return rows.length > 0;
}

export async function hasOwnZones(sql: Sql, taxpayerId: string): Promise<boolean> {
  const rows = await sql`
    select from transactions where taxpayer_id = ${taxpayerId} and at is not null and time_zone <> 'UTC' limit 1`;
  return rows.length > 0;
}

export async function selectTransactions(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<TransactionRow[]>`
    select ${transactionColumns(sql)}, t.stated_names from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = any(${ids as string[]}::uuid[])`;
}
