import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { RenderPool, renderBounds } from '../../src/features/gains/reports/render.ts';
import { reports } from '../../src/features/gains/reports/reports.routes.ts';
import { createAccess } from '../../src/features/people/auth/access.ts';
import { guard } from '../../src/http/guard.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { until } from '../support/until.ts';
import { plainBooks } from './plain-books.ts';
import { withReport } from './stored.ts';

/** Downloads over a socket with clients that disconnect. */
let service: TestApp;
let person: TestClient;
let id: string;
let server: { readonly url: string; stop(): Promise<unknown> };
const pool = new RenderPool({ ...renderBounds, workers: 1, waiting: 1, aheadBytes: 1 });

beforeAll(async () => {
  service = await testApp();
  ({ person, id } = await withReport(service, plainBooks(60_000)));
  const access = createAccess(service.deps, async () => {});
  const app = guard(new Elysia().use(reports(service.deps, access, pool)), service.deps);
  app.listen({ port: 0, hostname: 'localhost' });
  server = { url: String(app.server?.url), stop: () => app.stop(true) };
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

const download = (query: string, signal?: AbortSignal) =>
  fetch(`${server.url}tax/reports/${id}/download?${query}`, {
    headers: { cookie: person.cookie },
    ...(signal === undefined ? {} : { signal }),
  });

const idle = () => until('no Worker renders', () => pool.busy === 0);

test('a client that disconnects in the middle of a file ends its rendering', async () => {
  const leaving = new AbortController();
  const response = await download('format=csv', leaving.signal);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  expect(pool.busy).toBe(1);
  leaving.abort();
  await idle();
});

test('a client that disconnects before the first byte also ends the rendering', async () => {
  const leaving = new AbortController();
  const pending = download('format=8949', leaving.signal);
  await until('a Worker renders', () => pool.busy > 0);
  leaving.abort();
  await expect(pending).rejects.toThrow();
  await idle();
});

test('the next client gets the complete file', async () => {
  const text = await (await download('format=csv')).text();
  expect(text.trimEnd().split('\r\n')).toHaveLength(60_001);
  await idle();
});
