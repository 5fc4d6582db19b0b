/**
 * An error for a request that is refused. It can be thrown anywhere, and one place turns it into
 * `application/problem+json` (http/problems, which maps each code to its status). Any other error is a bug.
 */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    /** A sentence for the user with the error and its remedy. It never contains a request body, SQL or a path. */
    readonly detail: string,
    readonly more: RefusalMore = {},
    /** Written to the log only. */
    cause?: unknown,
  ) {
    super(`${code}: ${detail}`, { cause });
    this.name = 'Refusal';
  }
}

/** Returns the error for one invalid field of a request. `pointer` is a JSON pointer into its body, such as `/year`. */
export function invalidMember(pointer: string, detail: string): Refusal {
  return new Refusal('invalid', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}

export interface RefusalMore {
  readonly errors?: readonly RefusalError[];
  /** Fields added to the problem as JSON: `plan`, `limit`, `used` and `requested` for a plan_limit. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

/** One of several errors, located in a JSON body (pointer) or in a file (line and column). */
export interface RefusalError {
  readonly code: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: string;
}

export const refusalCodes = [
  'bad_request',
  'invalid_json',
  'invalid_cursor',
  'unknown_parameter',
  'duplicate_cookie',
  'two_credentials',
  'unauthenticated',
  'invalid_credentials',
  'totp_required',
  'sign_in_link_required',
  'passkey_refused',
  'account_deleted',
  'invalid_token',
  'plan_limit',
  'csrf',
  'forbidden',
  'reauthentication_required',
  'email_unverified',
  'insufficient_scope',
  'not_found',
  'method_not_allowed',
  'conflict',
  'email_taken',
  'year_locked',
  'idempotency_in_flight',
  'idempotency_mismatch',
  'precondition_failed',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'unknown_format',
  'ambiguous_format',
  'ambiguous_file',
  'empty_file',
  'not_csv',
  'malformed_csv',
  'too_slow',
  'rate_limited',
  'ai_quota',
  'internal',
  'database_unavailable',
  'overloaded',
  'shutting_down',
  'files_unavailable',
  'file_lost',
  'provider_unconfigured',
  'provider_failed',
  'assistant_failed',
  'billing_unconfigured',
  'billing_failed',
  'exchange_unconfigured',
  'exchange_failed',
] as const;

/** The reason why a file or a list cannot be read. */
export const fileRefusals = ['unknown_format', 'empty_file', 'not_csv', 'malformed_csv', 'too_slow'] as const;

export type RefusalCode = (typeof refusalCodes)[number];
