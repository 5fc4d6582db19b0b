import type { Sql } from '../../../db/connection.ts';

export interface NoteRow {
  readonly sequence: string;
  readonly id: string;
  readonly year: number;
  readonly disposal_id: string | null;
  readonly line: string | null;
  readonly text: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly created_at: Date;
  readonly resolved_at: Date | null;
  readonly resolved_by: string | null;
}

const notes = (sql: Sql) => sql`
  select sequence, id, year, disposal_id, line, text, user_id, user_name, created_at, resolved_at, resolved_by
  from review_notes`;

/** Selects notes, newest first. Optionally filters by year, by line or by unresolved notes. */
export function selectNotes(
  sql: Sql,
  taxpayerId: string,
  listRequest: {
    readonly year: number | null;
    readonly disposalId: string | null;
    readonly openOnly: boolean;
    readonly before: string | null;
    readonly limit: number;
  },
) {
  const { year, disposalId, openOnly, before, limit } = listRequest;
  return sql<NoteRow[]>`
    ${notes(sql)}
    where taxpayer_id = ${taxpayerId} and (${before}::bigint is null or sequence < ${before}::bigint)
      and (${year}::integer is null or year = ${year}::integer)
      and (${disposalId}::text is null or disposal_id = ${disposalId}::text)
      ${openOnly ? sql`and resolved_at is null` : sql``}
    order by sequence desc limit ${limit + 1}`;
}

export async function selectNote(sql: Sql, taxpayerId: string, id: string) {
  const [row] = await sql<NoteRow[]>`${notes(sql)} where taxpayer_id = ${taxpayerId} and id = ${id}`;
  return row;
}

export async function countOpenNotes(sql: Sql, taxpayerId: string, year: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from review_notes
    where taxpayer_id = ${taxpayerId} and year = ${year} and resolved_at is null`;
  return row?.count ?? 0;
}

/** Counts the unresolved notes of each year. */
export function selectOpenNotes(sql: Sql, taxpayerId: string) {
  return sql<{ year: number; count: number }[]>`
    select year, count(*)::integer as count from review_notes
    where taxpayer_id = ${taxpayerId} and resolved_at is null group by year`;
}

/** Stores a note. Returns false if the taxpayer already has the maximum number of notes. */
export async function insertNote(
  sql: Sql,
  taxpayerId: string,
  note: Omit<NoteRow, 'sequence' | 'resolved_at' | 'resolved_by'>,
  notesMax: number,
): Promise<boolean> {
  const rows = await sql`
    insert into review_notes (taxpayer_id, id, year, disposal_id, line, text, user_id, user_name, created_at)
    select me.id, ${note.id}::uuid, ${note.year}::integer, ${note.disposal_id}, ${note.line}, ${note.text},
      ${note.user_id}::uuid, ${note.user_name}, ${note.created_at}::timestamptz
    from taxpayers me
    where me.id = ${taxpayerId} and (select count(*) from review_notes where taxpayer_id = ${taxpayerId}) < ${notesMax}
    returning 1`;
  return rows.length === 1;
}

/** Resolves a note. If `at` is null, reopens it. */
export async function resolveNote(
  sql: Sql,
  taxpayerId: string,
  id: string,
  resolved: { readonly at: Date; readonly by: string } | null,
): Promise<void> {
  await sql`
    update review_notes set resolved_at = ${resolved?.at ?? null}, resolved_by = ${resolved?.by ?? null}
    where taxpayer_id = ${taxpayerId} and id = ${id}`;
}

export async function deleteNote(sql: Sql, taxpayerId: string, id: string): Promise<void> {
  await sql`delete from review_notes where taxpayer_id = ${taxpayerId} and id = ${id}`;
}
