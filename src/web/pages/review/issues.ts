import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';

/** An item that was resolved or kept. */
export type AnsweredIssue = Awaited<ReturnType<typeof readAnswered>>['data'][number];

export interface AnsweredFilter {
  readonly year?: number;
  readonly status: 'accepted' | 'resolved';
}

export function readAnswered(query: AnsweredFilter & { readonly cursor?: string }) {
  return unwrapResponse(api.tax.issues.get({ query: { ...query, limit: 50 } }));
}

/** Reopens an item. Returns a function that keeps it again, or null if its answer must be entered again. */
export async function reopen({ id, resolution }: AnsweredIssue): Promise<(() => Promise<void>) | null> {
  await reopenIssue(id);
  if (resolution?.action !== 'accept') return null;
  return async () => {
    await write(api.tax.issues({ id }).resolve.post({ action: 'accept', note: resolution.note }));
  };
}

export async function reopenIssue(id: string): Promise<void> {
  await write(api.tax.issues({ id }).resolution.delete());
}
