import { type AnyElysia, Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { openApiDocument } from './document.ts';

/** `/v1/openapi.json`: of the routes as they stand when it is first asked. */
export const openapi = (deps: Deps, appOf: () => AnyElysia) => {
  let text: string | undefined;
  return new Elysia().get(
    '/v1/openapi.json',
    () => {
      text ??= JSON.stringify(openApiDocument(appOf(), deps.config.baseUrl));
      return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } });
    },
    { detail: { hide: true } },
  );
};
