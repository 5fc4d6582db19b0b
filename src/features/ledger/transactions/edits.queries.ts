import type { Sql } from '../../../db/connection.ts';
import { rowColumns, setRowColumns, type TouchedRow, type TransactionRow, transactionColumns } from './rows.queries.ts';

export const editActions = ['change', 'delete', 'revert'] as const;
type EditAction = (typeof editActions)[number];

interface NewEdit {
  readonly action: EditAction;
  readonly ids: readonly string[];
  readonly at: Date;
}

/** Saves the current state of these rows before an edit. Returns the id of the edit. */
export async function insertEdit(sql: Sql, taxpayerId: string, { action, ids, at }: NewEdit): Promise<string> {
  const id = crypto.randomUUID();
  await sql`insert into edits (taxpayer_id, id, action, created_at) values (${taxpayerId}, ${id}, ${action}, ${at})`;
  await sql`
    insert into edited_rows (taxpayer_id, edit_id, transaction_id, before, sources)
    select t.taxpayer_id, ${id}, t.id, to_jsonb(t) - 'moment' - 'digest', coalesce((
      select jsonb_agg(to_jsonb(s)) from transaction_sources s
      where s.taxpayer_id = ${taxpayerId} and s.transaction_id = t.id
    ), '[]')
    from transactions t where t.taxpayer_id = ${taxpayerId} and t.id = any(${ids as string[]}::uuid[])`;
  return id;
}

export interface EditRow {
  readonly id: string;
  readonly sequence: string;
  readonly action: EditAction;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
  readonly rows: number;
}

const editColumns = (sql: Sql, taxpayerId: string) => sql`
  select e.id, e.sequence, e.action, e.created_at as "createdAt", e.undone_at as "undoneAt",
    (select count(*) from edited_rows r where r.taxpayer_id = ${taxpayerId} and r.edit_id = e.id)::integer as rows
  from edits e where e.taxpayer_id = ${taxpayerId}`;

/** Selects edits, newest first, optionally before a sequence number. */
export async function selectEdits(sql: Sql, taxpayerId: string, before: string | null, limit: number) {
  return sql<EditRow[]>`
    ${editColumns(sql, taxpayerId)} and (${before}::bigint is null or e.sequence < ${before}::bigint)
    order by e.sequence desc limit ${limit + 1}`;
}

export async function selectEdit(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<EditRow[]>`${editColumns(sql, taxpayerId)} and e.id = ${id}`;
  return row;
}

/** The numbers of rows that determine whether an edit can be undone. */
export interface UndoFaults {
  readonly ids: string[];
  /** Rows that a later edit changed, unless that edit was undone. */
  readonly editedLater: number;
  /** Rows that are currently stored. */
  readonly stored: number;
  /** Rows whose import was undone. */
  readonly unsourced: number;
}

export async function selectUndoFaults(
  sql: Sql,
  taxpayerId: string,
  { id, sequence }: Pick<EditRow, 'id' | 'sequence'>,
): Promise<UndoFaults> {
  const [row] = await sql<UndoFaults[]>`
    select array_agg(r.transaction_id) as ids,
      (count(*) filter (where exists (
        select from edited_rows o join edits e on e.taxpayer_id = o.taxpayer_id and e.id = o.edit_id
        where o.taxpayer_id = ${taxpayerId} and o.transaction_id = r.transaction_id and e.sequence > ${sequence}::bigint
          and e.undone_at is null
      )))::integer as "editedLater",
      (count(*) filter (where exists (
        select from transactions t where t.taxpayer_id = ${taxpayerId} and t.id = r.transaction_id
      )))::integer as stored,
      (count(*) filter (where r.before ->> 'import_id' is not null and not exists (
        select from imports i where i.taxpayer_id = ${taxpayerId} and i.id = (r.before ->> 'import_id')::uuid
      )))::integer as unsourced
    from edited_rows r where r.taxpayer_id = ${taxpayerId} and r.edit_id = ${id}`;
  if (row === undefined) throw new Error('The count returned no row.');
  return row;
}

/** Selects the books that these rows affect, and the first affected day of each book. */
export async function selectTouched(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  return sql<TouchedRow[]>`
    select k.asset_key, min(t.on_day) as day
    from transactions t, lateral (values (asset_key), (second_key), (third_key), (fourth_key)) as k (asset_key)
    where t.taxpayer_id = ${taxpayerId} and t.id = any(${ids as string[]}::uuid[]) and k.asset_key is not null
    group by k.asset_key`;
}

