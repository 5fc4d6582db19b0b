import { Elysia, t } from 'elysia';
import { formatDay, yearOf } from '../../../base/day.ts';
import { formatQuantity } from '../../../base/decimal.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { toFactId } from '../../../forms/lines.ts';
import { isUuid, notFound, parseUuid } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { group, read, write } from '../../../http/operations.ts';
import {
  closed,
  id,
  instant,
  listOf,
  listQuery,
  notBlank,
  nullable,
  problems,
  year,
  yearParameter,
} from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { hasPermission } from '../../people/auth/permissions.ts';
import { notifyOthers } from '../../people/clients/notices.ts';
import { selectTransactionDisposals } from '../books/facts.queries.ts';
import type { BooksActor } from './lock.ts';
import { deleteNote, insertNote, type NoteRow, resolveNote, selectNote, selectNotes } from './locks.queries.ts';

const textLengthMax = 2_000;

const ReviewNote = closed(
  {
    id,
    year,
    disposal: nullable(
      t.String({ description: 'The line of Form 8949 that the note is about; null for the whole year.' }),
    ),
    line: nullable(t.String({ description: "The line's description at the time of the note." })),
    text: t.String(),
    by: t.String({ description: "The author's email address." }),
    mine: t.Boolean(),
    createdAt: instant,
    resolvedAt: nullable(instant),
    resolvedBy: nullable(t.String()),
  },
  { title: 'ReviewNote' },
);

const { onBooks } = group('Tax');

/** Lists, creates, resolves and deletes review notes about a year or a line. */
export const noteRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/notes' })
    .use(access)
    .get(
      '',
      async ({ books, query, caller, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const listRequest = {
          ...{ year: query.year ?? null, disposalId: query.disposal ?? null, openOnly: query.open === true },
          ...{ before: readSequence(query.cursor), limit },
        };
        const rows = await books.read((sql) => selectNotes(sql, taxpayer.id, listRequest));
        return page(
          rows,
          limit,
          (row) => [row.sequence],
          (row) => noteView(row, caller.userId),
        );
      },
      onBooks('listNotes', read, {
        summary: 'List review notes, newest first',
        query: {
          ...listQuery,
          year: t.Optional(yearParameter),
          disposal: t.Optional(t.String({ description: 'Only notes about this line.' })),
          open: t.Optional(t.Boolean({ description: 'Only unresolved notes.' })),
        },
        response: { 200: listOf(ReviewNote) },
      }),
    )
    .post(
      '',
      async (context) => {
        const { books, body, caller, taxpayer } = context;
        const actor = { caller, taxpayer, at: deps.clock.now() };
        return idempotent(deps, context, async (saveResponse) => {
          const noteResponse = await books.change(async (sql) => {
            const note = await addNote(sql, actor, body);
            return saveResponse(sql, { status: 201 as const, body: noteView(note, caller.userId) });
          });
          await notifyNote(deps, actor, noteResponse.body, 'was added');
          return noteResponse;
        });
      },
      onBooks('createNote', write('note_created'), {
        summary: 'Create a note about a year or a line',
        body: closed(
          {
            text: t.String({ minLength: 1, maxLength: textLengthMax, ...notBlank }),
            year: t.Optional(year),
            disposal: t.Optional(t.String({ description: 'The id of a line. The note applies to the line’s year.' })),
          },
          { title: 'NewNote', examples: [{ year: 2024, text: 'Still waiting for the 1099-B from Fidelity.' }] },
        ),
        response: { 201: ReviewNote, ...problems('conflict') },
      }),
    )
    .patch(
      '/:id',
      async ({ books, params, body, caller, taxpayer }) => {
        const actor = { caller, taxpayer, at: deps.clock.now() };
        const noteId = parseUuid(params.id);
        const note = await books.change((sql) => settleNote(sql, actor, noteId, body.resolved));
        const shown = noteView(note, caller.userId);
        await notifyNote(deps, actor, shown, body.resolved ? 'was resolved' : 'was reopened');
        return shown;
      },
      onBooks('updateNote', write('note_changed'), {
        summary: 'Resolve or reopen a note',
        body: closed({ resolved: t.Boolean() }, { title: 'NoteUpdate', examples: [{ resolved: true }] }),
        response: { 200: ReviewNote },
      }),
    )
    .delete(
      '/:id',
      async ({ books, params, caller, taxpayer }) => {
        const actor = { caller, taxpayer, at: deps.clock.now() };
        const noteId = parseUuid(params.id);
        await books.change((sql) => removeNote(sql, actor, noteId));
      },
      onBooks('deleteNote', write('note_deleted'), {
        summary: 'Delete a note',
        description: 'Only the author and the owner of the books can delete a note.',
        response: { 204: t.Void() },
      }),
    );

type NoteShown = ReturnType<typeof noteView>;

function notifyNote(
  deps: Deps,
  { caller, taxpayer, at }: Parameters<typeof addNote>[1],
  note: NoteShown,
  change: 'was added' | 'was resolved' | 'was reopened',
): Promise<void> {
  const noteSubject = note.line === null ? String(note.year) : `a line of ${note.year}`;
  return notifyOthers(deps, taxpayer.id, caller.userId, {
    kind: 'note_changed',
    title: `A note about ${noteSubject} ${change}`,
    body: `${caller.email}${note.line === null ? '' : `, at ${note.line}`}: ${shorten(note.text)}`,
    link: `/v1/tax/notes?year=${note.year}`,
    at,
  });
}

function shorten(text: string): string {
  const [...letters] = text;
  return letters.length <= 200 ? text : `${letters.slice(0, 199).join('')}…`;
}

function noteView(note: NoteRow, userId: string) {
  return {
    id: note.id,
    year: note.year,
    disposal: note.disposal_id,
    line: note.line,
    text: note.text,
    by: note.user_name,
    mine: note.user_id === userId,
    createdAt: note.created_at.toISOString(),
    resolvedAt: note.resolved_at?.toISOString() ?? null,
    resolvedBy: note.resolved_by,
  };
}

/** The maximum number of notes per taxpayer. */
const notesMax = 5_000;

interface NewNote {
  readonly text: string;
  readonly year?: number | undefined;
  /** The id of a line of Form 8949, as in `GET /tax/disposals`. */
  readonly disposal?: string | undefined;
}

async function addNote(sql: Sql, { caller, taxpayer, at }: BooksActor, newNote: NewNote): Promise<NoteRow> {
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
async function settleNote(
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
async function removeNote(sql: Sql, { caller, taxpayer }: BooksActor, id: string): Promise<void> {
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
