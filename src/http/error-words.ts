import { Refusal, type RefusalCode, type RefusalMore } from '../base/refusal.ts';

/** An error in the form that a Worker sends. Messages can contain only plain data. */
export type ErrorWords =
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string; readonly more: RefusalMore }
  | { readonly kind: 'failed'; readonly reason: string };

export function toErrorWords(error: unknown): ErrorWords {
  if (error instanceof Refusal) {
    return { kind: 'refused', code: error.code, detail: error.detail, more: error.more };
  }
  return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function fromErrorWords(words: ErrorWords): Error {
  return words.kind === 'refused' ? new Refusal(words.code, words.detail, words.more) : new Error(words.reason);
}
