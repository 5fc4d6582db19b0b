import { Refusal } from '../base/refusal.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Writes from elsewhere, by the rule of Go 1.25's http.CrossOriginProtection: Sec-Fetch-Site decides where a browser
 * sends it, else Origin must name our host; a request with neither is no browser's. Our public address is trusted. A
 * download is no write, but costs work, and stands in the audit trail of whoever is led to it: its link is on our pages.
 */
export function refuseCrossOrigin(request: Request, publicOrigin: string, isDownload: boolean): void {
  if (safeMethods.has(request.method) && !isDownload) return;
  const site = request.headers.get('sec-fetch-site') ?? '';
  const origin = request.headers.get('origin') ?? '';
  if (site === 'same-origin' || site === 'none') return;
  if (origin !== '' && origin === publicOrigin) return;
  if (site === '' && (origin === '' || hostOf(origin) === hostHeader(request))) return;
  throw new Refusal('csrf', 'This request came from another site.');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The Host header, or the URL's host for a request made in memory. An origin's host has no default port. */
function hostHeader(request: Request): string {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return host.toLowerCase();
}
