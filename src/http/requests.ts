import type { TraceContext } from '../server/traces.ts';
import type { Route } from './routes.ts';

/** Facts that the guard collects about a request before the framework sees it. */
export interface RequestFacts {
  readonly id: string;
  /** Its trace context, shared with the sender's systems. */
  readonly trace: TraceContext;
  /** The client's address behind the proxies we trust. */
  readonly address: string;
  /** Its address or its IPv6 network, the key of rate limits. */
  readonly network: string;
  /** From this machine, and not through a proxy. */
  readonly isLocal: boolean;
  /** The public address is https. */
  readonly isSecure: boolean;
  route: Route | null;
  /** The user, when known. */
  userId: string | null;
  /** The token of a program. */
  tokenId: string | null;
}

/** Fields of a request in the log that help to find it. */
export function logFieldsOf({ id, trace, route, userId }: RequestFacts) {
  return { requestId: id, traceId: trace.traceId, route: route?.template, userId: userId ?? undefined };
}

/** The framework receives only the Request, so the facts are attached to it. */
const known = new WeakMap<Request, RequestFacts>();

export function remember(request: Request, facts: RequestFacts): void {
  known.set(request, facts);
}

export function getRequestFacts(request: Request): RequestFacts {
  const facts = known.get(request);
  if (facts === undefined) throw new Error('A request bypassed the guard.');
  return facts;
}
