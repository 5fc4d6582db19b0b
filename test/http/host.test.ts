import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { type TestApp, testApp } from '../support/app.ts';

/** Sends requests as bytes, because `fetch` never sends an invalid Host. */
let app: TestApp;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  app = await testApp();
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.app.fetch(request) });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

interface RawResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Sends the head of a request and reads the response up to its Content-Length. */
function send(...lines: readonly string[]): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  let received = '';
  const socket = connect(Number(server.port), '127.0.0.1', () =>
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
  );
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    const [head = '', body] = received.split('\r\n\r\n');
    const isBodiless = lines[0]?.startsWith('HEAD') === true;
    const length = isBodiless ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (body === undefined || body.length < length) return;
    const type = /content-type: ([^;\r]+)/i.exec(head)?.[1] ?? '';
    resolve({ status: Number(head.split(' ')[1]), type, body });
    socket.destroy();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`closed after ${received}`)));
  return promise;
}

const problem = 'application/problem+json';

describe('an invalid Host returns 400', () => {
  const hosts = ['', ' ', 'a b', '[', 'a/b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a:99999', 'a%zz', '[::1', '\u00e9 ', 'a, b'];
  for (const path of ['/readyz', '/v1/plans', '/nowhere', '//evil/v1/plans']) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      test(`${method} ${path}`, async () => {
        for (const host of hosts) {
          const { status, type, body } = await send(`${method} ${path} HTTP/1.1`, `Host: ${host}`);
          expect([host, status, type]).toEqual([host, 400, problem]);
          if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'bad_request' });
        }
      });
    }
  }

  test('two Host headers return 400', async () => {
    const response = await send('GET /v1/plans HTTP/1.1', 'Host: localhost', 'Host: elsewhere');
    expect([response.status, response.type]).toEqual([400, problem]);
  });
});

describe('an HTTP/1.0 request without Host', () => {
  test('is served if it is a probe by a load balancer', async () => {
    for (const path of ['/readyz', '/livez', '/readyz?']) {
      const response = await send(`GET ${path} HTTP/1.0`);
      expect([path, response.status, JSON.parse(response.body)]).toEqual([
        path,
        200,
        expect.objectContaining({ status: 'ok' }),
      ]);
      expect((await send(`HEAD ${path} HTTP/1.0`)).status).toBe(200);
    }
    expect((await send('GET /metrics HTTP/1.0')).body).toContain('http_requests_total');
  });

  test('is refused for any other path', async () => {
    const lines = ['GET /v1/plans', 'GET /', 'GET /nowhere', 'GET //readyz', 'POST /readyz', 'POST /v1/auth/login'];
    for (const line of lines) {
      const response = await send(`${line} HTTP/1.0`);
      expect([line, response.status, response.type]).toEqual([line, 400, problem]);
      expect(JSON.parse(response.body)).toMatchObject({ status: 400, code: 'bad_request' });
    }
  });
});

test('every kind of valid host is accepted', async () => {
  for (const host of ['localhost', 'a', 'a:80', '127.0.0.1:3000', '[::1]:3000', 'my_host', 'LOTBOOK.example.']) {
    expect([host, (await send('GET /v1/plans HTTP/1.1', `Host: ${host}`)).status]).toEqual([host, 200]);
  }
});
