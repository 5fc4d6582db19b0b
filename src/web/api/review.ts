import { api, got } from './api.ts';
import { booksChanged } from './changes.ts';
import { useResource } from './resource.ts';

export type YearReviewAnswer = Awaited<ReturnType<typeof readYearReview>>;
export type ReviewStateName = YearReviewAnswer['state'];
export type ReviewNoteAnswer = Awaited<ReturnType<typeof readNotes>>['data'][number];

function readYearReview(year: number) {
  return got(api.tax.years({ year }).review.get());
}

export function useReview(year: number) {
  return useResource(`review ${year}`, () => readYearReview(year));
}

export async function bringTo(year: number, state: ReviewStateName): Promise<void> {
  await got(api.tax.years({ year }).review.post({ state }));
  booksChanged();
}

/** Notes on a year including its lines, or on one line. */
export type NotePlace = { readonly year: number } | { readonly disposal: string };

const notesMax = 200;

function readNotes(place: NotePlace) {
  return got(api.tax.notes.get({ query: { ...place, limit: notesMax } }));
}

export function useNotes(place: NotePlace) {
  return useResource(`notes ${JSON.stringify(place)}`, () => readNotes(place));
}

export async function writeNote(place: NotePlace, text: string): Promise<() => Promise<void>> {
  const { id } = await got(api.tax.notes.post({ ...place, text }));
  booksChanged();
  return () => removeNote(id);
}

export async function resolveNote(id: string, resolved: boolean): Promise<void> {
  await got(api.tax.notes({ id }).patch({ resolved }));
  booksChanged();
}

async function removeNote(id: string): Promise<void> {
  await got(api.tax.notes({ id }).delete());
  booksChanged();
}

/** Deletes a note. Returns a function that writes it again. */
export async function takeNoteBack(note: ReviewNoteAnswer): Promise<() => Promise<void>> {
  await removeNote(note.id);
  const place = note.disposal === null ? { year: note.year } : { disposal: note.disposal };
  return async () => void (await writeNote(place, note.text));
}
