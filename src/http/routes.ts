import type { AnyElysia } from 'elysia';
import { isObject } from '../base/json.ts';
import type { Operation } from './operations.ts';

/** Properties of a route that the guard needs before the framework sees the request. */
export interface Route {
  readonly method: string;
  /** `/v1/clients/:id` */
  readonly template: string;
  /** Null for a page of the web client, a file of a page, and the API document. They are public. */
  readonly operation: Operation | null;
  /** The route reads the body itself, as a stream. */
  readonly streams: boolean;
  /** The names of its query parameters, or null if it accepts any. */
  readonly queryNames: ReadonlySet<string> | null;
  /** The parameters that may be repeated. */
  readonly repeatedNames: ReadonlySet<string>;
}

type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

/**
 * Finds the route for a method and a path, or otherwise the methods that the path supports. The framework returns 404
 * in both cases.
 */
export class RouteTable {
  private readonly static = new Map<string, Route[]>();
  private readonly dynamic = new Map<number, { readonly segments: readonly string[]; readonly route: Route }[]>();
  /** `GET /*`, for a site that serves a page at every other path. */
  private fallback: Route | undefined;

  constructor(app: AnyElysia) {
    for (const frameworkRoute of app.routes) this.add(toRoute(frameworkRoute as FrameworkRoute));
  }

  match(method: string, path: string): RouteMatch {
    const routes = this.routesAt(path);
    const route = routes.find((candidate) => candidate.method === method);
    if (route !== undefined) return { kind: 'route', route };
    if (routes.length === 0 && method === 'GET' && this.fallback !== undefined) {
      return { kind: 'route', route: this.fallback };
    }
    if (routes.length === 0) return { kind: 'none' };
    const methods = routes.flatMap((candidate) => (candidate.method === 'GET' ? ['GET', 'HEAD'] : [candidate.method]));
    return { kind: 'method', allowed: [...new Set(methods)].sort() };
  }

  private add(route: Route): void {
    const path = trimSlash(route.template);
    if (path === '/*') {
      this.fallback = route;
      return;
    }
    if (!path.includes('/:')) {
      this.static.set(path, [...(this.static.get(path) ?? []), route]);
      return;
    }
    const segments = path.split('/');
    const alike = this.dynamic.get(segments.length) ?? [];
    alike.push({ segments, route });
    this.dynamic.set(segments.length, alike);
  }

  /** A literal path wins over paths with parameters, whatever the method (OpenAPI 3.1, Paths Object). */
  private routesAt(path: string): Route[] {
    const literal = this.static.get(trimSlash(path));
    if (literal !== undefined) return literal;
    const segments = trimSlash(path).split('/');
    const dynamic = (this.dynamic.get(segments.length) ?? []).filter(({ segments: routeSegments }) =>
      routeSegments.every((word, at) => (word.startsWith(':') ? segments[at] !== '' : word === segments[at])),
    );
    return dynamic.map(({ route }) => route);
  }
}

interface FrameworkRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks?: {
    readonly operation?: Operation;
    readonly detail?: { readonly hide?: boolean };
    readonly parse?: unknown;
    readonly query?: QuerySchema;
    readonly standaloneValidator?: readonly { readonly query?: QuerySchema }[];
  };
}

interface QuerySchema {
  readonly properties?: object;
  readonly additionalProperties?: unknown;
}

function toRoute({ method, path, hooks }: FrameworkRoute): Route {
  const parsers = [hooks?.parse ?? []].flat();
  const schemas = [hooks?.query, ...(hooks?.standaloneValidator ?? []).map((validator) => validator.query)];
  const parameters = schemas.flatMap((schema) => Object.entries(schema?.properties ?? {}));
  if (hooks?.operation === undefined && hooks?.detail?.hide !== true)
    throw new Error(
      `${method} ${path} does not declare who may use it. Pass open(…), signedIn(…) or onBooks(…) as its options (src/http/operations.ts).`,
    );
  return {
    method,
    template: trimSlash(path),
    operation: hooks.operation ?? null,
    streams: parsers.some((parser) => parser === 'none' || (isObject(parser) && parser.fn === 'none')),
    queryNames: schemas.some((schema) => schema?.additionalProperties === true)
      ? null
      : new Set(parameters.map(([name]) => name)),
    repeatedNames: new Set(parameters.flatMap(([name, schema]) => (isSeveral(schema) ? name : []))),
  };
}

/** Returns whether a parameter may be repeated. `severalParameter` documents itself as a list (http/schemas). */
function isSeveral(schema: unknown): boolean {
  return isObject(schema) && isObject(schema.documentedAs) && schema.documentedAs.type === 'array';
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
