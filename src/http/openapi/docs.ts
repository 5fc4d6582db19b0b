import { Elysia } from 'elysia';
import { htmlPage } from '../pages.ts';
import { pageFiles } from './page-files.ts';

/** Serves Swagger UI for `/v1/openapi.json`, with all of its files. */
export const docs = () => {
  const app = new Elysia({ prefix: '/docs', detail: { hide: true } }).get('', () =>
    htmlPage(page, contentSecurityPolicy),
  );
  for (const [name, { file, type }] of Object.entries(pageFiles)) {
    app.get(`/${name}`, async () => asset(await file().bytes(), type));
  }
  return app;
};

/** Allows only our own files. Swagger UI uses data: images. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lotbook API</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/start.css">
</head>
<body>
<div id="docs"></div>
<noscript>The document itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

function asset(body: Uint8Array<ArrayBuffer>, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } });
}
