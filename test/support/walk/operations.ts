import type { AnyElysia } from 'elysia';
import type { Operation } from '../../../src/http/operations.ts';
import { type AddressedOperation, documentedApp } from './api-document.ts';

/** What the routes of the API declare, by name in the OpenAPI document, such as `GET /v1/clients/{id}`. */
export const declared: ReadonlyMap<string, Operation> = declaredOperations(documentedApp);

export function ruleFor({ method, path }: Pick<AddressedOperation, 'method' | 'path'>): Operation | undefined {
  return declared.get(`${method} ${path}`);
}

function declaredOperations(app: AnyElysia): ReadonlyMap<string, Operation> {
  const routes = app.routes as readonly { method: string; path: string; hooks?: { operation?: Operation } }[];
  return new Map(
    routes.flatMap(({ method, path, hooks }) => {
      const template = path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}');
      return hooks?.operation === undefined ? [] : [[`${method} ${template}`, hooks.operation] as const];
    }),
  );
}
