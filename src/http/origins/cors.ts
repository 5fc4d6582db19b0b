import type { RouteTable } from '../routes.ts';

/**
 * Pages of the named origins read and use the API and MCP from a browser (Fetch standard, "CORS protocol"). Whoever is not
 * named is answered as if there were no CORS.
 */

/** What a browser asks before a request that no form could send; undefined where this is no such question, or none of ours. */
export function preflightAnswer(
  request: Request,
  table: RouteTable,
  allowedOrigins: readonly string[],
): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined;
  if (namedOrigin(request, allowedOrigins) === undefined) return undefined;
  const found = table.match(request.method, new URL(request.url).pathname);
  if (found.kind !== 'method') return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': found.allowed.join(', '),
      'access-control-allow-headers': requestHeaders.join(', '),
      'access-control-max-age': String(preflightSeconds),
    },
  });
}

/** Lets the page that asked read the answer, a refusal too. Caches keep answers to several origins apart. */
export function allowOrigin(headers: Headers, request: Request, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0 || !isShared(request)) return;
  headers.append('vary', 'Origin');
  const origin = namedOrigin(request, allowedOrigins);
  if (origin === undefined) return;
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-credentials', 'true');
  headers.set('access-control-expose-headers', answerHeaders.join(', '));
}

/** The headers that the API and MCP read, but for those that a browser sets by itself. A test finds one that is missing. */
export const requestHeaders: readonly string[] = [
  'Accept',
  'Authorization',
  'Content-Disposition',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'MCP-Session-Id',
  'Prefer',
  'traceparent',
];

/** The headers of answers that say something to a program. A test finds one that is missing. */
export const answerHeaders: readonly string[] = [
  'Allow',
  'Content-Disposition',
  'Edit-Id',
  'Erased-At',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** For so long an origin that is no longer named may still send what it asked about; what it sends is refused. */
const preflightSeconds = 600;

/** By its exact text: a browser writes an origin in one way only. */
function namedOrigin(request: Request, allowedOrigins: readonly string[]): string | undefined {
  const origin = request.headers.get('origin');
  return origin !== null && allowedOrigins.includes(origin) && isShared(request) ? origin : undefined;
}

/** Pages, probes and the ways to sign-in providers are for this origin alone. */
function isShared({ url }: Request): boolean {
  return URL.canParse(url) && /^\/(?:v1\/|mcp\/?$)/.test(new URL(url).pathname);
}
