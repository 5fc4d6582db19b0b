import { Elysia } from 'elysia';
import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import startStyles from './start.css' with { type: 'file' };
import start from './start.js' with { type: 'file' };

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

/** Returns an HTML page with its content security policy. */
function htmlPage(html: string, contentSecurityPolicy: string): Response {
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    },
  });
}

/**
 * The files of the docs page: Swagger UI and our additions, embedded in the binary. @elysiajs/static serves a folder,
 * which a binary does not have. `with { type: 'file' }` is a Bun extension, so only this file uses it.
 */
const pageFiles = {
  'swagger-ui-bundle.js': { file: () => Bun.file(bundle), type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { file: () => Bun.file(styles), type: 'text/css; charset=utf-8' },
  'start.js': { file: () => Bun.file(start), type: 'text/javascript; charset=utf-8' },
  'start.css': { file: () => Bun.file(startStyles), type: 'text/css; charset=utf-8' },
  'favicon.png': { file: () => Bun.file(icon), type: 'image/png' },
} as const;
