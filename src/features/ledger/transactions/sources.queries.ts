import type { Sql } from '../../../db/connection.ts';
import type { SqlPart, StageScope, TouchedRow } from './rows/rows.queries.ts';
import { type LastLine, positionColumn, stagedRows } from './staged/staged.queries.ts';

/**
 * Selects the imports that contain each row. A row is removed with the last of them. A row with one source references
 * it directly. If a row has several sources, all of them are in `transaction_sources`, each with its own values for the
 * row.
 */
export const rowSources = (sql: Sql) => sql`(
  select taxpayer_id, import_id, transaction_id, line from transaction_sources
  union all
  select taxpayer_id, import_id, id, source_line from transactions t
  where import_id is not null
    and not exists (select from transaction_sources s where s.taxpayer_id = t.taxpayer_id and s.transaction_id = t.id)
)`;

/** Matches rows that this import contains. The condition looks up one row at a time and does not read any others. */
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
 * Records this import as a source of those of its rows that are already stored. `unsettled` counts rows whose line, time
 * zone or class may change as a result. `lines` counts the file lines that they come from.
 */
export async function linkStoredRows(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  lastLine: LastLine,
  from = stagedRows(sql),
): Promise<LinkCounts> {
  // A row that first came from another kind of file (`matched.ts`) keeps its position, because line numbers in two
  // different files are not comparable.
  const position = sql`case when t.fingerprint = s.fingerprint then ${positionColumn(sql, lastLine)} else t.line end`;
  const known = sql`s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and t.taxpayer_id = s.taxpayer_id and t.id = s.id`;
  const [counts] = await sql<LinkCounts[]>`
    select count(*)::integer as known, coalesce(sum(s.lines), 0)::integer as lines, (count(*) filter (where
      ${position} < t.line or (t.edition is null and
        (least(t.time_zone, s.time_zone), least(t.stated_class, s.stated_class), least(t.source_class, s.source_class))
          is distinct from (t.time_zone, t.stated_class, t.source_class))))::integer as unsettled
    from ${from} s, transactions t where ${known}`;
  if (counts === undefined) throw new Error('The count returned no row.');
  if (counts.known === 0) return counts;
  await sql`
    insert into transaction_sources
      (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
    select t.taxpayer_id, t.import_id, t.id, t.source_line, t.line, t.time_zone, t.stated_class, t.source_class
    from ${from} s, transactions t
    where ${known} and t.import_id is not null and not exists (
      select from transaction_sources o where o.taxpayer_id = t.taxpayer_id and o.transaction_id = t.id
    )
    order by t.import_id, t.id`;
  await sql`
    insert into transaction_sources
      (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
    select s.taxpayer_id, s.import_id, s.id, s.line, ${position}, s.time_zone, s.stated_class, s.source_class
    from ${from} s, transactions t where ${known} order by s.id`;
  return counts;
}

/** Removes staged rows that are already stored. */
export async function deleteStagedDuplicates(sql: Sql, { taxpayerId, importId }: StageScope): Promise<void> {
  await sql`
    delete from staged s using transactions t
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId} and t.taxpayer_id = s.taxpayer_id and t.id = s.id`;
}

/** Selects the current accounts of the rows that this import shares with others. They may have been corrected. */
export async function selectSharedAccounts(sql: Sql, { taxpayerId, importId }: StageScope) {
  return sql<{ account: string; box: null }[]>`
    select distinct t.account, null as box
    from transaction_sources s join transactions t on t.taxpayer_id = s.taxpayer_id and t.id = s.transaction_id
    where s.taxpayer_id = ${taxpayerId} and s.import_id = ${importId}`;
}

interface LinkCounts {
  readonly known: number;
  readonly unsettled: number;
  readonly lines: number;
}

/** Deletes rows with their sources. Returns the number of rows. */
export async function deleteRows(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<number> {
  const named = ids as string[];
  await sql`
    delete from transaction_sources where taxpayer_id = ${taxpayerId} and transaction_id = any(${named}::uuid[])`;
  const deleted = await sql`delete from transactions where taxpayer_id = ${taxpayerId} and id = any(${named}::uuid[])`;
  return deleted.count;
}

/** Removes the import as a source, and deletes its rows that have no other source. */
export async function unlinkImport(sql: Sql, scope: StageScope): Promise<{ removed: number; touched: TouchedRow[] }> {
  const { taxpayerId, importId } = scope;
  // Makes rows with other sources reference one of them.
  await sql`
    update transactions t set import_id = s.import_id, source_line = s.line
    from transaction_sources s
    where t.taxpayer_id = ${taxpayerId} and t.import_id = ${importId}
      and s.taxpayer_id = ${taxpayerId} and s.transaction_id = t.id and s.import_id <> ${importId}`;
  await sql`delete from transaction_sources where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  const touched = await sql<TouchedRow[]>`
    select k.asset_key, min(t.on_day) as day
    from transactions t, lateral (values (t.asset_key), (t.second_key), (t.third_key), (t.fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and t.import_id = ${importId} and k.asset_key is not null
    group by k.asset_key`;
  const deleted = await sql`delete from transactions where taxpayer_id = ${taxpayerId} and import_id = ${importId}`;
  return { removed: deleted.count, touched };
}
