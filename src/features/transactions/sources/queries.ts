import type { Sql } from '../../../db/connection.ts';
import type { SqlPart, StageScope, TouchedRow } from '../rows/queries.ts';
import { type LastLine, placeOf } from '../staged/queries.ts';

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

/** Whether this import is a source of that row: asked for one row at a time, it looks at no other. */
export const isSource = (sql: Sql, taxpayerId: SqlPart, importId: SqlPart, transactionId: SqlPart) => sql`(
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

/** The accounts of the rows that this import has in common with others, as they stand now: a row may have been corrected. */
export async function selectKnownAccounts(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
): Promise<{ account: string; box: null }[]> {
  return sql<{ account: string; box: null }[]>`
    select distinct t.account, null as box
    from transaction_sources s join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}`;
}

interface Known {
  readonly known: number;
  readonly unsettled: number;
  readonly lines: number;
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
