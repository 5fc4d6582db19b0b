import type { Sql } from '../../../db/connection.ts';
import { type StageScope, statementColumns, type TouchedRow } from '../queries.ts';

/**
 * The imports a row comes from: it leaves with the last of them. A row with one source names it itself; as soon as it
 * has another one, both stand in `transaction_sources`, each with what it states of the row.
 */
export const rowSources = (sql: Sql) => sql`(
  select taxpayer_id, import_id, transaction_id, line from transaction_sources
  union all
  select taxpayer_id, import_id, id, source_line from transactions t
  where import_id is not null
    and not exists (select from transaction_sources s where s.taxpayer_id = t.taxpayer_id and s.transaction_id = t.id)
)`;

type Part = ReturnType<Sql>;

/** Whether this import is a source of that row: asked for one row at a time, it looks at no other. */
export const isSource = (sql: Sql, taxpayerId: Part, importId: Part, transactionId: Part) => sql`(
  exists (
    select from transaction_sources s
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.transaction_id = ${transactionId}
  ) or exists (
    select from transactions t
    where t.taxpayer_id = ${taxpayerId} and t.id = ${transactionId} and t.import_id = ${importId} and not exists (
      select from transaction_sources s where s.taxpayer_id = ${taxpayerId} and s.transaction_id = ${transactionId}
    )
  )
)`;

/** What a file that runs newest first is counted from, its end; null for any other (formats/read.placeOf in SQL). */
export type LastLine = number | null;

const placeOf = (sql: Sql, lastLine: LastLine) => sql`coalesce(${lastLine}::integer - s.line + 1, s.line)`;

/**
 * The planner knows nothing of rows that were staged a moment ago and takes them for few: many are to be joined as a
 * whole and not one by one, in memory. Until `expectFew`.
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

/** Gives equal rows of one file their ids in the order of their places (prepare.idOf in SQL). */
export async function numberRepeated(sql: Sql, scope: StageScope, lastLine: LastLine): Promise<void> {
  const { taxpayerId, importId } = scope;
  await sql`
    with equal as (
      select number, row_number() over (partition by fingerprint order by ${placeOf(sql, lastLine)}, number) as occurrence
      from staged s
      where taxpayer_id = ${taxpayerId} and import_id = ${importId} and fingerprint in (
        select fingerprint from staged where taxpayer_id = ${taxpayerId} and import_id = ${importId} and repeated
      )
    )
    update staged s set occurrence = e.occurrence,
      id = encode(substring(sha256(convert_to(encode(s.fingerprint, 'hex') || '#' || e.occurrence, 'UTF8')) for 16), 'hex')::uuid
    from equal e
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.number = e.number and e.occurrence > 1`;
}

/**
 * Takes the rows that are stored already out of those staged, and makes this import a source of them. `unsettled`:
 * how many of them it states so that their line, zone or class may change. `lines`: of how many lines of its file they are.
 */
export async function linkKnown(sql: Sql, scope: StageScope, lastLine: LastLine): Promise<Known> {
  const { taxpayerId, importId } = scope;
  // A row that came first from another kind of file (matched/) keeps its place there: the lines of the two do not compare.
  const place = sql`case when t.fingerprint = s.fingerprint then ${placeOf(sql, lastLine)} else t.line end`;
  const [counts] = await sql<Known[]>`
    with known as (
      delete from staged s using transactions t
      where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and t.taxpayer_id = ${taxpayerId} and t.id = s.id
      returning s.id, s.line, s.lines, ${place} as place, s.time_zone, s.stated_class, s.source_class,
        t.import_id as first_id, t.source_line, t.line as first_place, t.time_zone as first_zone,
        t.stated_class as first_stated, t.source_class as first_source,
        (${place} < t.line or (t.edition is null and
          (least(t.time_zone, s.time_zone), least(t.stated_class, s.stated_class), least(t.source_class, s.source_class))
            is distinct from (t.time_zone, t.stated_class, t.source_class))) as unsettled
    ), first as (
      insert into transaction_sources
        (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
      select ${taxpayerId}, first_id, id, source_line, first_place, first_zone, first_stated, first_source
      from known k
      where first_id is not null and not exists (
        select from transaction_sources s where s.taxpayer_id = ${taxpayerId} and s.transaction_id = k.id
      )
      order by first_id, id
    ), own as (
      insert into transaction_sources
        (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
      select ${taxpayerId}, ${importId}, id, line, place, time_zone, stated_class, source_class from known order by id
    )
    select count(*)::integer as known, (count(*) filter (where unsettled))::integer as unsettled,
      coalesce(sum(lines), 0)::integer as lines
    from known`;
  if (counts === undefined) throw new Error('A count without a row.');
  return counts;
}

