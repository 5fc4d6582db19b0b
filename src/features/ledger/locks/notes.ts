import { formatDay, yearOf } from '../../../base/day.ts';
import { formatQuantity } from '../../../base/decimal.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { toFactId } from '../../../forms/ids.ts';
import { isUuid, notFound } from '../../../http/errors.ts';
import { hasPermission } from '../../people/auth/permissions.ts';
import { selectTransactionDisposals } from '../books/facts/facts.queries.ts';
import type { BooksActor } from './lock.ts';
import { deleteNote, insertNote, type NoteRow, resolveNote, selectNote } from './notes.queries.ts';

/** The maximum number of notes per taxpayer. */
const notesMax = 5_000;

interface NewNote {
  readonly text: string;
  readonly year?: number | undefined;
  /** The id of a line of Form 8949, as in `GET /tax/disposals`. */
  readonly disposal?: string | undefined;
}

export async function addNote(sql: Sql, { caller, taxpayer, at }: BooksActor, newNote: NewNote): Promise<NoteRow> {
  const about = await loadSubject(sql, taxpayer.id, newNote);
  const id = crypto.randomUUID();
  const note = {
    ...about,
    id,
    text: newNote.text.trim(),
    user_id: caller.userId,
    user_name: caller.email,
    created_at: at,
  };
  if (!(await insertNote(sql, taxpayer.id, note, notesMax))) {
    throw new Refusal('conflict', `These books already have the maximum of ${notesMax} notes. Delete some first.`);
  }
  return requireNote(sql, taxpayer.id, id);
}

/**
 * Returns the year or line that a note is about. Copies the line's description, because the line may disappear later.
 */
async function loadSubject(
  sql: Sql,
  taxpayerId: string,
  { year, disposal }: NewNote,
): Promise<Pick<NoteRow, 'year' | 'disposal_id' | 'line'>> {
  if (disposal === undefined) {
    if (year !== undefined) return { year, disposal_id: null, line: null };
    const detail = 'Set year or line.';
    throw new Refusal('invalid', detail, { errors: [{ pointer: '/year', code: 'required', detail }] });
  }
  const factId = toFactId(disposal);
  const opener = factId.slice(0, Math.max(0, factId.indexOf('/')));
  const lines = isUuid(opener) ? await selectTransactionDisposals(sql, taxpayerId, opener) : [];
  const line = lines.find(({ id }) => id === factId);
  if (line === undefined) throw notFound();
  const day = formatDay(line.on);
  return {
    year: yearOf(line.on),
    disposal_id: disposal,
    line: `${formatQuantity(line.quantity)} ${line.asset}, ${day}`,
  };
}

/** Resolves or reopens a note. */
export async function settleNote(
  sql: Sql,
  { caller, taxpayer, at }: BooksActor,
  id: string,
  isResolved: boolean,
): Promise<NoteRow> {
  await requireNote(sql, taxpayer.id, id);
  await resolveNote(sql, taxpayer.id, id, isResolved ? { at, by: caller.email } : null);
  return requireNote(sql, taxpayer.id, id);
}

/** Deletes a note. Only its author and the owner of the books may. */
export async function removeNote(sql: Sql, { caller, taxpayer }: BooksActor, id: string): Promise<void> {
  const note = await requireNote(sql, taxpayer.id, id);
  if (note.user_id !== caller.userId && !hasPermission(taxpayer.role, 'own')) {
    throw new Refusal(
      'forbidden',
      'Only the author of a note or the owner of the books can delete it. You can resolve it instead.',
    );
  }
  await deleteNote(sql, taxpayer.id, id);
}

async function requireNote(sql: Sql, taxpayerId: string, id: string): Promise<NoteRow> {
  const note = await selectNote(sql, taxpayerId, id);
  if (note === undefined) throw notFound();
  return note;
}
