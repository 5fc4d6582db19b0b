import { type RefusalCode, refusalCodes } from '../../base/refusal.ts';
import type { Operation } from '../operations/operations.ts';
import { problemTable } from '../problems.ts';
import { isObject, type Json, type JsonObject } from './document-schemas.ts';

/** Properties of an operation that determine its common error codes. */
interface Circumstances {
  /** The declaration of the route. */
  readonly operation: Operation | undefined;
  readonly writes: boolean;
  /** The path has an id, so the response may be 404. */
  readonly named: boolean;
  readonly checked: boolean;
  /** The operation lists results page by page. */
  readonly hasCursor: boolean;
  readonly takesKey: boolean;
}

function commonRefusals({ operation, writes, named, checked, hasCursor, takesKey }: Circumstances): RefusalCode[] {
  const { scopes = null, needsVerifiedEmail, isDownload } = operation ?? {};
  const signedIn = scopes !== null;
  const codes: RefusalCode[] = ['bad_request', 'unknown_parameter', 'duplicate_cookie', 'two_credentials'];
  codes.push('rate_limited', 'internal', 'database_unavailable', 'overloaded', 'shutting_down');
  // For a token without permission, or books that the plan or the role does not cover.
  if (signedIn) codes.push('unauthenticated', 'invalid_token', 'forbidden', 'insufficient_scope');
  if (needsVerifiedEmail) codes.push('email_unverified');
  // Books may also be deleted while they are being changed.
  if (named || (signedIn && writes)) codes.push('not_found');
  // A download refuses requests from other sites, as operations that change something do.
  if (writes || isDownload) codes.push('csrf');
  // A body is read even if the operation does not expect one.
  if (writes) codes.push('forbidden', 'invalid_json', 'too_large', 'unsupported_media_type');
  if (hasCursor) codes.push('invalid_cursor');
  if (checked) codes.push('invalid');
  if (takesKey) codes.push('idempotency_in_flight', 'idempotency_mismatch');
  return codes;
}

/** Returns an operation's errors by status: those common to its kind, and those that its route declares. */
export function buildRefusalResponses(circumstances: Circumstances, responses: JsonObject): JsonObject {
  const listedCodes = new Set<Json>([...commonRefusals(circumstances), ...declaredCodes(responses)]);
  const byStatus = Map.groupBy(
    refusalCodes.filter((code) => listedCodes.has(code)),
    (code) => problemTable[code][0],
  );
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), refusal(status, codes)]));
}

/** Returns the codes that a route declares with `problems`. */
export function declaredCodes(responses: JsonObject): Json[] {
  return Object.values(responses).flatMap((response) => (isObject(response) ? [response.codes ?? []].flat() : []));
}

function refusal(status: number, codes: readonly RefusalCode[]): JsonObject {
  const waits = status === 429 || status === 503;
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...(waits ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } } } : {}),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
