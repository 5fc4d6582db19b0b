import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { Elysia } from 'elysia';
import { miniApp } from './mini.ts';

/**
 * Checks the bytes at the boundary between requests. A proxy that parses them differently must not be usable to smuggle
 * a request.
 */
const seen: string[] = [];
const app = miniApp(() =>
  new Elysia()
    .post('/data', async ({ request }) => `took ${(await request.text()).length}`, { parse: 'none' })
    .get('/planted', () => {
      seen.push('planted');
      return 'planted';
    }),
);
let server: ReturnType<typeof app.listen>;
beforeAll(() => {
  server = app.listen();
});
afterAll(() => server[Symbol.dispose]());

/** Sends these bytes and reads until the server closes the connection or has sent `answersMax` responses. */
function send(bytes: string, answersMax: number): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  let received = '';
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const socket = connect(Number(new URL(server.url).port), 'localhost', () => socket.write(bytes, 'latin1'));
  socket.on('data', (piece) => {
    received += piece.toString('latin1');
    if (statuses().length >= answersMax) socket.end();
  });
  socket.on('error', () => resolve(statuses()));
  socket.on('close', () => resolve(statuses()));
  return promise;
}

const post = (headers: readonly string[], body: string): string =>
  `POST /data HTTP/1.1\r\nHost: localhost\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
const planted = 'GET /planted HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('two complete requests on one connection count as two', async () => {
  seen.length = 0;
  expect(await send(post(['Content-Length: 3'], 'abc') + planted, 2)).toEqual([200, 200]);
  expect(seen).toEqual(['planted']);
});

test.each([
  ['a length before chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${planted}`],
  [
    'chunks before a length',
    ['Transfer-Encoding: chunked', `Content-Length: ${5 + planted.length}`],
    `0\r\n\r\n${planted}`,
  ],
  ['two lengths', ['Content-Length: 0', `Content-Length: ${planted.length}`], planted],
  ['a length in a list', [`Content-Length: 0, ${planted.length}`], planted],
  ['a length with a sign', ['Content-Length: +0'], planted],
  ['a negative length', ['Content-Length: -1'], planted],
  ['a length in hex', ['Content-Length: 0x0'], planted],
  ['an encoding that is not chunked', ['Transfer-Encoding: identity'], planted],
  ['chunks that are not the last encoding', ['Transfer-Encoding: chunked, gzip'], `0\r\n\r\n${planted}`],
  ['chunks by another name', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${planted}`],
  ['a chunk without a size', ['Transfer-Encoding: chunked'], `zz\r\n\r\n${planted}`],
  ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${planted}`],
] as const)('%s does not allow a second request', async (_what, headers, body) => {
  seen.length = 0;
  const statuses = await send(post(headers, body), 2);
  expect({ statuses, seen }).toEqual({ statuses: expect.any(Array), seen: [] });
});
