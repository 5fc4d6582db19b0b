import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createSite } from '../../src/web/index.ts';
import { type RequestInput, sessionCookie, type TestApp, testApp } from '../support/app.ts';
import { csvOf } from '../support/books.ts';

/** The headers of every kind of response from a site on https. */
const page = { headers: { accept: 'text/html' } };
let app: TestApp;
let cookie: string;
let answers: ReadonlyMap<string, Response>;
let ask: (method: string, path: string, given?: RequestInput & { body?: string }) => Promise<Response>;
beforeAll(async () => {
  const env = { BASE_URL: 'https://lotbook.example', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  app = await testApp({ env });
  const site = createSite(app.deps);
  ask = async (method, path, { headers = {}, body = null, cookie: given } = {}) =>
    site.fetch(
      new Request(`http://localhost${path}`, {
        method,
        body,
        headers: { ...headers, ...(given === undefined ? {} : { cookie: given }) },
      }),
    );
  const json = { 'content-type': 'application/json' };
  const given = {
    headers: json,
    body: JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' }),
  };
  const registered = await ask('POST', '/v1/auth/register', given);
  cookie = sessionCookie(registered);
  const csv = { cookie, headers: { 'content-type': 'text/csv' }, body: csvOf('buy 2024-01-02 1 X @10') };
  const imported = await ask('POST', '/v1/transactions/import', csv);
  const { id } = (await imported.clone().json()) as { id: string };
  const index = await ask('GET', '/', page);
  const script = /\/assets\/[^"]+\.js/.exec(await index.clone().text())?.[0] ?? '';
  const more: Record<string, Response> = {
    'a refusal before the framework': await ask('POST', '/v1/plans'),
    'a refusal of a route': await ask('GET', '/v1/account'),
    'a body that is not valid': await ask('POST', '/v1/auth/login', { headers: json, body: '{"x":1}' }),
    'no address': await ask('GET', '/v1/nowhere'),
    'a list': await ask('GET', '/v1/transactions', { cookie }),
    'an answer to HEAD': await ask('HEAD', '/v1/transactions', { cookie }),
    'a download': await ask('GET', '/v1/transactions/export', { cookie }),
    'an original file': await ask('GET', `/v1/imports/${id}/file`, { cookie }),
    'an event stream': await ask('GET', '/v1/notifications/stream', { cookie }),
    'a page': index,
    'a page that is not there': await ask('GET', '/nowhere', page),
    'a page that did not change': await ask('GET', '/', {
      headers: { 'if-none-match': index.headers.get('etag') ?? '' },
    }),
    'a script': await ask('GET', script),
    'an icon': await ask('GET', '/favicon.svg'),
    'an icon for an app': await ask('GET', '/icon-maskable.svg'),
    'an icon list, the manifest of the app': await ask('GET', '/manifest.webmanifest'),
    'the way to the password': await ask('GET', '/.well-known/change-password'),
    'the document': await ask('GET', '/v1/openapi.json'),
    'the documentation': await ask('GET', '/docs'),
    'its style': await ask('GET', '/docs/swagger-ui.css'),
    'a probe': await ask('GET', '/livez'),
    'the way to a provider': await ask('GET', '/auth/google', page),
    'the way back from one': await ask('GET', '/auth/google/callback?state=x', page),
  };
  answers = new Map([['a sign-in', registered], ['an import', imported], ...Object.entries(more)]);
});
afterAll(async () => {
  for (const response of answers.values()) if (!response.bodyUsed) await response.body?.cancel();
  await app.close();
});

/** Returns true for files without user data, and for pages, which are revalidated each time. */
const isPublic = (name: string): boolean => /^(a page|a script|an icon|the document|its style)/.test(name);

describe('every response', () => {
  test('keeps browsers on https, for a year at least and for all subdomains', () => {
    for (const [name, { headers }] of answers) {
      const [, seconds, rest] = /^max-age=(\d+)(.*)$/.exec(headers.get('strict-transport-security') ?? '') ?? [];
      expect([name, Number(seconds) >= 31_536_000, rest]).toEqual([name, true, '; includeSubDomains']);
    }
  });

  test('has security headers that allow only necessary access', () => {
    for (const [name, { headers }] of answers) {
      const policy = headers.get('content-security-policy') ?? '';
      const [, plugins] = /object-src ([^;]+)/.exec(policy) ?? [];
      // Chrome uses a plugin to show a PDF in a blob.
      expect([name, plugins]).toEqual([name, /^a page/.test(name) ? 'blob:' : "'none'"]);
      for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
        expect([name, policy]).toEqual([name, expect.stringContaining(directive)]);
      }
      expect([name, /(?:script|style)-src[^;]*(unsafe|https?:|\*)/.test(policy)]).toEqual([name, false]);
      expect([name, headers.get('x-content-type-options')]).toEqual([name, 'nosniff']);
      expect([name, headers.get('referrer-policy')]).toEqual([name, 'no-referrer']);
      expect([name, headers.get('cross-origin-opener-policy')]).toEqual([name, 'same-origin']);
      expect([name, headers.get('cross-origin-resource-policy')]).toEqual([name, 'same-origin']);
    }
  });

  test('has a content type and, for text, a charset', () => {
    for (const [name, { headers, body, status }] of answers) {
      if (body === null || status === 304) continue;
      const type = headers.get('content-type') ?? '';
      expect([name, type]).toEqual([name, expect.stringMatching(/^(application|text|image)\//)]);
      if (/^text\/|\+xml/.test(type)) expect([name, type]).toEqual([name, expect.stringContaining('charset=')]);
    }
  });

  test('is not cached if it has user data', () => {
    for (const [name, { headers }] of answers) {
      if (isPublic(name)) continue;
      expect([name, headers.get('cache-control')]).toEqual([name, 'no-store']);
    }
  });

  test('is available to this origin only, for any request', async () => {
    for (const origin of ['https://elsewhere.example', 'null', 'https://lotbook.example']) {
      for (const [method, path] of [
        ['GET', '/v1/plans'],
        ['GET', '/v1/transactions'],
        ['OPTIONS', '/v1/transactions'],
      ] as const) {
        const { headers, body } = await ask(method, path, { cookie, headers: { origin } });
        await body?.cancel();
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });

  test('is sent directly over http: no program is silently redirected to https', () => {
    expect(answers.get('a list')?.status).toBe(200);
    expect(answers.get('a page')?.status).toBe(200);
  });
});

describe('a cookie on https', () => {
  test('is sent only over https, to no script, and with no cross-site request except a link', async () => {
    const all = [...answers.values()].flatMap(({ headers }) => headers.getSetCookie());
    expect(all.length).toBeGreaterThan(2);
    for (const line of all) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });

  test('has its secret only in the header', async () => {
    const secret = cookie.split('.')[1] ?? '';
    expect(secret).toHaveLength(32);
    for (const name of ['a sign-in', 'a list', 'an import', 'a page']) {
      expect([name, (await answers.get(name)?.clone().text())?.includes(secret)]).toEqual([name, false]);
    }
  });

  test('is bound to the host by its name, except the session, whose name is an API promise', async () => {
    const names = new Set(
      [...answers.values()].flatMap(({ headers }) => headers.getSetCookie()).map((line) => line.split('=')[0]),
    );
    expect([...names].sort()).toEqual(['__Host-device', '__Host-sign_in', 'session']);
  });

  test('is ignored if another site set it without the prefix', async () => {
    const body = JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' });
    const headers = { 'content-type': 'application/json' };
    const device = (response: Response) =>
      response.headers
        .getSetCookie()
        .find((line) => line.startsWith('__Host-device='))
        ?.split(';')[0] ?? '';
    const planted = `device=${'a'.repeat(32)}`;
    expect(device(await ask('POST', '/v1/auth/login', { headers, body, cookie: planted }))).not.toContain(planted);
    const kept = device(await ask('POST', '/v1/auth/login', { headers, body }));
    expect(device(await ask('POST', '/v1/auth/login', { headers, body, cookie: kept }))).toBe(kept);
  });
});
