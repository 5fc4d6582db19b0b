import { describe, expect, test } from 'bun:test';
import { Elysia, t } from 'elysia';
import { closed } from '../../src/http/schemas.ts';
import { testClock } from '../support/app.ts';
import { jsonBody, miniApp, readProblem } from './mini.ts';

const routes = () =>
  new Elysia()
    .get('/data', () => ({ ok: true }))
    .get(
      '/endless',
      () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(9)) })),
    )
    .post('/data', ({ body }) => body ?? { none: true }, { body: t.Optional(closed({ name: t.Optional(t.String()) })) })
    .post('/action', () => ({ done: true }))
    .post('/upload', async ({ request }) => `${(await request.bytes()).length}`, { parse: 'none' });

const app = miniApp(routes);

describe('every response', () => {
  test('has its own request id and cannot be stored, framed or sniffed', async () => {
    const [first, second] = [await app.ask('GET', '/data'), await app.ask('GET', '/nowhere')];
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    for (const { headers } of [first, second]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  test('requires https if the public address uses https', async () => {
    const secure = miniApp(routes, { env: { BASE_URL: 'https://lotbook.example' } });
    expect((await secure.ask('GET', '/data')).headers.get('strict-transport-security')).toContain('max-age=63072000');
  });

  test('a HEAD response matches the GET response without its body, even if that body is endless', async () => {
    const response = await app.ask('HEAD', '/endless');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('a HEAD response over the wire has the length of the GET response, and an endless response is aborted', async () => {
    using server = app.listen();
    const length = (await (await fetch(`${server.url}/data`)).text()).length;
    const head = await fetch(`${server.url}/data`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(length), '']);
    const endless = await fetch(`${server.url}/endless`, { method: 'HEAD' });
    expect([endless.status, await endless.text()]).toEqual([200, '']);
  });
});

describe('a body', () => {
  test('invalid JSON returns 400', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{"name":', 'nul', new Uint8Array([0x7b, 0xff, 0x7d])]) {
      const response = await app.ask('POST', '/data', { body, headers });
      expect([response.status, (await readProblem(response)).code]).toEqual([400, 'invalid_json']);
    }
  });

  test('a missing or different media type returns 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      const response = await app.ask('POST', '/data', { body: '{}', headers: { 'content-type': type } });
      expect([response.status, (await readProblem(response)).code]).toEqual([415, 'unsupported_media_type']);
    }
    expect((await app.ask('POST', '/data', { body: new TextEncoder().encode('{}') })).status).toBe(415);
  });

  test('a compressed body returns 415', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await app.ask('POST', '/data', { body: '{}', headers });
    expect([response.status, (await readProblem(response)).code]).toEqual([415, 'unsupported_media_type']);
  });

  test('a body above the limit returns 413, with or without a declared length', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1_000_000) });
    const stream = new Blob([large]).stream();
    for (const body of [large, stream]) {
      const headers = { 'content-type': 'application/json' };
      const response = await app.ask('POST', '/data', { body, headers });
      expect([response.status, (await readProblem(response)).code]).toEqual([413, 'too_large']);
    }
  });

  test('is passed through if the route reads the stream', async () => {
    const body = 'x'.repeat(1_500_000);
    const response = await app.ask('POST', '/upload', { body, headers: { 'content-type': 'text/csv' } });
    expect(await response.text()).toBe('1500000');
  });

  test('can be omitted if it is optional, and can be empty if the route takes none', async () => {
    expect(await (await app.ask('POST', '/data')).json()).toEqual({ none: true });
    const empty = await app.ask('POST', '/action', { body: '', headers: { 'content-type': 'application/json' } });
    expect(await empty.json()).toEqual({ done: true });
  });

  test('__proto__ at any depth is refused, and no prototype changes', async () => {
    for (const body of ['{"__proto__":{"admin":true}}', '{"name":"a","x":{"y":[{"__proto__":1}]}}']) {
      const response = await app.ask('POST', '/data', { body, headers: { 'content-type': 'application/json' } });
      expect(response.status).toBe(422);
    }
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test('a lone surrogate in a string or a name is refused because it would be changed when returned', async () => {
    for (const body of ['{"name":"\\ud800"}', '{"name":"a","\\udc00":1}']) {
      const response = await app.ask('POST', '/data', { body, headers: { 'content-type': 'application/json' } });
      expect([response.status, (await readProblem(response)).detail]).toEqual([
        422,
        expect.stringContaining('surrogate'),
      ]);
    }
    const whole = await app.ask('POST', '/data', jsonBody({ name: 'a😀' }));
    expect(whole.status).toBe(200);
  });

  test('a body that is nested too deeply, contains a NUL or is not an object is refused', async () => {
    const deep = `{"name":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    for (const body of [deep, '{"name":"a\\u0000b"}', '[]', '"text"', 'null']) {
      const response = await app.ask('POST', '/data', { body, headers: { 'content-type': 'application/json' } });
      expect([400, 422]).toContain(response.status);
    }
  });
});

test('no header overrides the request method', async () => {
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    const response = await app.ask('POST', '/action', { headers: { [name]: 'DELETE' } });
    expect(await response.json()).toEqual({ done: true });
    expect((await app.ask('GET', '/action?_method=POST', { headers: { [name]: 'POST' } })).status).toBe(405);
  }
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND']) expect((await app.ask(method, '/data')).status).toBe(405);
});

describe('cookies', () => {
  test('two session cookies return 400', async () => {
    const response = await app.ask('GET', '/data', { headers: { cookie: 'session=a.b; theme=x; session=c.d' } });
    expect([response.status, (await readProblem(response)).code]).toEqual([400, 'duplicate_cookie']);
  });

  test('malformed cookies are ignored', async () => {
    for (const cookie of [
      'session=%zz',
      'session={"a":1}',
      ';;;=;',
      'session',
      '=x; __proto__=1',
      'a="unended',
      '%00',
    ]) {
      expect((await app.ask('GET', '/data', { headers: { cookie } })).status).toBe(200);
    }
  });
});

describe('a rate limit', () => {
  test('returns 429 with the time to wait, and allows requests again afterward', async () => {
    const clock = testClock('2025-06-01T00:00:00Z');
    const limited = miniApp(routes, { clock, env: { RATE_LIMIT_FACTOR: '0.001' } });
    const statuses: number[] = [];
    let last = new Response();
    for (let count = 0; count < 6; count += 1) {
      last = await limited.ask('GET', '/data');
      statuses.push(last.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await readProblem(last)).code).toBe('rate_limited');
    const wait = Number(last.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    clock.move(wait * 1000);
    expect((await limited.ask('GET', '/data')).status).toBe(200);
  });

  test('cannot be bypassed by a header that names another address', async () => {
    const env = { RATE_LIMIT_FACTOR: '0.0002', TRUSTED_PROXIES: '10.0.0.0/8' };
    const untrusted = miniApp(routes, { env });
    const from = (address: string) => untrusted.ask('GET', '/data', { headers: { 'x-forwarded-for': address } });
    expect([(await from('1.1.1.1')).status, (await from('2.2.2.2')).status]).toEqual([200, 429]);
  });
});

describe('a cross-site write', () => {
  test('is refused before its body is read', async () => {
    const { headers, body } = jsonBody({ name: 'x' });
    const given = {
      ...(headers as Record<string, string>),
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
    };
    const response = await app.ask('POST', '/data', { body: body as string, headers: given });
    expect([response.status, (await readProblem(response)).code]).toEqual([403, 'csrf']);
  });
});
