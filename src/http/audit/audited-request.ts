import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditAction } from '../audit-actions.ts';
import type { RequestFacts } from '../requests.ts';

/** The record of a request in the audit trail. It is plain data, so a Worker can receive it. */
export interface AuditedRequest {
  action: AuditAction;
  /** The id or the year in the URL. For a sign-in, the method. */
  subject: string | null;
  readonly address: string;
  readonly requestId: string;
  readonly isDownload: boolean;
  /** Null until the user is known. Writes before that are not part of the request's action. */
  by: Actor | null;
  /** The books in a download, if they differ from those of the request. */
  books: readonly string[] | null;
  /** The books that get the entry. A request about several clients adds an entry to each client's books. */
  readonly recordedIn: string[];
}

/** The actor and the account. A transaction for books other than the account's own names those books itself. */
export type Actor =
  | {
      readonly kind: 'caller';
      readonly userId: string;
      readonly email: string;
      readonly token: { readonly id: string; readonly name: string } | null;
      readonly taxpayerId: string;
    }
  /** A user identified by the request itself: by signing in, or in a request for an account without a session. */
  | { readonly kind: 'found'; readonly userId: string; readonly isProven: boolean };

/** Each request runs in its own context, which its transactions see (`recorded`). */
const current = new AsyncLocalStorage<AuditedRequest | undefined>();

/** Returns the audit entry of a request, or null if there is none. */
export function buildAudit({ id, address, route }: RequestFacts, url: URL): AuditedRequest | null {
  const { action = null, isDownload = false } = route?.operation ?? {};
  // A dry run stores nothing.
  if (route === null || action === null || url.searchParams.get('dryRun') === 'true') return null;
  const at = route.template.split('/').findLastIndex((part) => part.startsWith(':'));
  const subject = at < 0 ? null : decode(url.pathname.split('/')[at] ?? '');
  return { action, subject, address, requestId: id, isDownload, by: null, books: null, recordedIn: [] };
}

/** Runs work. Its first transaction that changes something records the request. */
export function withAudit<T>(request: AuditedRequest | null, work: () => T): T {
  return current.run(request ?? undefined, work);
}

/**
 * Runs side work that the request's audit entry does not cover: counters, claims, and preparation that can still be
 * refused.
 */
export function withoutAudit<T>(work: () => T): T {
  return current.run(undefined, work);
}

export function currentAudit(): AuditedRequest | null {
  return current.getStore() ?? null;
}

/**
 * Sets the user. Called once the user is known, and before anything is changed. `action` selects one if the operation
 * has several.
 */
export function nameActor(by: Actor, action?: AuditAction): void {
  const request = current.getStore();
  if (request === undefined) return;
  request.by = by;
  if (action !== undefined) request.action = action;
}

/** Sets the subject of the request if the URL does not contain it. */
export function nameSubject(subject: string): void {
  const request = current.getStore();
  if (request !== undefined) request.subject = subject;
}

/** Sets the books in a download of several clients' books. */
export function nameBooks(taxpayerIds: readonly string[]): void {
  const request = current.getStore();
  if (request !== undefined) request.books = taxpayerIds;
}

const subjectLengthMax = 100;

function decode(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, subjectLengthMax);
  } catch {
    return '';
  }
}