interface Known {
  readonly known: number;
  readonly unsettled: number;
  readonly lines: number;
}

export interface StagedKey {
  readonly asset_key: string;
  /** The first day and the last. */
  readonly day: string;
  readonly last: string;
  readonly rows: number;
  /** Rows of it move no other book, and no price is asked for any of them. */
  readonly alone: boolean;
}

/** The books whose own rows are staged. */
export async function selectStagedKeys(sql: Sql, { taxpayerId, importId }: StageScope): Promise<StagedKey[]> {
  return sql<StagedKey[]>`
    select asset_key, min(on_day) as day, max(on_day) as last, count(*)::integer as rows,
      bool_and(second_key is null and links is null and currency = 'USD' and amount is not null and fee_asset = ''
        and type <> 'inherit') as alone
    from staged where taxpayer_id = ${taxpayerId} and import_id = ${importId}
    group by asset_key`;
}

/** The books that staged rows of others move. */
export async function selectStagedSecondKeys(sql: Sql, { taxpayerId, importId }: StageScope): Promise<TouchedRow[]> {
  return sql<TouchedRow[]>`
    select k.asset_key, min(s.on_day) as day
    from staged s, lateral (values (s.second_key), (s.third_key), (s.fourth_key)) as k (asset_key)
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and s.second_key is not null
      and k.asset_key is not null
    group by k.asset_key`;
}

/**
 * Makes transactions of what is staged, none of which is stored yet: of some books, or of all but some, in the order in
 * which it was staged. There the books of a batch lie together, so that a history is read back from few pages; sorting
 * all of it here would take a quarter of the time that storing it takes. Returns how many there are.
 */
export async function storeFresh(
  sql: Sql,
  scope: StageScope,
  which: { readonly of: readonly string[] } | { readonly but: readonly string[] },
  lastLine: LastLine,
  at: Date,
): Promise<number> {
  const { taxpayerId, importId } = scope;
  const wanted =
    'of' in which
      ? sql`asset_key = any(${which.of as string[]}::text[])`
      : sql`asset_key <> all(${which.but as string[]}::text[])`;
  const inserted = await sql`
    insert into transactions
      (taxpayer_id, id, occurrence, import_id, source_line, line, created_at, ${statementColumns(sql)})
    select taxpayer_id, id, occurrence, import_id, line, ${placeOf(sql, lastLine)}, ${at}, ${statementColumns(sql)}
    from staged s where taxpayer_id = ${taxpayerId} and import_id = ${importId} and ${wanted}`;
  return inserted.count;
}

export async function deleteSources(sql: Sql, taxpayerId: string, id: string): Promise<void> {
  await sql`delete from transaction_sources where taxpayer_id = ${taxpayerId} and transaction_id = ${id}`;
}

/** Removes the import from the sources of its rows, and the rows that have no other. */
export async function unlinkImport(sql: Sql, scope: StageScope): Promise<{ removed: number; touched: TouchedRow[] }> {
  const { taxpayerId, importId } = scope;
  // Rows with other sources name one of them from now on.
  await sql`
    update transactions t set import_id = s.import_id, source_line = s.line
    from transaction_sources s
    where t.taxpayer_id = ${taxpayerId} and t.import_id = ${importId}
      and s.taxpayer_id = ${taxpayerId} and s.transaction_id = t.id and s.import_id <> ${importId}`;
  await sql`delete from transaction_sources where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  const [counts] = await sql<{ removed: number; touched: TouchedRow[] }[]>`
    with gone as (
      delete from transactions where taxpayer_id = ${taxpayerId} and import_id = ${importId}
      returning on_day, asset_key, second_key, third_key, fourth_key
    ), touched as (
      select k.asset_key, min(on_day) as day
      from gone, lateral (values (asset_key), (second_key), (third_key), (fourth_key)) as k (asset_key)
      where k.asset_key is not null group by k.asset_key
    )
    select (select count(*) from gone)::integer as removed, (select coalesce(json_agg(touched), '[]') from touched) as touched`;
  if (counts === undefined) throw new Error('A count without a row.');
  return counts;
}
