import { numbered } from '../../../db/citus.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Box } from '../../../engine/model.ts';
import {
  derivedColumns,
  rowColumns,
  type SqlPart,
  type StageScope,
  selectIdKey,
  setRowColumns,
  sqlColumns,
  type TouchedRow,
} from './rows.queries.ts';
import { computeKeyBlocks } from './rows.ts';
import { type StagedColumns, stagedColumns } from './staging.ts';

/**
 * The rows to store, as SQL that follows `from`: the table `staged`, or rows that are sent with the statement
 * (`sentRows`). Both have the same columns.
 */
type RowsToStore = SqlPart;

export const stagedRows = (sql: Sql): RowsToStore => sql`staged`;

/** The taxpayer and import of rows that are sent. The import of a manual or corrected row is null. */
export interface SentScope {
  readonly taxpayerId: string;
  readonly importId: string | null;
}

/** SQL for rows that are sent with the statement. */
export const sentRows = (sql: Sql, scope: SentScope, sent: StagedColumns): RowsToStore =>
  sql`(${selectSent(sql, scope, 0, sent)})`;

/**
 * Unnests the arrays in the select list, because unnesting them as a table would materialize all rows again. Decodes
 * the fingerprints once, in a subquery.
 */
function selectSent(sql: Sql, { taxpayerId, importId }: SentScope, before: number, sent: StagedColumns): SqlPart {
  const { columns, fingerprints, rows } = sent;
  const arrays = stagedColumns.map(
    ({ name, type }) => sql`, unnest(${columns[name]}::${sql.unsafe(type)}[]) as ${sql.unsafe(name)}`,
  );
  return sql`
    select me.id as taxpayer_id, ${importId}::uuid as import_id, ${before}::integer + r.number as number, r.line,
      coalesce(r.lines, 1) as lines, r.id, 1 as occurrence, coalesce(r.repeated, false) as repeated, r.earlier,
      substring((select decode(${fingerprints}, 'hex')) from 32 * r.number - 31 for 32) as fingerprint,
      ${sql.unsafe(staging)}
    from taxpayers me, (select generate_series(1, ${rows}::integer) as number ${arrays}) r
    where me.id = ${taxpayerId}`;
}

/**
 * Stages rows after the first `before` rows of the import. Groups the rows of a batch by book. They keep this order in
 * `transactions`, where a history is read book by book. Sorting the whole file would take as long as storing it.
 */
export async function insertStaged(sql: Sql, scope: StageScope, before: number, staged: StagedColumns): Promise<void> {
  await sql`
    insert into staged (
      taxpayer_id, import_id, number, line, lines, id, occurrence, repeated, earlier, fingerprint, ${rowColumns(sql)}
    )
    ${selectSent(sql, scope, before, staged)}
    order by (hashtextextended(r.asset_key, 0) & -4294967296) | r.number`;
}

/** SQL for the values after the fingerprint. */
const staging = [
  ...sqlColumns.map(({ name, isNotNull }) => (isNotNull ? `coalesce(r.${name}, '') as ${name}` : `r.${name}`)),
  ...Object.keys(derivedColumns).map((name) => `r.${name}`),
].join(', ');

export async function hasStaged(sql: Sql, { taxpayerId, importId }: StageScope): Promise<boolean> {
  const rows = await sql`select 1 from staged where taxpayer_id = ${taxpayerId} and import_id = ${importId} limit 1`;
  return rows.length > 0;
}

export async function deleteStaged(sql: Sql, scope: StageScope): Promise<void> {
  await sql`delete from staged where taxpayer_id = ${scope.taxpayerId} and import_id = ${scope.importId}`;
}

/**
 * Stores rows that are in no file under their ids. Their edition is the fingerprint of their content, because no file
 * contains it.
 */
export async function insertEntered(sql: Sql, taxpayerId: string, from: RowsToStore, at: Date): Promise<void> {
  await sql`
    insert into transactions (taxpayer_id, id, occurrence, line, created_at, edition, ${rowColumns(sql)})
    select s.taxpayer_id, s.id, null, s.line, ${at}, encode(s.fingerprint, 'hex'), ${rowColumns(sql)}
    from ${from} s where s.taxpayer_id = ${taxpayerId} ${numbered(sql)}`;
}

/** Gives stored rows the content of the rows with their ids. Their edition then differs from the content in the file. */
export async function updateEditions(sql: Sql, taxpayerId: string, from: RowsToStore): Promise<void> {
  await sql`
    update transactions t set edition = encode(s.fingerprint, 'hex'), line = s.line, ${setRowColumns(sql, 's')}
    from ${from} s where t.taxpayer_id = ${taxpayerId} and s.taxpayer_id = t.taxpayer_id and t.id = s.id`;
}

/**
 * The last line of a file whose newest rows come first. Positions are counted from it. Null for other files.
 * (`computeSourcePosition` in formats/read.ts, for SQL.)
 */
export type LastLine = number | null;

export const positionColumn = (sql: Sql, lastLine: LastLine) =>
  sql`coalesce(${lastLine}::integer - s.line + 1, s.line)`;

