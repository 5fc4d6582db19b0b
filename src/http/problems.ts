import { Refusal, type RefusalCode, type RefusalError } from '../base/refusal.ts';

/**
 * Problem details (RFC 9457). This is the only table that maps an error code to its status and title, and the only
 * place that creates such a response.
 */
export const problemTable = {
  bad_request: [400, 'The request is malformed'],
  invalid_json: [400, 'The body is not JSON'],
  invalid_cursor: [400, 'The cursor is not valid'],
  unknown_parameter: [400, 'Unknown query parameter'],
  duplicate_cookie: [400, 'Two session cookies'],
  two_credentials: [400, 'A session cookie and a token'],
  unauthenticated: [401, 'Sign in first'],
  invalid_credentials: [401, 'Incorrect email or password'],
  totp_required: [401, 'Second factor required'],
  sign_in_link_required: [401, 'A new browser needs an emailed link'],
  passkey_refused: [401, 'The passkey was not accepted'],
  account_deleted: [401, 'The account was deleted'],
  invalid_token: [401, 'The token is not valid'],
  plan_limit: [403, 'This would exceed the limit of your plan'],
  csrf: [403, 'Cross-site request refused'],
  forbidden: [403, 'Not allowed'],
  reauthentication_required: [403, 'Confirm your identity again'],
  email_unverified: [403, 'Confirm your email address first'],
  insufficient_scope: [403, 'The token lacks a required scope'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  conflict: [409, 'Conflict'],
  email_taken: [409, 'An account with this email address already exists'],
  year_locked: [409, 'The tax year is locked'],
  idempotency_in_flight: [409, 'The same request is still in progress'],
  precondition_failed: [412, 'The resource has changed'],
  too_large: [413, 'Too large'],
  unsupported_media_type: [415, 'Media type not supported'],
  idempotency_mismatch: [422, 'The idempotency key was used for a different request'],
  invalid: [422, 'Not valid'],
  unknown_format: [422, "We don't recognize the format of this file"],
  ambiguous_format: [422, 'The file matches more than one format'],
  ambiguous_file: [422, 'The file can be read in more than one way'],
  empty_file: [422, 'The file is empty'],
  not_csv: [422, 'The file is not CSV'],
  malformed_csv: [422, 'The CSV is malformed'],
  too_slow: [422, 'The file takes too long to read'],
  rate_limited: [429, 'Too many requests'],
  ai_quota: [429, 'All AI messages for today are used'],
  internal: [500, 'Internal error'],
  file_lost: [500, 'A stored file is missing'],
  database_unavailable: [503, 'The database is unavailable'],
  overloaded: [503, 'Overloaded'],
  shutting_down: [503, 'Shutting down'],
  files_unavailable: [503, 'File storage is unavailable'],
  provider_unconfigured: [503, 'This sign-in provider is not configured'],
  provider_failed: [503, 'The sign-in provider failed'],
  assistant_failed: [503, 'The assistant failed'],
  billing_unconfigured: [503, 'Billing is not configured'],
  billing_failed: [503, 'Stripe is not responding'],
  exchange_unconfigured: [503, 'This service cannot be connected on this server'],
  exchange_failed: [503, 'The exchange is not responding'],
} as const satisfies Record<RefusalCode, readonly [status: number, title: string]>;

/**
 * Header required with a 401 (RFC 9110) and read by programs with a token (RFC 6750). It does not cause a prompt in
 * browsers.
 */
const challenges: Partial<Record<RefusalCode, string>> = {
  invalid_token: 'Bearer error="invalid_token"',
  insufficient_scope: 'Bearer error="insufficient_scope"',
};

/** Responses 429 and 503 always have a Retry-After. This is the default. */
const retryAfterSecondsDefault = 5;

interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: RefusalCode;
  readonly errors?: readonly RefusalError[];
}

export function problemResponse(
  refusal: Refusal,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const [status, title] = problemTable[refusal.code];
  const { errors, members, retryAfterSeconds } = refusal.more;
  const body: ProblemBody = {
    ...members,
    type: problemType(refusal.code),
    title,
    status,
    detail: refusal.detail,
    instance: requestId,
    code: refusal.code,
    ...(errors === undefined ? {} : { errors }),
  };
  const waits = status === 429 || status === 503;
  const challenge = challenges[refusal.code] ?? (status === 401 ? 'Bearer' : undefined);
  const wait = Math.max(1, Math.ceil(retryAfterSeconds ?? retryAfterSecondsDefault));
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      // An error of OAuth has the members of RFC 6749, section 5.2, which requires this media type.
      'content-type': members?.error === undefined ? 'application/problem+json' : 'application/json',
      ...(waits ? { 'retry-after': String(wait) } : {}),
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
      ...headers,
    },
  });
}

/** Paths to and from sign-in providers. Browsers navigate there, and users see the response. */
const providerPath = /^\/auth\/(?:google|github)(?:\/callback)?$/;

/**
 * Returns a page with the reason why a sign-in through a provider failed, or undefined for programs and other paths.
 */
export function failurePage(request: Request, { code }: Refusal): Response | undefined {
  const isPerson = (request.headers.get('accept') ?? '').includes('text/html');
  if (!isPerson || !URL.canParse(request.url) || !providerPath.test(new URL(request.url).pathname)) return undefined;
  return new Response(null, { status: 302, headers: { location: `/auth/callback?error=${code}` } });
}

/** Returns a URN, as RFC 9457 allows. Clients compare it but do not fetch it. */
function problemType(code: RefusalCode): string {
  return `urn:lotbook:problem:${code}`;
}

export const ourFault = 'Something went wrong on our end.';

interface WorkFailure {
  readonly code: RefusalCode;
  readonly detail: string;
  /** The locked year, if the failure is `year_locked`. */
  readonly year?: number;
}

/** Returns the problem for work that failed after its request got a response. A bug shows no details. */
export function toFailure(error: unknown): WorkFailure {
  if (error instanceof Refusal) {
    const year = error.more.members?.year;
    return { code: error.code, detail: error.detail, ...(typeof year === 'number' ? { year } : {}) };
  }
  return { code: 'internal', detail: `${ourFault} Nothing was changed. Try again later.` };
}

/** Returns the error for a bug. */
export function internalError(): Refusal {
  return new Refusal('internal', `${ourFault} Try again. If you report it, include the request ID.`);
}
