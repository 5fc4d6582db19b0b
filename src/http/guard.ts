import type { AnyElysia } from 'elysia';
import { Refusal } from '../base/refusal.ts';
import type { Deps } from '../deps.ts';
import { readTraceContext } from '../server/traces.ts';
import { clientAddress, isLocal, networkOf } from './address.ts';
import { buildAudit, withAudit } from './audit/audited-request.ts';
import { recordDownload } from './audit/recorded.ts';
import { refusalAndLine } from './audit/refusals.ts';
import { readBearer, refuseTwoCredentials } from './bearer.ts';
import { refuseAnnouncedLength, refuseEncoding } from './body.ts';
import { refuseDuplicateSession } from './cookies.ts';
import { allowOrigin, buildPreflightResponse } from './cors.ts';
import { notFound, unknownParameter } from './errors.ts';
import { refuseCrossOrigin, refuseOtherNames } from './origin.ts';
import { failurePage, problemResponse } from './problems.ts';
import { type RequestFacts, remember } from './requests.ts';
import { type Route, RouteTable } from './routes.ts';

type RequestHandler = (request: Request) => Response | Promise<Response>;

/**
 * Wraps the whole application. Every response passes through here, even those without a route. Requests that can be
 * refused without a session are refused before the framework sees them.
 */
export function guard<App extends AnyElysia>(app: App, deps: Deps): App {
  // Fails at the start if a route declares nothing.
  void new RouteTable(app);
  // Built again at the first request, because the site adds the pages of the web client.
  let table: RouteTable | undefined;
  const lifecycle = deps.lifecycle;
  app.wrap((handler: unknown) => async (request: Request) => {
    table ??= new RouteTable(app);
    const started = performance.now();
    const leave = lifecycle.enter();
    const facts = receivedFrom(request, app.server?.requestIP(request)?.address ?? null, deps);
    const span = deps.traces.begin(facts.trace, meteredMethod(request.method));
    const response = await handleRequest(request, facts, table, handler as RequestHandler, deps);
    leave();
    const seconds = (performance.now() - started) / 1000;
    deps.requestMetrics.observe(
      meteredMethod(request.method),
      facts.route?.template ?? 'none',
      response.status,
      seconds,
    );
    // Health probes would dominate the traces.
    const route = facts.route?.template ?? null;
    if (route === null || !operatorPaths.has(route)) span.end({ route, status: response.status });
    // A listening server itself omits the body of a response to HEAD, and still sends its Content-Length.
    const bodiless = request.method === 'HEAD' && app.server === null;
    nameMetadata(response.headers, facts, deps.config.baseUrl);
    allowOrigin(response.headers, request, deps.config.allowedOrigins);
    return withHeaders(response, facts, deps, bodiless);
  });
  return app;
}

function receivedFrom(request: Request, socket: string | null, { config }: Deps): RequestFacts {
  const address = clientAddress(socket, request.headers.get('x-forwarded-for'), config.trustedProxies);
  return {
    id: crypto.randomUUID(),
    trace: readTraceContext(request.headers.get('traceparent')),
    address,
    network: networkOf(address),
    isLocal: isLocal(socket, request.headers),
    isSecure: config.secure,
    route: null,
    userId: null,
    tokenId: null,
  };
}

async function handleRequest(
  request: Request,
  facts: RequestFacts,
  table: RouteTable,
  handler: RequestHandler,
  deps: Deps,
): Promise<Response> {
  try {
    remember(request, facts);
    const effectiveRequest = readAsGet(withHost(request));
    remember(effectiveRequest, facts);
    const preflight = buildPreflightResponse(effectiveRequest, table, deps.config.allowedOrigins);
    if (preflight !== undefined) {
      deps.rateLimits.take('request', facts.network);
      return preflight;
    }
    refuseEarly(effectiveRequest, facts, table, deps);
    return await handleWithAudit(effectiveRequest, facts, handler, deps);
  } catch (error) {
    const allowed = error instanceof MethodNotAllowed ? { allow: error.allowed.join(', ') } : {};
    const refusal = refusalAndLine(deps, error, facts);
    return failurePage(request, refusal) ?? problemResponse(refusal, facts.id, allowed);
  }
}