/**
 * Makes the planner join many rows as a whole, in memory, instead of one by one. The planner has no statistics for rows
 * that were just staged, and would assume that there are few. Applies until `planForFew`.
 */
export async function planForBulk(sql: Sql): Promise<void> {
  await sql.unsafe(
    "set local work_mem = '64MB'; set local enable_nestloop = off; set local plan_cache_mode = force_custom_plan;",
  );
}

export async function planForFew(sql: Sql): Promise<void> {
  await sql.unsafe('set local enable_nestloop = on; set local plan_cache_mode = auto;');
}

export async function hasTransactions(sql: Sql, taxpayerId: string): Promise<boolean> {
  const rows = await sql`select from transactions where taxpayer_id = ${taxpayerId} limit 1`;
  return rows.length > 0;
}

/** Assigns ids to equal rows of a file, in the order of their positions (`RowIds`, in SQL). */
export async function numberRepeated(sql: Sql, scope: StageScope, lastLine: LastLine): Promise<void> {
  const { taxpayerId, importId } = scope;
  const { inner, outer } = computeKeyBlocks(await selectIdKey(sql, taxpayerId));
  await sql`
    with equal as (
      select number, row_number() over (partition by fingerprint order by ${positionColumn(sql, lastLine)}, number) as occurrence
      from staged s
      where taxpayer_id = ${taxpayerId} and import_id = ${importId} and fingerprint in (
        select fingerprint from staged where taxpayer_id = ${taxpayerId} and import_id = ${importId} and repeated
      )
    )
    update staged s set occurrence = e.occurrence,
      id = encode(substring(sha256(${outer}::bytea || sha256(${inner}::bytea
        || (encode(s.fingerprint, 'hex') || '#' || e.occurrence::text)::bytea)) for 16), 'hex')::uuid
    from equal e
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.number = e.number and e.occurrence > 1`;
}

/** The rows of a book that are staged. */
export interface StagedKey {
  readonly asset_key: string;
  /** The first day. `last` is the last day. */
  readonly day: string;
  readonly last: string;
  readonly rows: number;
  /** Whether the rows affect no other book and need no prices. */
  readonly alone: boolean;
}

/** An account of staged rows, with a Form 1099 box of its sales. */
interface StagedAccount {
  readonly asset_key: null;
  readonly account: string;
  readonly box: Box | null;
}

/** Selects the books and the accounts of all staged rows. Groups the rows both ways in one scan. */
export async function selectStagedGroups(sql: Sql, { taxpayerId, importId }: StageScope) {
  const groups = await sql<(StagedKey | StagedAccount)[]>`
    select asset_key, account, box, min(on_day) as day, max(on_day) as last, count(*)::integer as rows, bool_and(alone) as alone
    from (
      select asset_key, account, on_day, case when type = 'reported_sale' then box end as box,
        second_key is null and links is null and currency = 'USD' and amount is not null and fee_asset = ''
          and type not in ('inherit', 'worthless', 'reported_sale', 'reported_total') as alone
      from staged where taxpayer_id = ${taxpayerId} and import_id = ${importId}
    ) s
    group by grouping sets ((asset_key), (account, box))`;
  return {
    keys: groups.filter((group) => group.asset_key !== null),
    accounts: groups.filter((group) => group.asset_key === null).map(({ account, box }) => ({ account, box })),
  };
}

/** Selects the other books that staged rows affect. */
export async function selectStagedSecondKeys(sql: Sql, { taxpayerId, importId }: StageScope) {
  return sql<TouchedRow[]>`
    select k.asset_key, min(s.on_day) as day
    from staged s, lateral (values (s.second_key), (s.third_key), (s.fourth_key)) as k (asset_key)
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.second_key is not null
      and k.asset_key is not null
    group by k.asset_key`;
}

/**
 * Stores staged rows that are not stored yet as transactions, in the order of staging: the rows of some books, or of
 * all but some. This order keeps the rows of a book together, so that reading a history needs few pages. Sorting all
 * rows here would take an additional quarter of the time. Returns the number of rows.
 */
export async function storeFresh(
  sql: Sql,
  scope: StageScope,
  which: { readonly of: readonly string[] } | { readonly but: readonly string[] },
  lastLine: LastLine,
  at: Date,
  from = stagedRows(sql),
): Promise<number> {
  const { taxpayerId, importId } = scope;
  const condition =
    'of' in which
      ? sql`asset_key = any(${which.of as string[]}::text[])`
      : sql`asset_key <> all(${which.but as string[]}::text[])`;
  const inserted = await sql`
    insert into transactions
      (taxpayer_id, id, occurrence, import_id, source_line, line, created_at, fingerprint, ${rowColumns(sql)})
    select taxpayer_id, id, occurrence, import_id, line, ${positionColumn(sql, lastLine)}, ${at}, fingerprint, ${rowColumns(sql)}
    from ${from} s where taxpayer_id = ${taxpayerId} and import_id = ${importId} and ${condition}`;
  return inserted.count;
}
