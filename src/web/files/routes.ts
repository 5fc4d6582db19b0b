import { Elysia, t } from 'elysia';
import { notFound } from '../../http/errors.ts';
import { clientBundle } from './bundle.ts';
import { type ClientFile, type ContentEncoding, contentEncodings } from './client-file.ts';

/** Serves the web client: its files, and its HTML page at every path that no other route has. */
export const clientRoutes = () =>
  new Elysia({ detail: { hide: true } })
    .get('/assets/:name', async ({ params, request }) => {
      const file = (await clientBundle()).files.get(`/assets/${params.name}`);
      if (file === undefined) throw notFound();
      // The name contains the hash of the content, so the file never changes.
      return fileResponse(file, request, { 'cache-control': 'public, max-age=31536000, immutable' });
    })
    .get('/favicon.svg', () => {
      return new Response(icon, {
        headers: { 'content-type': 'image/svg+xml; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      });
    })
    .get('/', ({ request }) => page(request), { query: PageQuery })
    .get(
      '/*',
      ({ request }) => {
        // A browser gets the page, which shows "not found". A program gets a problem response.
        const isApi = /^\/(v1|docs|assets)(\/|$)/.test(new URL(request.url).pathname);
        if (isApi || !(request.headers.get('accept') ?? '').includes('text/html')) throw notFound();
        return page(request);
      },
      { query: PageQuery },
    );

/** Filters in an address are the page's own business. */
const PageQuery = t.Object({}, { additionalProperties: true });

async function page(request: Request): Promise<Response> {
  const { index, etag } = await clientBundle();
  const headers = { 'cache-control': 'no-cache', etag, 'content-security-policy': contentSecurityPolicy };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return fileResponse(index, request, headers);
}

/** Allows only files and responses from this server. The preview of a PDF is a blob that the page creates. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  // Chrome's PDF viewer is a plugin, and a blob inherits the policy of the page that created it.
  'object-src blob:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

function fileResponse(file: ClientFile, request: Request, headers: Readonly<Record<string, string>>): Response {
  const encoding = encodingFor(request.headers.get('accept-encoding') ?? '');
  const coded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  return new Response(file.bodies[encoding], {
    headers: { ...headers, ...coded, 'content-type': file.type, vary: 'accept-encoding' },
  });
}

/** Returns the smallest encoding that the browser accepts (RFC 9110, 12.5.3). */
function encodingFor(accepted: string): ContentEncoding {
  const refused = new Set(
    accepted.split(',').flatMap((each) => (/;\s*q=0(\.0*)?\s*$/.test(each) ? [each.split(';')[0]?.trim()] : [])),
  );
  const named = new Set(accepted.split(',').map((each) => each.split(';')[0]?.trim()));
  return contentEncodings.find((each) => named.has(each) && !refused.has(each)) ?? 'identity';
}

/** The icon: two lots in a book. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6b4a"/><path d="M8 22h16M8 16h10M8 10h6" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;
