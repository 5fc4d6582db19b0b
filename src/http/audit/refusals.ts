import type { Refusal, RefusalCode } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import { loggable, toRefusal } from '../errors.ts';
import { logFieldsOf, type RequestFacts } from '../requests.ts';

/**
 * Errors that are logged: forbidden, too frequent or malformed requests. Everyday errors are not logged: an unreadable
 * file, an incomplete form, a plan limit. A wrong password, code or passkey has its own log line (`auth/failures`).
 */
const reported: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'bad_request',
  'csrf',
  'duplicate_cookie',
  'email_taken',
  'forbidden',
  'insufficient_scope',
  'invalid_cursor',
  'invalid_json',
  'invalid_token',
  'method_not_allowed',
  'rate_limited',
  'reauthentication_required',
  'two_credentials',
  'unauthenticated',
  'unknown_parameter',
  'unsupported_media_type',
]);

/** Something that the response depends on failed. */
const missing: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'billing_failed',
  'exchange_failed',
  'database_unavailable',
  'files_unavailable',
  'overloaded',
  'provider_failed',
]);

/** Returns the response to an error. Logs the error if it is a bug or a sign of an attack. */
export function refusalAndLine(deps: Deps, error: unknown, facts: RequestFacts): Refusal {
  const { refusal, bug } = toRefusal(error);
  if (bug) deps.log.error('request failed', loggable(error), logFieldsOf(facts));
  else if (missing.has(refusal.code)) reportMissing(deps, refusal, facts);
  else if (reported.has(refusal.code) || isOfAnother(refusal, facts)) reportRefusal(deps, refusal, facts);
  return refusal;
}

/**
 * Returns whether a signed-in user requested a resource that does not exist for them. It may belong to another user,
 * which is unknown here.
 */
function isOfAnother({ code }: Refusal, { route, userId }: RequestFacts): boolean {
  return code === 'not_found' && userId !== null && route !== null && route.operation !== null;
}

/** Logs an error that is part of a response. */
export function reportRefusal({ log, refusalLines }: Deps, { code }: Refusal, facts: RequestFacts): void {
  const leftOut = refusalLines.take(facts.network);
  if (leftOut === null) return;
  const { address, tokenId } = facts;
  const rest = leftOut === 0 ? {} : { leftOut };
  log.warn('request refused', { ...logFieldsOf(facts), code, address, tokenId: tokenId ?? undefined, ...rest });
}

function reportMissing({ log, refusalLines }: Deps, refusal: Refusal, facts: RequestFacts): void {
  if (refusalLines.take(facts.network) === null) return;
  log.error('request not served', refusal.cause ?? refusal.message, { ...logFieldsOf(facts), code: refusal.code });
}
