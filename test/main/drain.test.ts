import { afterAll, expect, test } from 'bun:test';
import { dropDatabase, emptyDatabase } from '../support/database.ts';
import { dataFolder, registerAt, serve } from '../support/process.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

test('after SIGTERM, /readyz returns 503, requests in progress finish, a second signal changes nothing, and everything ends within 10 s', async () => {
  const serving = await serve(folder);
  const body = JSON.stringify({ email: 'slow@example.com', password: 'correct horse battery' });
  const slow = await slowRequest(serving.url, body.slice(0, 10), body.length);

  const start = performance.now();
  serving.process.kill('SIGTERM');
  let ready = 200;
  while (ready === 200 && performance.now() - start < 5_000) {
    ready = (await serving.request('GET', '/readyz')).status;
  }
  expect(ready).toBe(503);
  serving.process.kill('SIGTERM');
  await Bun.sleep(100);
  expect(serving.process.exitCode).toBeNull();

  slow.send(body.slice(10));
  expect(await slow.answer).toStartWith('HTTP/1.1 201');
  expect(await serving.process.exited).toBe(0);
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(folder.postgres()).toBeNull();
});

test('work that does not finish is aborted, and everything stops within 10 s', async () => {
  const serving = await serve(folder);
  const slow = await slowRequest(serving.url, '{', 100);
  const start = performance.now();
  serving.process.kill('SIGTERM');
  await serving.process.exited;
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(folder.postgres()).toBeNull();
  await slow.answer;
});

test('three servers that start at once on a new database serve the same accounts', async () => {
  const url = await emptyDatabase();
  const servers = await Promise.all([0, 1, 2].map(() => serve(folder, { DATABASE_URL: url })));
  const [first] = servers;
  if (first === undefined) throw new Error('unreachable');
  const cookie = await registerAt(first, 'ann@example.com');
  for (const server of servers) {
    expect((await server.request('GET', '/v1/account', { headers: { cookie } })).status).toBe(200);
    server.process.kill('SIGTERM');
  }
  expect(await Promise.all(servers.map((server) => server.process.exited))).toEqual([0, 0, 0]);
  await dropDatabase(url);
});

/** Sends the head and the first bytes of a request, and delays the rest of the body. */
async function slowRequest(url: string, first: string, length: number) {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = '';
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, bytes) => {
        received += bytes.toString();
        if (received.includes('\r\n\r\n')) resolve(received);
      },
      close: () => resolve(received),
    },
  });
  const head = ['POST /v1/auth/register HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n${first}`);
  // Waits until the server has started to handle the request.
  await Bun.sleep(300);
  return { answer: promise, send: (text: string) => void socket.write(text) };
}
