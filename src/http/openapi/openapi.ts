import { type AnyElysia, Elysia } from 'elysia';
import { openApiDocument } from './document.ts';
import type { NamedWords } from './document-schemas.ts';

/** `/v1/openapi.json`, made from the routes at its first request. */
export const openapi = (appOf: () => AnyElysia, words: NamedWords) => {
  let text: string | undefined;
  return new Elysia().get(
    '/v1/openapi.json',
    () => {
      text ??= JSON.stringify(openApiDocument(appOf(), words));
      return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } });
    },
    { detail: { hide: true } },
  );
};
