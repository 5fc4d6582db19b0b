import { Refusal } from '../../base/refusal.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Writes from elsewhere, by the rule of Go 1.25's http.CrossOriginProtection: Sec-Fetch-Site decides where a browser
 * sends it, else Origin must name our host; a request with neither is no browser's. Our public address is trusted, and so
 * are the origins that the operator named. A download is no write, but costs work, and stands in the audit trail of whoever
 * is led to it: its link is on our pages.
 */
export function refuseCrossOrigin(request: Request, trustedOrigins: readonly string[], isDownload: boolean): void {
  if (safeMethods.has(request.method) && !isDownload) return;
  const site = request.headers.get('sec-fetch-site') ?? '';
  const origin = request.headers.get('origin') ?? '';
  if (site === 'same-origin' || site === 'none') return;
  if (trustedOrigins.includes(origin)) return;
  if (site === '' && (origin === '' || hostOf(origin) === hostHeader(request))) return;
  throw new Refusal('csrf', 'This request came from another site.');
}

/**
 * For what programs ask and no page should. Whoever points a name of their own at this machine (DNS rebinding) has a page
 * whose Origin and Host agree: only our public address counts, what the operator named, and what no name server gives away.
 */
export function refuseOtherNames(request: Request, trustedOrigins: readonly string[]): void {
  const origin = request.headers.get('origin');
  if (origin === null || trustedOrigins.includes(origin)) return;
  if (hostOf(origin) === hostHeader(request) && isFixed(new URL(origin).hostname)) return;
  throw new Refusal('csrf', 'This request came from another site.');
}

/** Localhost, or an address. */
function isFixed(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\d+(?:\.\d+){3}|\[.*\])$/.test(hostname);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The Host header, or the URL's host for a request made in memory. An origin's host has no default port. */
function hostHeader(request: Request): string {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return host.toLowerCase();
}
