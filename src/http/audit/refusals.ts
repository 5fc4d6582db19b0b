import type { Refusal, RefusalCode } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import { loggable, refusalOf } from '../errors.ts';
import { ruleOf } from '../operations/operations.ts';
import { logFieldsOf, type RequestFacts } from '../requests.ts';

/**
 * Refusals that the log has: somebody asked for what they may not, too often, or in a way that no program of ours asks.
 * Not those of every day: a file that cannot be read, a form that is not filled in, a limit of the plan. A wrong password,
 * code or passkey has a line of its own (`auth/failures`).
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

/** What we need for an answer, and did not get. */
const missing: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'billing_failed',
  'database_unavailable',
  'files_unavailable',
  'overloaded',
  'provider_failed',
]);

/** What the answer says of an error. The log has it where it is a bug, or tells of somebody who tries. */
export function refusalAndLine(deps: Deps, error: unknown, facts: RequestFacts): Refusal {
  const { refusal, bug } = refusalOf(error);
  if (bug) deps.log.error('request failed', loggable(error), logFieldsOf(facts));
  else if (missing.has(refusal.code)) reportMissing(deps, refusal, facts);
  else if (reported.has(refusal.code) || isOfAnother(refusal, facts)) reportRefusal(deps, refusal, facts);
  return refusal;
}

/** Somebody signed in asked for one thing that is not there for them. Whether it is somebody else's is not known here. */
function isOfAnother({ code }: Refusal, { route, userId }: RequestFacts): boolean {
  return code === 'not_found' && userId !== null && route !== null && ruleOf(route) !== undefined;
}

/** Also of one that stands inside of an answer. */
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
