import { Elysia } from 'elysia';
import { htmlPage } from '../pages.ts';
import { swaggerFiles } from './swagger.ts';

/** Swagger UI over `/v1/openapi.json`, with all its files served from here. */
export const docs = () => {
  const app = new Elysia({ prefix: '/docs', detail: { hide: true } })
    .get('', () => htmlPage(page, contentSecurityPolicy))
    .get('/start.js', () => asset(start, 'text/javascript; charset=utf-8'))
    .get('/start.css', () => asset(layout, 'text/css; charset=utf-8'));
  for (const [name, { file, type }] of Object.entries(swaggerFiles)) {
    app.get(`/${name}`, async () => asset(await file().bytes(), type));
  }
  return app;
};

/** Only our own files. Swagger UI sets inline styles and uses data: images. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
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

const start = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

const layout = 'body { margin: 0; background: #fff; }\n';

function asset(body: string | Uint8Array<ArrayBuffer>, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } });
}