/** Restores the content of changed rows from before the edit. Does not change their position or imports. */
export async function restoreChanged(sql: Sql, taxpayerId: string, editId: string, only?: string): Promise<void> {
  await sql`
    update transactions t set edition = p.edition, ${setRowColumns(sql, 'p')}
    from edited_rows r, lateral jsonb_populate_record(null::transactions, r.before) p
    where r.taxpayer_id = ${taxpayerId} and r.edit_id = ${editId} and t.taxpayer_id = r.taxpayer_id
      and t.id = r.transaction_id ${only === undefined ? sql`` : sql`and t.id = ${only}`}`;
}

/** Restores the rows that an edit deleted, with their sources whose import still exists. */
export async function restoreDeleted(sql: Sql, taxpayerId: string, editId: string): Promise<void> {
  const columns = sql`
    id, fingerprint, occurrence, import_id, source_line, line, edition, created_at, ${rowColumns(sql)}`;
  await sql`
    insert into transactions (taxpayer_id, ${columns})
    select r.taxpayer_id, ${columns}
    from edited_rows r, lateral jsonb_populate_record(null::transactions, r.before - 'taxpayer_id') p
    where r.taxpayer_id = ${taxpayerId} and r.edit_id = ${editId}`;
  await sql`
    insert into transaction_sources
      (taxpayer_id, import_id, transaction_id, line, place, time_zone, stated_class, source_class)
    select r.taxpayer_id, p.import_id, p.transaction_id, p.line, p.place, p.time_zone, p.stated_class, p.source_class
    from edited_rows r, lateral jsonb_populate_recordset(null::transaction_sources, r.sources) p
    where r.taxpayer_id = ${taxpayerId} and r.edit_id = ${editId}
      and exists (select from imports i where i.taxpayer_id = r.taxpayer_id and i.id = p.import_id)`;
}

/**
 * Gives rows that match their files again the lowest line, time zone and class from their sources, as each import does.
 */
export async function settleRestored(sql: Sql, taxpayerId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update transactions t set line = s.place, time_zone = s.time_zone, stated_class = s.stated_class,
      source_class = s.source_class
    from (
      select transaction_id, min(place) as place, min(time_zone) as time_zone, min(stated_class) as stated_class,
        min(source_class) as source_class
      from transaction_sources where taxpayer_id = ${taxpayerId} and transaction_id = any(${ids as string[]}::uuid[])
      group by transaction_id
    ) s
    where t.taxpayer_id = ${taxpayerId} and t.id = s.transaction_id and t.edition is null`;
}

export async function updateUndone(sql: Sql, taxpayerId: string, id: string, at: Date): Promise<void> {
  await sql`update edits set undone_at = ${at} where taxpayer_id = ${taxpayerId} and id = ${id}`;
}

/** Selects the edit that last made the row differ from its file. Undefined if there is none. */
export async function selectEditOfOriginal(sql: Sql, taxpayerId: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select e.id from edited_rows r join edits e on e.taxpayer_id = r.taxpayer_id and e.id = r.edit_id
    where r.taxpayer_id = ${taxpayerId} and r.transaction_id = ${id} and r.before ->> 'edition' is null
      and r.before ->> 'import_id' is not null
    order by e.sequence desc limit 1`;
  return row?.id;
}

/** Selects the latest edit of a row that was not undone. Undefined if there is none. */
export async function selectLastEdit(sql: Sql, taxpayerId: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select e.id from edited_rows r join edits e on e.taxpayer_id = r.taxpayer_id and e.id = r.edit_id
    where r.taxpayer_id = ${taxpayerId} and r.transaction_id = ${id} and e.undone_at is null
    order by e.sequence desc limit 1`;
  return row?.id;
}

interface HistoryRow extends TransactionRow {
  readonly edit_id: string;
  readonly action: EditAction;
  readonly created_at: Date;
  readonly undone_at: Date | null;
}

/** Selects the row's state before each edit, oldest first. */
export async function selectHistory(sql: Sql, taxpayerId: string, id: string) {
  return sql<HistoryRow[]>`
    select ${transactionColumns(sql)}, t.stated_names, e.id as edit_id, e.action, e.created_at, e.undone_at
    from edited_rows r
    join edits e on e.taxpayer_id = r.taxpayer_id and e.id = r.edit_id,
      lateral jsonb_populate_record(null::transactions, r.before) t
    where r.taxpayer_id = ${taxpayerId} and r.transaction_id = ${id}
    order by e.sequence`;
}
