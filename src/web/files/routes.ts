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
    .get('/favicon.svg', () => dayFile('image/svg+xml; charset=utf-8', drawIcon(7)))
    .get('/icon-maskable.svg', () => dayFile('image/svg+xml; charset=utf-8', drawIcon(0)))
    .get('/manifest.webmanifest', () => dayFile('application/manifest+json', JSON.stringify(manifest)))
    .get('/', ({ request }) => page(request), { query: PageQuery })
    .get(
      '/*',
      ({ request }) => {
        // A browser gets the page, which shows "not found". A program gets a problem response.
        const isApi = /^\/(v1|docs|assets|\.well-known)(\/|$)/.test(new URL(request.url).pathname);
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
  "manifest-src 'self'",
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

/** A small file whose address has no hash, so it is fetched again after a day. */
function dayFile(type: string, text: string): Response {
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'public, max-age=86400' } });
}

/**
 * Draws the icon: two lots in a book. A system that cuts icons into its own shape needs one without round corners. The
 * lots are within the inner 80%, which no shape cuts off.
 */
function drawIcon(radius: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${radius}" fill="#1f6b4a"/><path d="M8 22h16M8 16h10M8 10h6" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;
}

/** Lets a browser install the web client as an app. */
const manifest = {
  id: '/',
  name: 'Lotbook',
  short_name: 'Lotbook',
  description: 'Capital gains for US investors and traders: from any CSV to Form 8949.',
  lang: 'en-US',
  start_url: '/',
  display: 'standalone',
  background_color: '#f6f8f6',
  theme_color: '#1f6b4a',
  icons: [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: '/icon-maskable.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
  ],
};
