import { Refusal } from '../base/refusal.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses cross-site writes by the rule of Go 1.25's http.CrossOriginProtection. If a browser sends Sec-Fetch-Site,
 * that header determines the result. Otherwise Origin must name our host. A request with neither is not from a browser.
 * Our public address and the operator's origins are trusted. A download is not a write, but it takes work and appears
 * in the audit trail, so it is refused too: its links are on our pages.
 */
export function refuseCrossOrigin(request: Request, trustedOrigins: readonly string[], isDownload: boolean): void {
  if (safeMethods.has(request.method) && !isDownload) return;
  const site = request.headers.get('sec-fetch-site') ?? '';
  const origin = request.headers.get('origin') ?? '';
  if (site === 'same-origin' || site === 'none') return;
  if (trustedOrigins.includes(origin)) return;
  if (site === '' && (origin === '' || hostOf(origin) === hostHeader(request))) return;
  throw crossSite();
}

/**
 * Refuses pages for endpoints that only programs use. An attacker whose domain name points at this machine (DNS
 * rebinding) has a page with equal Origin and Host. Therefore only our public address, the operator's origins and hosts
 * outside of DNS count.
 */
export function refuseOtherNames(request: Request, trustedOrigins: readonly string[]): void {
  const origin = request.headers.get('origin');
  if (origin === null || trustedOrigins.includes(origin)) return;
  if (hostOf(origin) === hostHeader(request) && isFixed(new URL(origin).hostname)) return;
  throw crossSite();
}

function crossSite(): Refusal {
  return new Refusal('csrf', 'This request came from another site. Open the page of Lotbook and try again.');
}

/** Returns whether the host is localhost or an IP address. */
function isFixed(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\d+(?:\.\d+){3}|\[.*\])$/.test(hostname);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Returns the Host header, or the URL's host for a request made in memory. An origin's host has no default port. */
function hostHeader(request: Request): string {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return host.toLowerCase();
}
