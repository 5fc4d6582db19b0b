import { status } from 'elysia';
import { canonicalJson } from '../base/json.ts';
import { Refusal } from '../base/refusal.ts';
import type { Sql } from '../db/connection.ts';
import type { Deps } from '../deps.ts';
import { claimKey, extendClaim, forgetOldKeys, type KeyScope, readKey, releaseKey, storeAnswer } from './queries.ts';
import { factsOf } from './requests.ts';

/** What a creating route hands over: Elysia's context has it all where the route is `signedIn` or `books`. */
export interface IdempotentContext {
  readonly request: Request;
  readonly body?: unknown;
  readonly caller: { readonly userId: string; readonly taxpayerId: string };
  readonly taxpayer?: { readonly id: string };
  readonly set: { headers: Record<string, string | number | undefined> };
}

export interface Answer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
}

/**
 * Keeps the answer, in the transaction that does the work: both are there, or neither. It returns the answer, so that
 * work ends with `return keep(sql, { status: 201, body })`.
 */
export type Keep = KeepAnswer & {
  /** What it keeps answers by, for work that is done in a Worker; null where none is kept. */
  readonly order: KeepOrder | null;
};

type KeepAnswer = <Status extends number, Body>(
  sql: Sql,
  answer: Answer<Status, Body>,
  /** An upload's SHA-256, known once it has streamed. */
  fingerprint?: string,
) => Promise<Answer<Status, Body>>;

/** Plain data, from which a Worker makes its own `Keep`. */
export interface KeepOrder {
  readonly scope: KeyScope;
  readonly claim: string;
  /** Of the request, where it is known before the work. */
  readonly fingerprint: string | null;
}

/**
 * A creating POST. Without `Idempotency-Key` the work just runs. With one, its answer is kept for 24 hours and given
 * again; the same key with another body is refused, and so is a second request while the first is under way. Work that
 * fails leaves the key free.
 */
export async function idempotent<Status extends number, Body>(
  deps: Deps,
  context: IdempotentContext,
  work: (keep: Keep) => Promise<Answer<Status, Body>>,
) {
  return run(deps, context, work, async () => fingerprintOf(context));
}

/**
 * The same for an upload, whose body is not in memory: `digest` reads it to its end, only where an answer is stored
 * already and the body must be compared.
 */
export async function idempotentUpload<Status extends number, Body>(
  deps: Deps,
  context: IdempotentContext,
  work: (keep: Keep) => Promise<Answer<Status, Body>>,
  digest: () => Promise<string>,
) {
  return run(deps, context, work, null, digest);
}

const answerHours = 24;
/** After a crash the key is free again when this has passed; while the work runs it is extended. */
const claimSeconds = 15;
const extendSeconds = 5;

async function run<Status extends number, Body>(
  deps: Deps,
  context: IdempotentContext,
  work: (keep: Keep) => Promise<Answer<Status, Body>>,
  known: (() => Promise<string>) | null,
  digest: () => Promise<string> = known ?? (() => Promise.resolve('')),
) {
  const key = readKeyHeader(context.request);
  if (key === undefined) {
    const answer = await work(keeperOf(null));
    return status(answer.status, answer.body);
  }
  const scope = scopeOf(context, key);
  const fingerprint = known === null ? null : await known();
  const claim = crypto.randomUUID();
  const stored = await claimOrRead(deps, scope, claim, fingerprint);
  if (stored !== null) {
    const answer = replayed<Status, Body>(stored, fingerprint ?? (stored.inFlight ? null : await digest()));
    context.set.headers['idempotent-replayed'] = 'true';
    return status(answer.status, answer.body);
  }
  const answer = await holding(deps, scope, claim, () => work(keeperOf({ scope, claim, fingerprint })));
  return status(answer.status, answer.body);
}

function readKeyHeader(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Refusal('bad_request', 'An Idempotency-Key has 1 to 255 printable ASCII characters without spaces.');
}

function scopeOf({ request, caller, taxpayer }: IdempotentContext, key: string): KeyScope {
  const { route } = factsOf(request);
  return {
    taxpayerId: taxpayer?.id ?? caller.taxpayerId,
    userId: caller.userId,
    route: `${request.method} ${route?.template ?? ''}`,
    key,
  };
}

/** What was asked: the path with its ids, the query in any order, and the body: two spellings of one request are one. */
async function fingerprintOf({ request, body }: IdempotentContext): Promise<string> {
  const url = new URL(request.url);
  url.searchParams.sort();
  const asked = canonicalJson([url.pathname, url.search, body ?? null]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(asked));
  return new Uint8Array(digest).toHex();
}

async function claimOrRead(deps: Deps, scope: KeyScope, claim: string, fingerprint: string | null) {
  const now = deps.clock.now();
  return deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    await forgetOldKeys(sql, scope.taxpayerId, new Date(now.getTime() - answerHours * 3_600_000));
    const claimed = await claimKey(sql, scope, { claim, fingerprint, now, until: claimEnd(deps) });
    if (claimed) return null;
    const stored = await readKey(sql, scope, now);
    // Released between the two statements: the next try will have it.
    if (stored === undefined) throw inFlight();
    return stored;
  });
}

function replayed<Status extends number, Body>(
  stored: { readonly fingerprint: string | null; readonly status: number | null; readonly body: string | null },
  fingerprint: string | null,
): Answer<Status, Body> {
  if (stored.fingerprint !== null && fingerprint !== null && stored.fingerprint !== fingerprint) {
    throw new Refusal('idempotency_mismatch', 'This Idempotency-Key was used for another request. Take a new one.');
  }
  if (stored.status === null || stored.body === null) throw inFlight();
  return { status: stored.status as Status, body: JSON.parse(stored.body) as Body };
}

export function keeperOf(order: KeepOrder | null): Keep {
  const keep: KeepAnswer = async (sql, answer, fingerprint) => {
    if (order === null) return answer;
    const body = JSON.stringify(answer.body);
    const known = fingerprint ?? order.fingerprint ?? '';
    const kept = { claim: order.claim, fingerprint: known, status: answer.status, body };
    // Another attempt took over while this one was thought dead: this one must not commit as well.
    if (!(await storeAnswer(sql, order.scope, kept))) throw inFlight();
    return answer;
  };
  return Object.assign(keep, { order });
}

/** Runs the work while the claim is kept alive; work that fails gives the key back. */
async function holding<Result>(
  deps: Deps,
  scope: KeyScope,
  claim: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const extend = (): Promise<void> =>
    deps.database.asTaxpayer(scope.taxpayerId, (sql) => extendClaim(sql, scope, claim, claimEnd(deps)));
  const timer = setInterval(
    () => extend().catch((error) => deps.log.error('claim not extended', error)),
    extendSeconds * 1000,
  );
  try {
    return await work();
  } catch (error) {
    const release = deps.database.asTaxpayer(scope.taxpayerId, (sql) => releaseKey(sql, scope, claim));
    await release.catch((failure) => deps.log.error('claim not released', failure));
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function claimEnd(deps: Deps): Date {
  return new Date(deps.clock.now().getTime() + claimSeconds * 1000);
}

function inFlight(): Refusal {
  return new Refusal('idempotency_in_flight', 'A request with this Idempotency-Key is still being answered.', {
    retryAfterSeconds: 1,
  });
}