/** Gives the request's transactions its action, which they record. */
async function handleWithAudit(
  request: Request,
  facts: RequestFacts,
  handler: RequestHandler,
  { database }: Deps,
): Promise<Response> {
  const audit = buildAudit(facts, new URL(request.url));
  const response = await withAudit(audit, () => handler(request));
  try {
    if (audit !== null) await recordDownload(database, audit, response);
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
  return response;
}

class MethodNotAllowed extends Refusal {
  constructor(readonly allowed: readonly string[]) {
    super(
      'method_not_allowed',
      `This server only accepts requests for ${allowed.join(', ')}. Use one of these addresses.`,
    );
  }
}

function refuseEarly(request: Request, facts: RequestFacts, table: RouteTable, deps: Deps): void {
  const url = new URL(request.url);
  const match = table.match(request.method, url.pathname);
  // PostgreSQL cannot store a NUL in text, so no resource has one in its name.
  if (url.pathname.includes('%00')) throw notFound();
  if (match.kind === 'none') throw notFound();
  if (match.kind === 'method') throw new MethodNotAllowed(match.allowed);
  facts.route = match.route;
  if (!operatorPaths.has(url.pathname)) deps.rateLimits.take('request', facts.network);
  refuseDuplicateSession(request);
  refuseTwoCredentials(request);
  refuseOrigin(request, match.route, [deps.config.baseUrl, ...deps.config.allowedOrigins]);
  // The body of a GET has no meaning (RFC 9110, 9.3.1) and is not read.
  if (match.route.method !== 'GET') {
    refuseEncoding(request);
    if (!match.route.streams) refuseAnnouncedLength(request);
  }
  refuseParameters(url, match.route);
}

function refuseOrigin(request: Request, route: Route, trustedOrigins: readonly string[]): void {
  const { isForPrograms = false, isDownload = false } = route.operation ?? {};
  // Browsers never add a token automatically, so a request with a token is intentional.
  if (isForPrograms || readBearer(request) === undefined) refuseCrossOrigin(request, trustedOrigins, isDownload);
  if (isForPrograms) refuseOtherNames(request, trustedOrigins);
}

function refuseParameters(url: URL, { queryNames, repeatedNames }: Route): void {
  const seen = new Set<string>();
  for (const [name, value] of url.searchParams) {
    if (queryNames !== null && !queryNames.has(name)) throw unknownParameter(name);
    if (value.includes('\0'))
      throw new Refusal('bad_request', 'A query parameter contains a NUL character. Remove it.');
    // A page of the web client may have any parameters, repeated any number of times.
    if (seen.has(name) && queryNames !== null && !repeatedNames.has(name))
      throw new Refusal('bad_request', 'A query parameter appears twice. Send it once.');
    seen.add(name);
  }
}

const commonMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the method as a metrics label. The caller chooses the method, so unknown methods must not add labels. */
function meteredMethod(method: string): string {
  return commonMethods.has(method) ? method : 'OTHER';
}

/**
 * Adds the address of the metadata, and the smallest useful scope, to the challenge of a resource for programs, so that
 * a program can ask the user for access (RFC 9728, section 5.1).
 */
function nameMetadata(headers: Headers, { route }: RequestFacts, baseUrl: string): void {
  const challenge = headers.get('www-authenticate');
  if (challenge === null || route?.operation?.isForPrograms !== true) return;
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${route.template}", scope="read"`;
  headers.set('www-authenticate', `${challenge}${challenge === 'Bearer' ? ' ' : ', '}${metadata}`);
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cache-control': 'no-store',
} as const;

/** Two years, as the browsers' preload lists require. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains';

/** Sets the request id and the security headers. A page sets its own content policy and cache time. */
function withHeaders(response: Response, facts: RequestFacts, deps: Deps, bodiless: boolean): Response {
  const { headers } = response;
  headers.set('x-request-id', facts.id);
  for (const [name, value] of Object.entries(securityHeaders)) if (!headers.has(name)) headers.set(name, value);
  if (deps.config.secure) headers.set('strict-transport-security', strictTransportSecurity);
  if (deps.lifecycle.draining) headers.set('connection', 'close');
  if (!bodiless) return response;
  void response.body?.cancel();
  return new Response(null, { status: response.status, headers });
}

/** Paths that operators poll from inside the network. */
const operatorPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Returns the request with a valid URL. A request has none if its Host is empty or invalid (RFC 9112, section 3.2), or
 * if it uses HTTP/1.0 without a Host. Health checks from load balancers do the latter and must get a response.
 */
function withHost(request: Request): Request {
  const host = request.headers.get('host');
  if (host !== null && !isHost(host)) throw noHost();
  if (URL.canParse(request.url)) return request;
  // Without a Host, the server passes only the target, which is a path.
  const path = request.url.split('?')[0] ?? '';
  if (host !== null || !isReading(request) || !operatorPaths.has(path)) throw noHost();
  return new Request(`http://localhost${request.url}`, { headers: request.headers });
}

/** Handles HEAD as GET because the framework's own HEAD would read a whole stream to measure it. */
function readAsGet(request: Request): Request {
  return request.method === 'HEAD' ? new Request(request.url, { headers: request.headers }) : request;
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns whether the header is one host. Two Host lines arrive as one with a comma, which no host contains. */
function isHost(host: string): boolean {
  return !/[\s,/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
}

function noHost(): Refusal {
  return new Refusal('bad_request', 'The Host header is missing, or is not a host.');
}
