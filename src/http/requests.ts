import type { Route } from './routes.ts';

/** What is known of a request beside the request itself. */
export interface RequestFacts {
  readonly id: string;
  /** The client's address behind the proxies we trust: what rate limits count by. */
  readonly address: string;
  route: Route | null;
}

const known = new WeakMap<Request, RequestFacts>();

export function remember(request: Request, facts: RequestFacts): void {
  known.set(request, facts);
}

export function factsOf(request: Request): RequestFacts {
  const facts = known.get(request);
  if (facts === undefined) throw new Error('A request came past the guard.');
  return facts;
}
