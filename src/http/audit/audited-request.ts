import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditAction } from '../operations/audit-actions.ts';
import { ruleOf } from '../operations/operations.ts';
import type { RequestFacts } from '../requests.ts';

/** The action of a request for the audit trail. Plain data, so a Worker can receive it. */
export interface AuditedRequest {
  action: AuditAction;
  /** The id or the year in the address. For a sign-in, the method. */
  subject: string | null;
  readonly address: string;
  readonly requestId: string;
  readonly isDownload: boolean;
  /** Null until the user is known. Earlier writes are not the request's action. */
  by: Actor | null;
  /** The books in a download, if they differ from those of the request. */
  books: readonly string[] | null;
  /** The books that get its entry. A request about several clients has one in each. */
  readonly recordedIn: string[];
}

/** The actor and the account. A transaction for other books than those of the account names them itself. */
export type Actor =
  | {
      readonly kind: 'caller';
      readonly userId: string;
      readonly email: string;
      readonly token: { readonly id: string; readonly name: string } | null;
      readonly taxpayerId: string;
    }
  /** A user found in the request itself: by signing in, or by a request for an account without a session. */
  | { readonly kind: 'found'; readonly userId: string; readonly isProven: boolean };

/** Each request runs in a context of its own, which its transactions see (`withAuditRecording`). */
const current = new AsyncLocalStorage<AuditedRequest | undefined>();

/** The audit entry of a request, or null for none. */
export function buildAudit({ id, address, route }: RequestFacts, url: URL): AuditedRequest | null {
  const rule = route === null ? undefined : ruleOf(route);
  // A dry run stores nothing.
  if (route === null || rule === undefined || rule.action === null || url.searchParams.get('dryRun') === 'true')
    return null;
  const at = route.template.split('/').findLastIndex((part) => part.startsWith(':'));
  const subject = at < 0 ? null : decoded(url.pathname.split('/')[at] ?? '');
  const isDownload = rule.isDownload === true;
  return { action: rule.action, subject, address, requestId: id, isDownload, by: null, books: null, recordedIn: [] };
}

/** Runs work. Its first transaction that changes something records the request. */
export function withAudit<T>(request: AuditedRequest | null, work: () => T): T {
  return current.run(request ?? undefined, work);
}

/**
 * Runs side work of a request that its audit entry does not cover: counters, claims, and preparation that can still be
 * refused.
 */
export function aside<T>(work: () => T): T {
  return current.run(undefined, work);
}

export function currentAudit(): AuditedRequest | null {
  return current.getStore() ?? null;
}

/** Called once the user is known, and before anything is changed. `action`: if one operation has several actions. */
export function nameActor(by: Actor, action?: AuditAction): void {
  const request = current.getStore();
  if (request === undefined) return;
  request.by = by;
  if (action !== undefined) request.action = action;
}

/** The subject of the request, if the URL does not contain it. */
export function nameSubject(subject: string): void {
  const request = current.getStore();
  if (request !== undefined) request.subject = subject;
}

/** Used by a download of several clients' books. */
export function nameBooks(taxpayerIds: readonly string[]): void {
  const request = current.getStore();
  if (request !== undefined) request.books = taxpayerIds;
}

const subjectLengthMax = 100;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, subjectLengthMax);
  } catch {
    return '';
  }
}
