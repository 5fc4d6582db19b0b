import type { AnyElysia } from 'elysia';
import type { Operation } from '../../../src/http/operations/operations.ts';

/** Returns what the routes of the API declare, by name in the OpenAPI document, such as `GET /v1/clients/{id}`. */
export function declaredOperations(app: AnyElysia): ReadonlyMap<string, Operation> {
  const routes = app.routes as readonly { method: string; path: string; hooks?: { operation?: Operation } }[];
  return new Map(
    routes.flatMap(({ method, path, hooks }) => {
      const template = path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}');
      return hooks?.operation === undefined ? [] : [[`${method} ${template}`, hooks.operation] as const];
    }),
  );
}
