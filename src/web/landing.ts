import { Elysia, t } from 'elysia';
import { type RefusalCode, refusalCodes } from '../base/refusal.ts';
import { escapeHtml, htmlPage } from '../http/pages.ts';
import { problemTable } from '../http/problems.ts';
import { query } from '../http/schemas.ts';

/** The first page until the web client exists. A sign-in through a provider ends here. */
export const landing = () =>
  new Elysia({ detail: { hide: true } })
    .get('/', () => htmlPage(pageOf('Capital gains, from any CSV to Form 8949', welcome), contentSecurityPolicy))
    .get('/auth/callback', ({ query: given }) => htmlPage(pageOf(...returned(given.error)), contentSecurityPolicy), {
      query: query({ error: t.Optional(t.String()) }),
    });

const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const welcome = `<p>Upload what your broker gave you, read your gains, download the forms.</p>
<ul>
<li><a href="/docs">The API, to read and to try</a></li>
<li><a href="/v1/openapi.json">Its OpenAPI document</a></li>
<li>Sign in with <a href="/auth/google">Google</a> or <a href="/auth/github">GitHub</a></li>
</ul>`;

function returned(error: string | undefined): [title: string, body: string] {
  if (error === undefined) return ['You are signed in', '<p>Go on to <a href="/docs">the API</a>.</p>'];
  const reason = isCode(error) ? `${problemTable[error][1]}.` : 'It did not work.';
  return ['The sign-in did not work', `<p>${escapeHtml(reason)} <a href="/">Start again</a>.</p>`];
}

function isCode(text: string): text is RefusalCode {
  return refusalCodes.some((code) => code === text);
}

function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lotbook: ${escapeHtml(title)}</title>
<style>
body { font: 17px/1.6 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.2rem; color: #1c2430; }
h1 { font-size: 1.1rem; letter-spacing: .04em; text-transform: uppercase; color: #2f6f4f; }
h2 { font-size: 1.7rem; line-height: 1.25; }
a { color: #1a5fb4; }
</style>
</head>
<body>
<h1>Lotbook</h1>
<h2>${escapeHtml(title)}</h2>
${body}
</body>
</html>
`;
}
