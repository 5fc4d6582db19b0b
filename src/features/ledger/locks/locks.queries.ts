import { numbered } from '../../../db/citus.ts';
import type { Sql } from '../../../db/connection.ts';

export interface YearLockRow {
  readonly sequence: string;
  readonly id: string;
  readonly year: number;
  readonly action: 'lock' | 'unlock';
  readonly user_name: string;
  readonly at: Date;
  readonly lines: number;
  readonly digest: string;
  readonly revision: string;
}

const entries = (sql: Sql) => sql`
  select sequence, id, year, action, user_name, at, lines, digest, revision from year_locks`;

/** Selects the years that are locked now, ascending. */
export async function selectLocks(sql: Sql, taxpayerId: string) {
  return sql<YearLockRow[]>`
    select * from (
      select distinct on (year) * from (${entries(sql)} where taxpayer_id = ${taxpayerId}) of_taxpayer
      order by year, sequence desc
    ) latest
    where action = 'lock' order by year`;
}

/** Selects the last entry of a year's audit trail, optionally only of one action. */
export async function selectLastEntry(
  sql: Sql,
  taxpayerId: string,
  year: number,
  action: YearLockRow['action'] | null = null,
) {
  const [row] = await sql<YearLockRow[]>`
    ${entries(sql)}
    where taxpayer_id = ${taxpayerId} and year = ${year} and (${action}::text is null or action = ${action})
    order by sequence desc limit 1`;
  return row;
}

export async function selectEntry(sql: Sql, taxpayerId: string, year: number, id: string) {
  const [row] = await sql<YearLockRow[]>`
    ${entries(sql)} where taxpayer_id = ${taxpayerId} and year = ${year} and id = ${id}`;
  return row;
}

/** Selects a page of a year's audit trail, newest first. */
export async function selectEntries(sql: Sql, taxpayerId: string, year: number, before: string | null, limit: number) {
  return sql<YearLockRow[]>`
    ${entries(sql)}
    where taxpayer_id = ${taxpayerId} and year = ${year} and (${before}::bigint is null or sequence < ${before}::bigint)
    order by sequence desc limit ${limit + 1}`;
}

export async function insertEntry(
  sql: Sql,
  taxpayerId: string,
  entry: Omit<YearLockRow, 'sequence' | 'id'> & { readonly userId: string },
): Promise<void> {
  await sql`
    insert into year_locks (taxpayer_id, id, year, action, user_id, user_name, at, lines, digest, revision)
    values (${taxpayerId}, gen_random_uuid(), ${entry.year}, ${entry.action}, ${entry.userId}, ${entry.user_name},
      ${entry.at}, ${entry.lines}, ${entry.digest}, ${entry.revision}::bigint)`;
}

export async function insertLockedLines(
  sql: Sql,
  taxpayerId: string,
  digest: string,
  parts: readonly Uint8Array[],
): Promise<void> {
  for (const [part, content] of parts.entries()) {
    await sql`
      insert into locked_lines (taxpayer_id, digest, part, content) values (${taxpayerId}, ${digest}, ${part}, ${content})
      on conflict (taxpayer_id, digest, part) do nothing`;
  }
}

export async function selectLockedLines(sql: Sql, taxpayerId: string, digest: string): Promise<Uint8Array[]> {
  const rows = await sql<{ content: Uint8Array }[]>`
    select content from locked_lines where taxpayer_id = ${taxpayerId} and digest = ${digest} order by part`;
  return rows.map((row) => row.content);
}

/** Deletes all copies except those of the newest locks. The entries and their hashes are kept. */
export async function deleteOldLines(sql: Sql, taxpayerId: string, kept: number): Promise<void> {
  await sql`
    delete from locked_lines where taxpayer_id = ${taxpayerId} and digest not in (
      select digest from year_locks where taxpayer_id = ${taxpayerId} order by sequence desc limit ${kept}
    )`;
}

export const reviewStates = ['open', 'prepared', 'reviewed', 'signed_off'] as const;
export type ReviewState = (typeof reviewStates)[number];

export interface ReviewStep {
  readonly year: number;
  readonly state: ReviewState;
  readonly user_name: string;
  readonly at: Date;
  /** Whether the year's numbers have changed since this review step. */
  readonly changed: boolean;
}

/** Returns the hash of the year's current content, or '' if the year has no activity. */
const digestOfYear = (sql: Sql, taxpayerId: string, year: number) => sql`
  coalesce((
    select encode(sha256(convert_to(y.summary || E'\\n' || y.carryover, 'UTF8')), 'hex')
    from year_summaries y where y.taxpayer_id = ${taxpayerId} and y.year = ${year}), '')`;

/** Selects the last review steps of a year, newest first. A year without steps is open. */
export function selectSteps(sql: Sql, taxpayerId: string, year: number, limit: number) {
  return sql<ReviewStep[]>`
    select year, state, user_name, at, digest <> ${digestOfYear(sql, taxpayerId, year)} as changed
    from review_steps where taxpayer_id = ${taxpayerId} and year = ${year}
    order by sequence desc limit ${limit}`;
}

/** Selects the last review step of each year that has steps. */
export function selectReviews(sql: Sql, taxpayerId: string) {
  return sql<ReviewStep[]>`
    select distinct on (r.year) r.year, r.state, r.user_name, r.at,
      r.digest <> coalesce(encode(sha256(convert_to(y.summary || E'\\n' || y.carryover, 'UTF8')), 'hex'), '') as changed
    from review_steps r
    left join year_summaries y on y.taxpayer_id = r.taxpayer_id and y.year = r.year
    where r.taxpayer_id = ${taxpayerId}
    order by r.year, r.sequence desc`;
}

/**
 * Returns whether users other than the owner have access to the books. Returns true for a client who has no account.
 */
export async function selectIsShared(sql: Sql, taxpayerId: string): Promise<boolean> {
  const rows = await sql`select 1 from memberships where taxpayer_id = ${taxpayerId} and role <> 'owner' limit 1`;
  return rows.length > 0;
}

export async function insertStep(
  sql: Sql,
  taxpayerId: string,
  step: Omit<ReviewStep, 'changed'> & { readonly userId: string },
): Promise<void> {
  const { year, state, userId, user_name, at } = step;
  const [reviewed] = await sql<{ digest: string }[]>`select ${digestOfYear(sql, taxpayerId, year)} as digest`;
  await sql`
    insert into review_steps (taxpayer_id, year, state, user_id, user_name, at, digest)
    select me.id, ${year}::integer, ${state}, ${userId}::uuid, ${user_name}, ${at}::timestamptz, ${reviewed?.digest ?? ''}
    from taxpayers me where me.id = ${taxpayerId}
    ${numbered(sql)}`;
}

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
