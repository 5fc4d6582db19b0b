import { api, type DataOf, type ItemOf, useApi, write } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { say, sayProblem } from '../../api/toasts.ts';
import { formatCount } from '../../format/amounts.ts';
import { moment, withDays } from '../../format/dates.ts';
import { reviewWords } from '../../format/roles.ts';
import { ActionButton, Button, Icon, useAction } from '../button.tsx';
import { Form } from '../form.tsx';

/** The review status of a year and the next step. Renders nothing if only the owner has access. */
export function SignOffBar({ year }: { readonly year: number }) {
  const { data } = useReview(year);
  if (data === undefined || !(data.shared || data.steps.length > 0)) return null;
  return (
    <section class="card sign-off" aria-label={`Review of ${year}`}>
      <ol class="sign-off-steps">
        {states.map((state) => (
          <li
            key={state}
            class={states.indexOf(state) <= states.indexOf(data.state) ? 'done' : ''}
            aria-current={state === data.state ? 'step' : undefined}
          >
            {reviewWords[state]}
          </li>
        ))}
      </ol>
      <p class="fine">
        {data.by === null || data.at === null ? 'Not prepared.' : `By ${data.by}, ${moment(data.at)}.`}{' '}
        {data.state === 'signed_off' && 'The year is locked. '}
        {data.openNotes > 0 && `${formatCount(data.openNotes, 'open note')}. `}
      </p>
      {data.changed && (
        <p class="sign-off-changed">
          <Icon name="warning" /> Numbers changed since {data.state === 'signed_off' ? 'sign-off' : 'then'}.
        </p>
      )}
      <NextSteps review={data} />
      {data.steps.length > 1 && <StepHistory review={data} />}
    </section>
  );
}

const states: readonly ReviewStateName[] = ['open', 'prepared', 'reviewed', 'signed_off'];

function NextSteps({ review: { year, state, next, changed } }: { readonly review: YearReviewResponse }) {
  const { act, isBusy } = useAction();
  const take = (step: ReviewStateName) =>
    act(async () => {
      await setReviewState(year, step);
      const isBack = step === 'open' || state === 'signed_off';
      say(describeReviewChange(year, step), isBack ? null : () => setReviewState(year, 'open'));
    }, sayProblem);
  const forward = next.filter((step) => step !== 'open');
  if (next.length === 0) return null;
  return (
    <p class="actions">
      {forward.map((step) => (
        <Button
          key={step}
          icon={step === 'signed_off' ? 'lock' : 'check'}
          label={formatStepLabel(step, step === state && changed)}
          class="primary"
          aria-disabled={isBusy}
          onClick={() => void take(step)}
        />
      ))}
      {next.includes('open') && (
        <Button
          icon="open"
          label={state === 'signed_off' ? 'Unlock and reopen' : 'Reopen'}
          aria-disabled={isBusy}
          onClick={() => void take('open')}
        />
      )}
    </p>
  );
}

function formatStepLabel(step: ReviewStateName, isAgain: boolean): string {
  const name = step === 'signed_off' ? 'Sign off and lock' : `Mark as ${step}`;
  return isAgain ? `${name} again` : name;
}

function describeReviewChange(year: number, step: ReviewStateName): string {
  return step === 'open' ? `${year} reopened.` : `${year} is ${reviewWords[step].toLowerCase()}.`;
}

function StepHistory({ review: { year, steps } }: { readonly review: YearReviewResponse }) {
  return (
    <details>
      <summary>Activity log for {year}</summary>
      <ul class="history">
        {steps.map(({ state, by, at }) => (
          <li key={`${state} ${at}`}>
            <strong>{reviewWords[state]}</strong> {moment(at)} by {by}
          </li>
        ))}
      </ul>
    </details>
  );
}

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
    return () => resolveNote(id, isResolved);
  };
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
          <ActionButton
            label={isResolved ? 'Reopen' : 'Resolve'}
            act={settle}
            said={isResolved ? 'Note reopened.' : 'Note resolved.'}
          />
          {mine && <ActionButton label="Delete" act={() => deleteNote(note)} said="Note deleted." />}
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
        text: {
          label: 'disposal' in place ? 'Note for this entry' : `Note for ${place.year}`,
          rows: 2,
          maxLength: 2000,
        },
      }}
      look=""
      draft={`note ${JSON.stringify(place)}`}
      verb="Add note"
      isReady={({ text }) => text.trim() !== ''}
      onSubmit={async ({ text }) => say('Note added.', await writeNote(place, text))}
    />
  );
}

type YearReviewResponse = DataOf<ReturnType<typeof api.tax.years>['review']['get']>;
type ReviewStateName = YearReviewResponse['state'];
type ReviewNoteDetails = ItemOf<typeof api.tax.notes.get>;

export const useReview = (year: number) => useApi(`review ${year}`, () => api.tax.years({ year }).review.get());

async function setReviewState(year: number, state: ReviewStateName): Promise<void> {
  await write(api.tax.years({ year }).review.post({ state }));
}

/** Notes on a year including its lines, or on one line. */
type NoteLocation = { readonly year: number } | { readonly disposal: string };

const notesMax = 200;

function useNotes(noteLocation: NoteLocation) {
  return useApi(`notes ${JSON.stringify(noteLocation)}`, () =>
    api.tax.notes.get({ query: { ...noteLocation, limit: notesMax } }),
  );
}

async function writeNote(noteLocation: NoteLocation, text: string): Promise<() => Promise<void>> {
  const { id } = await write(api.tax.notes.post({ ...noteLocation, text }));
  return () => removeNote(id);
}

async function resolveNote(id: string, resolved: boolean): Promise<void> {
  await write(api.tax.notes({ id }).patch({ resolved }));
}

async function removeNote(id: string): Promise<void> {
  await write(api.tax.notes({ id }).delete());
}

/** Deletes a note. Returns a function that adds it again. */
async function deleteNote(note: ReviewNoteDetails): Promise<() => Promise<void>> {
  await removeNote(note.id);
  const noteLocation = note.disposal === null ? { year: note.year } : { disposal: note.disposal };
  return async () => void (await writeNote(noteLocation, note.text));
}
