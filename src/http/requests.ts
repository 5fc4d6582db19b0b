import type { TraceContext } from '../server/traces.ts';
import type { Route } from './routes.ts';

/** Facts that the guard collects about a request before the framework sees it. */
export interface RequestFacts {
  readonly id: string;
  /** The trace context, shared with the sender's systems. */
  readonly trace: TraceContext;
  /** The client's address behind the proxies we trust. */
  readonly address: string;
  /** The client's address or IPv6 network, used as the key for rate limits. */
  readonly network: string;
  /** The request comes from this machine, and not through a proxy. */
  readonly isLocal: boolean;
  /** The public address is https. */
  readonly isSecure: boolean;
  route: Route | null;
  /** The user, once known. */
  userId: string | null;
  /** The token that a program sent. */
  tokenId: string | null;
}

/** Fields in the log that help to find a request. */
export function logFieldsOf({ id, trace, route, userId }: RequestFacts) {
  return { requestId: id, traceId: trace.traceId, route: route?.template, userId: userId ?? undefined };
}

/** The framework receives only the Request, so the facts are attached to it. */
const factsByRequest = new WeakMap<Request, RequestFacts>();

export function remember(request: Request, facts: RequestFacts): void {
  factsByRequest.set(request, facts);
}

export function getRequestFacts(request: Request): RequestFacts {
  const facts = factsByRequest.get(request);
  if (facts === undefined) throw new Error('A request bypassed the guard.');
  return facts;
}

/** Returns whether the client prefers an immediate response and will fetch the result later (RFC 7240). */
export function prefersAsync(request: Request): boolean {
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(request.headers.get('prefer') ?? '');
}
