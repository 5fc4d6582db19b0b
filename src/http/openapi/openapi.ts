import { type AnyElysia, Elysia } from 'elysia';
import { openApiDocument } from './document.ts';

/** `/v1/openapi.json`, made from the routes at its first request. */
export const openapi = (appOf: () => AnyElysia) => {
  let text: string | undefined;
  return new Elysia().get(
    '/v1/openapi.json',
    () => {
      text ??= JSON.stringify(openApiDocument(appOf()));
      return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } });
    },
    { detail: { hide: true } },
  );
};
