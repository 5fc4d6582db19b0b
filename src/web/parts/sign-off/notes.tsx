import { to } from '../../api/page-url.ts';
import {
  deleteNote,
  type NoteLocation,
  type ReviewNoteDetails,
  resolveNote,
  useNotes,
  useReview,
  writeNote,
} from '../../api/review.ts';
import { moment, withDays } from '../../format/dates.ts';
import type { FieldProps } from '../field.tsx';
import { Form } from '../form.tsx';
import { say, sayProblem } from '../toasts.tsx';

interface NotesProps {
  readonly year: number;
  /** The Form 8949 entry. If it is not set, the notes are about the year and its entries. */
  readonly disposal?: string;
}

/** Notes between people who work on the books. Renders nothing if only the owner has access and there are no notes. */
export function Notes({ year, disposal }: NotesProps) {
  const location: NoteLocation = disposal === undefined ? { year } : { disposal };
  const review = useReview(year).data;
  const notes = useNotes(location).data?.data ?? [];
  if (review === undefined || !(review.shared || notes.length > 0)) return null;
  const mayWrite = review.role !== 'viewer';
  return (
    <section class={disposal === undefined ? 'card' : ''} aria-label="Notes">
      {disposal === undefined ? <h2>Notes</h2> : <h3>Notes</h3>}
      {notes.length === 0 && <p class="fine">None yet. Visible to everyone on this account.</p>}
      <ul class="notes">
        {notes.map((note) => (
          <NoteItem key={note.id} note={note} mayWrite={mayWrite} isAtLine={disposal !== undefined} />
        ))}
      </ul>
      {mayWrite && <NoteForm place={location} />}
    </section>
  );
}

interface NoteItemProps {
  readonly note: ReviewNoteDetails;
  readonly mayWrite: boolean;
  readonly isAtLine: boolean;
}

function NoteItem({ note, mayWrite, isAtLine }: NoteItemProps) {
  const { id, text, by, createdAt, line, disposal, year, resolvedAt, resolvedBy, mine } = note;
  const isResolved = resolvedAt !== null;
  const settle = async () => {
    await resolveNote(id, !isResolved);
    say(isResolved ? 'Note reopened.' : 'Note resolved.', () => resolveNote(id, isResolved));
  };
  const removeNote = async () => say('Note deleted.', await deleteNote(note));
  return (
    <li class={isResolved ? 'resolved' : ''}>
      {line !== null && !isAtLine && (
        <p class="fine">
          On <a href={to('/forms/8949', { year, line: disposal })}>{withDays(line)}</a>
        </p>
      )}
      <p class="note-text">{text}</p>
      <p class="fine">
        {by}, <time dateTime={createdAt}>{moment(createdAt)}</time>
        {isResolved && `. Resolved by ${resolvedBy}`}
      </p>
      {mayWrite && (
        <p class="actions">
          <button type="button" onClick={() => settle().catch(sayProblem)}>
            {isResolved ? 'Reopen' : 'Resolve'}
          </button>
          {mine && (
            <button type="button" onClick={() => removeNote().catch(sayProblem)}>
              Delete
            </button>
          )}
        </p>
      )}
    </li>
  );
}

function NoteForm({ place }: { readonly place: NoteLocation }) {
  return (
    <Form
      class="note-form"
      fields={{
        text: { label: 'disposal' in place ? 'Note for this entry' : `Note for ${place.year}`, view: NoteText },
      }}
      look=""
      draft={`note ${JSON.stringify(place)}`}
      verb="Add note"
      isReady={({ text }) => text.trim() !== ''}
      onSubmit={async ({ text }) => say('Note added.', await writeNote(place, text))}
    />
  );
}

function NoteText({ label, value, onInput }: Pick<FieldProps, 'label' | 'value' | 'onInput'>) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea rows={2} maxLength={2000} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  );
}
