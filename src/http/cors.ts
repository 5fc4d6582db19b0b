import type { RouteTable } from './routes.ts';

/**
 * Lets pages from the named origins use the API and MCP from a browser (Fetch standard, "CORS protocol"). Other origins
 * get responses as if there were no CORS.
 */

/**
 * Responds to the preflight of a request that a form could not send. Returns undefined if the request is not a
 * preflight or not for us.
 */
export function buildPreflightResponse(
  request: Request,
  table: RouteTable,
  allowedOrigins: readonly string[],
): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined;
  if (namedOrigin(request, allowedOrigins) === undefined) return undefined;
  const match = table.match(request.method, new URL(request.url).pathname);
  if (match.kind !== 'method') return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': match.allowed.join(', '),
      'access-control-allow-headers': requestHeaders.join(', '),
      'access-control-max-age': String(preflightSeconds),
    },
  });
}

/**
 * Lets the requesting page read the response, even an error. Caches store the responses to different origins
 * separately.
 */
export function allowOrigin(headers: Headers, request: Request, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0 || !isShared(request)) return;
  headers.append('vary', 'Origin');
  const origin = namedOrigin(request, allowedOrigins);
  if (origin === undefined) return;
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-credentials', 'true');
  headers.set('access-control-expose-headers', exposedHeaders.join(', '));
}

/** The headers that the API and MCP read, except those that a browser sets by itself. A test detects a missing one. */
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

/** Response headers that programs read. A test detects a missing one. */
export const exposedHeaders: readonly string[] = [
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

/** How long a browser can reuse a preflight for an origin that was removed. The request itself is refused. */
const preflightSeconds = 600;

/**
 * Returns the request's origin if it is allowed. Compares exact text because browsers write an origin in only one way.
 */
function namedOrigin(request: Request, allowedOrigins: readonly string[]): string | undefined {
  const origin = request.headers.get('origin');
  return origin !== null && allowedOrigins.includes(origin) && isShared(request) ? origin : undefined;
}

/**
 * Returns false for pages, probes and the routes to sign-in providers, which are only for this origin. True for the API,
 * MCP, and what a program in a browser needs to connect to it.
 */
function isShared({ url }: Request): boolean {
  return URL.canParse(url) && /^\/(?:v1\/|mcp\/?$|oauth\/|\.well-known\/oauth-)/.test(new URL(url).pathname);
}
