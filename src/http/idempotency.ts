import { status } from 'elysia';
import { canonicalJson } from '../base/json.ts';
import { Refusal } from '../base/refusal.ts';
import type { Deps } from '../deps.ts';
import { withoutAudit } from './audit/audited-request.ts';
import { claimKey, deleteOldKeys, extendClaim, forgetOldKeys, type KeyScope, readKey, releaseKey } from './queries.ts';
import { getRequestFacts } from './requests.ts';
import { inFlight, type RouteResponse, responseSaver, type SaveResponse } from './saved-response.ts';

/** The part of Elysia's context that a creating route passes on. `signedIn` or `books` provides it. */
export interface IdempotentContext {
  readonly request: Request;
  readonly body?: unknown;
  readonly caller: { readonly userId: string; readonly taxpayerId: string };
  readonly taxpayer?: { readonly id: string };
  readonly set: { headers: Record<string, string | number | undefined> };
}

const responseHours = 24;
/** If the server crashes, the key is released after this time. The claim is extended while the work runs. */
const claimSeconds = 15;
const extendSeconds = 5;
const sweepSeconds = 600;

/**
 * Runs a creating POST. Without `Idempotency-Key`, the work simply runs. With one, its response is saved for 24 hours,
 * and a repeated request gets it again. The same key with a different body is refused, and so is a second request while
 * the first one is running. Work that fails releases the key. For an upload, whose body is not in memory, `readDigest`
 * reads the whole body, but only if a response is already saved and the bodies must be compared.
 */
export async function idempotent<Status extends number, Body>(
  deps: Deps,
  context: IdempotentContext,
  work: (saveResponse: SaveResponse) => Promise<RouteResponse<Status, Body>>,
  readDigest?: () => Promise<string>,
) {
  const key = readKeyHeader(context.request);
  if (key === undefined) {
    const result = await work(responseSaver(null));
    return status(result.status, result.body);
  }
  const scope = toKeyScope(context, key);
  const fingerprint = readDigest === undefined ? await computeFingerprint(context) : null;
  const claim = crypto.randomUUID();
  const stored = await withoutAudit(() => claimOrRead(deps, scope, claim, fingerprint));
  if (stored !== null) {
    const digest = stored.inFlight ? null : ((await readDigest?.()) ?? null);
    const result = replay<Status, Body>(stored, fingerprint ?? digest);
    context.set.headers['idempotent-replayed'] = 'true';
    return status(result.status, result.body);
  }
  const result = await withClaim(deps, scope, claim, () => work(responseSaver({ scope, claim, fingerprint })));
  return status(result.status, result.body);
}

function readKeyHeader(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Refusal('bad_request', 'An Idempotency-Key must have 1 to 255 printable ASCII characters without spaces.');
}

function toKeyScope({ request, caller, taxpayer }: IdempotentContext, key: string): KeyScope {
  const { route } = getRequestFacts(request);
  return {
    taxpayerId: taxpayer?.id ?? caller.taxpayerId,
    userId: caller.userId,
    route: `${request.method} ${route?.template ?? ''}`,
    key,
  };
}

/**
 * Returns a hash of the path with its ids, the sorted query and the body, so that two spellings of one request are
 * equal.
 */
async function computeFingerprint({ request, body }: IdempotentContext): Promise<string> {
  const url = new URL(request.url);
  url.searchParams.sort();
  const canonicalRequest = canonicalJson([url.pathname, url.search, body ?? null]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalRequest));
  return new Uint8Array(digest).toHex();
}

async function claimOrRead(deps: Deps, scope: KeyScope, claim: string, fingerprint: string | null) {
  return deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    await forgetOldKeys(sql, scope.taxpayerId, responseHours);
    const claimed = await claimKey(sql, scope, { claim, fingerprint, seconds: claimSeconds });
    if (claimed) return null;
    const stored = await readKey(sql, scope);
    // The key was released between the two statements. The next try will get it.
    if (stored === undefined) throw inFlight();
    return stored;
  });
}

function replay<Status extends number, Body>(
  stored: { readonly fingerprint: string | null; readonly status: number | null; readonly body: string | null },
  fingerprint: string | null,
): RouteResponse<Status, Body> {
  if (stored.fingerprint !== null && fingerprint !== null && stored.fingerprint !== fingerprint) {
    throw new Refusal(
      'idempotency_mismatch',
      'This Idempotency-Key was already used for a different request. Use a new one.',
    );
  }
  if (stored.status === null || stored.body === null) throw inFlight();
  return { status: stored.status as Status, body: JSON.parse(stored.body) as Body };
}

/** Runs the work and extends the claim in the meantime. Work that fails releases the key. */
async function withClaim<Result>(
  deps: Deps,
  scope: KeyScope,
  claim: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const extend = (): Promise<void> =>
    withoutAudit(() =>
      deps.database.asTaxpayer(scope.taxpayerId, (sql) => extendClaim(sql, scope, claim, claimSeconds)),
    );
  const timer = setInterval(
    () => extend().catch((error) => deps.log.error('claim not extended', error)),
    extendSeconds * 1000,
  );
  try {
    return await work();
  } catch (error) {
    const release = withoutAudit(() =>
      deps.database.asTaxpayer(scope.taxpayerId, (sql) => releaseKey(sql, scope, claim)),
    );
    await release.catch((failure) => deps.log.error('claim not released', failure));
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Periodically deletes all taxpayers' expired responses until the returned function is called. */
export function keepKeysSwept(deps: Deps): () => void {
  const sweep = (): void => {
    deps.database
      .asService((sql) => deleteOldKeys(sql, responseHours))
      .catch((error: unknown) => deps.log.error('idempotency keys not swept', error));
  };
  sweep();
  const timer = setInterval(sweep, sweepSeconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
