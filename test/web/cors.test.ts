import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { fetchToken } from '../support/mcp.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

/**
 * Pages from other origins in a real browser. `localhost` on another port is the same site, and a numeric address is
 * another site.
 */
const pages = ['localhost', '127.0.0.1', 'localhost'].map((hostname) =>
  Bun.serve({
    hostname,
    port: 0,
    fetch: () => new Response('<title>A page</title>', { headers: { 'content-type': 'text/html' } }),
  }),
);
const [sameSite = '', otherSite = '', unnamed = ''] = pages.map(({ url }) => url.origin);

let site: Site;
let who: TestClient;
beforeAll(async () => {
  site = await siteWithBrowser({ env: { ALLOWED_ORIGINS: `${sameSite},${otherSite}` } });
  who = await site.app.register();
});
afterAll(async () => {
  await site.close();
  for (const page of pages) await page.stop(true);
});

interface Tried {
  /** The status of the response, or that the browser blocks it. */
  readonly summary: number | string;
  readonly etag: string | null;
  readonly made: number | string;
  readonly file: string | null;
  readonly stream: string;
}

/** Returns the result for a page from that origin that calls the API with a session, or else with a token. */
async function triedFrom(origin: string, token: string | null): Promise<Tried> {
  const context = await site.browser.newContext();
  const [name = '', value = ''] = who.cookie.split('=');
  await context.addCookies([{ name, value, url: site.url, sameSite: 'Lax' }]);
  const page = await context.newPage();
  await page.goto(origin);
  const tried = await page.evaluate(
    async ({ api, token, key }) => {
      const ask = async (path: string, init: RequestInit = {}) => {
        const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
        const headers = { ...authorization, ...init.headers };
        const answer = await fetch(new URL(path, api), {
          ...init,
          headers,
          credentials: token === null ? 'include' : 'omit',
        }).catch(() => null);
        return { status: answer?.status ?? 'unseen', headers: answer?.headers };
      };
      const summary = await ask('/v1/tax/summary?year=2024');
      const body = JSON.stringify({ date: '2024-06-01', type: 'buy', asset: 'Z', quantity: '1', amount: '1' });
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const made = await ask('/v1/transactions', { method: 'POST', body, headers });
      const file = await ask('/v1/transactions/export');
      const stream = await new Promise<string>((resolve) => {
        const source = new EventSource(new URL('/v1/notifications/stream', api), { withCredentials: true });
        const end = (event: Event) => {
          source.close();
          resolve(event.type);
        };
        source.onopen = end;
        source.onerror = end;
      });
      return {
        ...{ summary: summary.status, etag: summary.headers?.get('etag') ?? null, made: made.status, stream },
        file: file.headers?.get('content-disposition') ?? null,
      };
    },
    { api: site.url, token, key: crypto.randomUUID() },
  );
  await context.close();
  return tried;
}

const transactions = async () => (await who.json<{ data: unknown[] }>('GET', '/v1/transactions')).data.length;

test('a page of an unlisted origin can neither read nor write, with a session or with a token', async () => {
  const nothing = { summary: 'unseen', etag: null, made: 'unseen', file: null, stream: 'error' };
  expect(await triedFrom(unnamed, null)).toEqual(nothing);
  expect(await triedFrom(unnamed, await fetchToken(who, ['read', 'write']))).toEqual(nothing);
  expect(await transactions()).toBe(0);
});

test('a listed page on the same site has the session, and reads the headers of responses', async () => {
  expect(await triedFrom(sameSite, null)).toEqual({
    summary: 200,
    etag: expect.stringMatching(/^"\w+"$/),
    made: 201,
    file: expect.stringContaining('attachment'),
    stream: 'open',
  });
  expect(await transactions()).toBe(1);
});

test('a listed page on another site has no session, and uses a token', async () => {
  const refused = { summary: 401, etag: null, made: 401, file: null, stream: 'error' };
  expect(await triedFrom(otherSite, null)).toEqual(refused);
  const byToken = await triedFrom(otherSite, await fetchToken(who, ['read', 'write']));
  expect(byToken).toMatchObject({ summary: 200, etag: expect.any(String), made: 201 });
  expect(byToken.file).toContain('attachment');
  expect(await transactions()).toBe(2);
});
