import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { exposedHeaders, requestHeaders } from '../../src/http/cors.ts';
import { type RequestInput, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf } from '../support/books.ts';
import { fetchToken, programAt } from '../support/mcp.ts';
import { lookalikes, namedOrigins } from '../support/origins.ts';
import { miniApp, readProblem } from './mini.ts';

/** Covers requests from pages on other origins, both those listed in ALLOWED_ORIGINS and all others. */
const [origin = ''] = namedOrigins;
const env = { ALLOWED_ORIGINS: namedOrigins.join(',') };

let app: TestApp;
let who: TestClient;
let token: string;
beforeAll(async () => {
  app = await testApp({ env });
  who = await app.register();
  token = await fetchToken(who, ['read']);
});
afterAll(() => app.close());

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
/** Returns the headers of every response to an allowed origin. */
const readable = (named = origin) => ({
  'access-control-allow-origin': named,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': exposedHeaders.join(', '),
});
const preflight = (path: string, from: string, method = 'POST') =>
  app.request('OPTIONS', path, { headers: { origin: from, 'access-control-request-method': method } });
/** Sends the headers that a browser sends from a page on another site. */
const fromPage = (input: RequestInput, from = origin): RequestInput => ({
  ...input,
  headers: { 'sec-fetch-site': 'cross-site', origin: from, ...input.headers },
});

describe('a preflight', () => {
  test.each([
    ['/v1/transactions', 'GET, HEAD, POST'],
    ['/v1/transactions/7f0c', 'DELETE, GET, HEAD, PATCH'],
    ['/v1/tax/summary', 'GET, HEAD'],
    ['/mcp', 'POST'],
  ])('gives an allowed origin the list of what it can send for %s', async (path, methods) => {
    for (const named of namedOrigins) {
      const response = await preflight(path, named);
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(corsOf(response)).toEqual({
        ...readable(named),
        'access-control-allow-methods': methods,
        'access-control-allow-headers': requestHeaders.join(', '),
        'access-control-max-age': '600',
      });
      expect(response.headers.get('vary')).toBe('Origin');
    }
  });

  test('gives an unlisted origin a 405, as without CORS', async () => {
    for (const other of lookalikes) {
      const response = await preflight('/v1/transactions', other);
      expect([other, response.status, corsOf(response)]).toEqual([other, 405, {}]);
      expect([response.headers.get('allow'), response.headers.get('vary')]).toEqual(['GET, HEAD, POST', 'Origin']);
    }
  });

  test('returns 404 for an unknown path, and 405 for OPTIONS that is not a preflight', async () => {
    const nowhere = await preflight('/v1/nowhere', origin);
    expect([nowhere.status, corsOf(nowhere)]).toEqual([404, readable()]);
    const plain = await app.request('OPTIONS', '/v1/plans', { headers: { origin } });
    expect([plain.status, corsOf(plain)]).toEqual([405, readable()]);
  });

  test('is refused by pages, probes and provider routes outside the API', async () => {
    for (const path of ['/livez', '/docs', '/auth/google']) {
      const response = await preflight(path, origin, 'GET');
      expect([path, response.status, corsOf(response)]).toEqual([path, 405, {}]);
      expect([path, response.headers.get('vary')]).toEqual([path, null]);
    }
  });

  test('counts against the rate limit', async () => {
    const routes = () => new Elysia().get('/v1/data', () => 'data');
    const limited = miniApp(routes, { env: { ...env, RATE_LIMIT_FACTOR: '0.0002' } });
    const headers = { origin, 'access-control-request-method': 'GET' };
    const ask = () => limited.ask('OPTIONS', '/v1/data', { headers });
    expect((await ask()).status).toBe(204);
    const refused = await ask();
    expect([refused.status, corsOf(refused)]).toEqual([429, readable()]);
  });
});

