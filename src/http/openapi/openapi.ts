import { type AnyElysia, Elysia } from 'elysia';
import type { NamedWords } from './document-schemas.ts';

/**
 * Serves `/v1/openapi.json`, created from the routes at its first request, which also loads about 16 MB of libraries.
 */
export const openapi = (appOf: () => AnyElysia, words: NamedWords) => {
  let text: Promise<string> | undefined;
  return new Elysia().get(
    '/v1/openapi.json',
    async () => {
      text ??= renderDocument(appOf(), words);
      return new Response(await text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } });
    },
    { detail: { hide: true } },
  );
};

async function renderDocument(app: AnyElysia, words: NamedWords): Promise<string> {
  const { openApiDocument } = await import('./document.ts');
  return JSON.stringify(openApiDocument(app, words));
}
