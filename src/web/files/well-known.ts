import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../http/errors.ts';

/** Addresses that programs look for on every website (RFC 8615). */
export const wellKnownRoutes = (deps: Pick<Deps, 'clock' | 'config'>) =>
  new Elysia({ detail: { hide: true } })
    .get('/.well-known/security.txt', () => {
      const { baseUrl, secure, securityContacts } = deps.config;
      if (securityContacts.length === 0) throw notFound();
      const expires = new Date(deps.clock.now().getTime() + validMilliseconds);
      const lines = [
        ...securityContacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
        // A canonical address must begin with https.
        ...(secure ? [`Canonical: ${baseUrl}/.well-known/security.txt`] : []),
        'Preferred-Languages: en',
      ];
      return new Response(`${lines.join('\n')}\n`, {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      });
    })
    .get('/.well-known/change-password', () => {
      return new Response(null, { status: 302, headers: { location: '/account/security' } });
    });

/** RFC 9116 recommends less than a year. The file is written for each request, so it never expires on a running server. */
const validMilliseconds = 90 * 86_400_000;
