import { api, unwrapResponse } from './api.ts';
import { write } from './changes.ts';
import { useResource } from './resource.ts';

export type YearReviewResponse = Awaited<ReturnType<typeof readYearReview>>;
export type ReviewStateName = YearReviewResponse['state'];
export type ReviewNoteDetails = Awaited<ReturnType<typeof readNotes>>['data'][number];

function readYearReview(year: number) {
  return unwrapResponse(api.tax.years({ year }).review.get());
}

export function useReview(year: number) {
  return useResource(`review ${year}`, () => readYearReview(year));
}

export async function setReviewState(year: number, state: ReviewStateName): Promise<void> {
  await write(api.tax.years({ year }).review.post({ state }));
}

/** Notes on a year including its lines, or on one line. */
export type NoteLocation = { readonly year: number } | { readonly disposal: string };

const notesMax = 200;

function readNotes(noteLocation: NoteLocation) {
  return unwrapResponse(api.tax.notes.get({ query: { ...noteLocation, limit: notesMax } }));
}

export function useNotes(noteLocation: NoteLocation) {
  return useResource(`notes ${JSON.stringify(noteLocation)}`, () => readNotes(noteLocation));
}

export async function writeNote(noteLocation: NoteLocation, text: string): Promise<() => Promise<void>> {
  const { id } = await write(api.tax.notes.post({ ...noteLocation, text }));
  return () => removeNote(id);
}

export async function resolveNote(id: string, resolved: boolean): Promise<void> {
  await write(api.tax.notes({ id }).patch({ resolved }));
}

async function removeNote(id: string): Promise<void> {
  await write(api.tax.notes({ id }).delete());
}

/** Deletes a note. Returns a function that adds it again. */
export async function deleteNote(note: ReviewNoteDetails): Promise<() => Promise<void>> {
  await removeNote(note.id);
  const noteLocation = note.disposal === null ? { year: note.year } : { disposal: note.disposal };
  return async () => void (await writeNote(noteLocation, note.text));
}