describe('a page of an allowed origin', () => {
  test('reads with the session or with a token, and revalidates cached responses', async () => {
    const year = '/v1/tax/summary?year=2024';
    const read = await who.request('GET', year, fromPage({}));
    expect([read.status, corsOf(read), read.headers.get('vary')]).toEqual([200, readable(), 'cookie, Origin']);
    const etag = read.headers.get('etag') ?? '';
    const again = await who.request('GET', year, fromPage({ headers: { 'if-none-match': etag } }));
    expect([again.status, corsOf(again), again.headers.get('vary')]).toEqual([304, readable(), 'cookie, Origin']);
    const byToken = await app.request('GET', year, fromPage({ headers: { authorization: `Bearer ${token}` } }));
    expect([byToken.status, corsOf(byToken)]).toEqual([200, readable()]);
  });

  test('writes', async () => {
    const body = csvOf('buy 2024-01-02 1 X @10');
    const input = fromPage({ body, headers: { 'content-type': 'text/csv' } });
    const response = await who.request('POST', '/v1/transactions/import', input);
    expect([response.status, corsOf(response)]).toEqual([201, readable()]);
  });

  test('can read errors from the guard, the framework and a route', async () => {
    const refusals: readonly (readonly [status: number, method: string, path: string, given: RequestInput])[] = [
      [401, 'GET', '/v1/account', { cookie: '' }],
      [404, 'GET', '/v1/nowhere', {}],
      [405, 'POST', '/v1/plans', {}],
      [400, 'GET', '/v1/plans?surprise=1', {}],
      [400, 'POST', '/v1/auth/login', { body: '{', headers: { 'content-type': 'application/json' } }],
      [415, 'POST', '/v1/auth/login', { body: '{}', headers: { 'content-type': 'text/plain' } }],
      [422, 'POST', '/v1/auth/login', { body: {} }],
      [400, 'GET', '/v1/plans', { headers: { host: 'a b' } }],
    ];
    for (const [status, method, path, given] of refusals) {
      const response = await who.request(method, path, fromPage(given));
      expect([path, response.status, corsOf(response)]).toEqual([path, status, readable()]);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  test('downloads a file and follows a stream', async () => {
    const file = await who.request('GET', '/v1/transactions/export', fromPage({}));
    expect([file.status, corsOf(file)]).toEqual([200, readable()]);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect(await file.text()).toStartWith('date,');
    const stream = await who.request('GET', '/v1/notifications/stream', fromPage({}));
    expect([stream.headers.get('content-type'), corsOf(stream)]).toEqual([
      'text/event-stream; charset=utf-8',
      readable(),
    ]);
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toStartWith('retry:');
    await reader?.cancel();
  });

  test('uses MCP with a token', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const input = fromPage({ headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    const response = await app.request('POST', '/mcp', input);
    expect([response.status, corsOf(response)]).toEqual([200, readable()]);
  });
});

describe('a page of an unlisted origin', () => {
  test('cannot write, download, use MCP or read any response', async () => {
    const body = csvOf('buy 2024-03-02 1 Y @10');
    const headers = { 'content-type': 'text/csv' };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const before = await (await who.request('GET', '/v1/status')).text();
    for (const other of lookalikes) {
      const answers = [
        await who.request('POST', '/v1/transactions/import', fromPage({ body, headers }, other)),
        await who.request('GET', '/v1/transactions/export', fromPage({}, other)),
        await app.request('POST', '/mcp', fromPage({ body: message }, other)),
      ];
      for (const response of answers) {
        expect([other, response.status, (await readProblem(response)).code]).toEqual([other, 403, 'csrf']);
        expect([other, corsOf(response), response.headers.get('vary')]).toEqual([other, {}, 'Origin']);
      }
      const read = await who.request('GET', '/v1/status', fromPage({}, other));
      expect([other, read.status, await read.text()]).toEqual([other, 200, before]);
      expect([other, corsOf(read), read.headers.get('vary')]).toEqual([other, {}, 'Origin']);
    }
  });

  test('gets the same response as from a server without ALLOWED_ORIGINS, except for Vary', async () => {
    const routes = () => new Elysia().get('/v1/data', () => ({ ok: true })).post('/v1/data', () => ({ ok: true }));
    const [open, closed] = [miniApp(routes, { env }), miniApp(routes)];
    for (const from of [...lookalikes, undefined]) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const asks = { 'access-control-request-method': 'POST', ...(from === undefined ? {} : { origin: from }) };
        const seen = async (mini: typeof open) => {
          const response = await mini.ask(method, '/v1/data', { headers: asks });
          const id = response.headers.get('x-request-id') ?? '';
          return [response.status, (await response.text()).replace(id, ''), [...response.headers], id] as const;
        };
        const [status, text, headers, id] = await seen(open);
        const [plainStatus, plainText, plainHeaders, plainId] = await seen(closed);
        expect([method, from, status, text]).toEqual([method, from, plainStatus, plainText]);
        const wanted = plainHeaders.filter(([, value]) => value !== plainId).concat([['vary', 'Origin']]);
        expect(headers.filter(([, value]) => value !== id).toSorted()).toEqual(wanted.toSorted());
      }
    }
  });
});

test('a server without ALLOWED_ORIGINS sends no CORS headers to any origin', async () => {
  const closed = miniApp(() => new Elysia().get('/v1/data', () => 'data'));
  for (const from of [...namedOrigins, ...lookalikes]) {
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: from, 'access-control-request-method': 'GET' };
      const response = await closed.ask(method, '/v1/data', { headers });
      expect([response.status, corsOf(response), response.headers.get('vary')]).toEqual([
        method === 'GET' ? 200 : 405,
        {},
        null,
      ]);
    }
  }
});

test('the official MCP client, when used in a page, sends only allowed headers', async () => {
  const fetch = spyOn(app.app, 'fetch');
  await (await programAt(app, token)).call('overview');
  const sent = new Set(fetch.mock.calls.flatMap(([request]) => [...request.headers.keys()]));
  fetch.mockRestore();
  expect(sent.has('mcp-protocol-version')).toBe(true);
  const allowed = new Set(requestHeaders.map((name) => name.toLowerCase()));
  expect([...sent].filter((name) => !allowed.has(name))).toEqual([]);
});

test('CORS allows every header that the API reads, and exposes every header that it sets', () => {
  const root = join(import.meta.dir, '..', '..');
  const texts = [...new Bun.Glob('src/{http,features}/**/*.ts').scanSync(root)].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const found = (pattern: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)));
  // Headers from browsers, proxies and Stripe, and headers that are read only to refuse the request.
  const others =
    /^(accept-encoding|content-encoding|content-length|cookie|host|origin|sec-fetch-site|stripe-signature|user-agent|x-forwarded-for)$/;
  const read = [...found(/request\.headers\.get\('([\w-]+)'\)/g)].filter((name) => !others.test(name));
  expect(read.length).toBeGreaterThan(8);
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  expect(read.filter((name) => !lower(requestHeaders).includes(name))).toEqual([]);
  const set = [...found(/set\.headers(?:\.|\[')([\w-]+)/g), ...found(/Header = '([\w-]+)'/g)];
  expect(set.length).toBeGreaterThan(4);
  expect(set.filter((name) => name !== 'set-cookie' && !lower(exposedHeaders).includes(name))).toEqual([]);
});
