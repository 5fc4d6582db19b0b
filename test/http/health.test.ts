import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { readProblem } from './mini.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('/livez returns ok while the process is alive, and /readyz while the database has the current schema', async () => {
  const alive = await app.request('GET', '/livez');
  expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
  const ready = await app.request('GET', '/readyz');
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', jobRunner: 'starting' }]);
});

test('/readyz and /metrics show whether the job runner runs', async () => {
  const server = await testApp();
  const shown = async () => [
    ((await (await server.request('GET', '/readyz')).json()) as { jobRunner: string }).jobRunner,
    /^lotbook_job_runner_running (\d)$/m.exec(await (await server.request('GET', '/metrics')).text())?.[1],
  ];
  expect(await shown()).toEqual(['starting', '0']);
  await server.deps.jobs.start();
  expect(await shown()).toEqual(['running', '1']);
  await server.deps.jobs.stop(0);
  expect(await shown()).toEqual(['starting', '0']);
  await server.close();
});

test('/metrics counts requests by route template, never by address', async () => {
  await app.request('GET', '/v1/clients/some-id');
  await app.request('GET', '/nowhere/at/all');
  const response = await app.request('GET', '/metrics');
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('version=0.0.4');
  expect(text).toContain('http_requests_total{method="GET",route="/v1/clients/:id",status="401"} 1');
  expect(text).toContain('http_requests_total{method="GET",route="none",status="404"} 1');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toContain('some-id');
});

test('/metrics returns 404 through a proxy or with a wrong token, and works with the right one', async () => {
  const token = 'a token of the operator';
  const guarded = await testApp({ env: { METRICS_TOKEN: token } });
  const statusWith = async (headers: Record<string, string>) =>
    (await guarded.request('GET', '/metrics', { headers })).status;
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ 'x-forwarded-for': '203.0.113.9' })).toBe(404);
  expect(await statusWith({ forwarded: 'for=203.0.113.9' })).toBe(404);
  expect(await statusWith({ authorization: 'Bearer another token' })).toBe(404);
  expect(await statusWith({ 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${token}` })).toBe(200);
  await guarded.close();
});

test('/readyz returns 503 if the schema is not the current one, and /livez stays ok', async () => {
  const old = await testApp();
  await old.books.asOwner((sql) => sql`update schema_migrations set number = number + 1000`);
  const response = await old.request('GET', '/readyz');
  expect([response.status, (await readProblem(response)).code]).toEqual([503, 'database_unavailable']);
  expect((await old.request('GET', '/livez')).status).toBe(200);
  await old.close();
});

test('/livez returns 503 once the embedded PostgreSQL could not be started for three minutes', async () => {
  let secondsAway = 0;
  const supervised = await testApp({ databaseSecondsAway: () => secondsAway });
  for (const [seconds, status] of [
    [0, 200],
    [179.9, 200],
    [180, 503],
    [3600, 503],
    [0, 200],
  ] as const) {
    secondsAway = seconds;
    const response = await supervised.request('GET', '/livez');
    expect([seconds, response.status]).toEqual([seconds, status]);
    if (status === 503) expect((await readProblem(response)).code).toBe('database_unavailable');
    const metrics = await (await supervised.request('GET', '/metrics')).text();
    expect(metrics).toContain(`\nlotbook_database_away_seconds ${Math.round(seconds)}\n`);
  }
  await supervised.close();
});

test('/readyz and every route return 503 with Retry-After without a database', async () => {
  const away = await testApp();
  await away.close();
  const cookie = `session=${'a'.repeat(24)}.${'b'.repeat(32)}`;
  for (const path of ['/readyz', '/v1/account']) {
    const response = await away.request('GET', path, { cookie });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).not.toBeNull();
    expect((await readProblem(response)).code).toBe('database_unavailable');
  }
});

test('/readyz returns 503 during a drain, which waits for work in progress', async () => {
  const draining = await testApp();
  const lifecycle = draining.deps.lifecycle;
  const leave = lifecycle.enter();
  let drained = false;
  const drain = lifecycle.drain(5).then(() => {
    drained = true;
  });
  const response = await draining.request('GET', '/readyz');
  expect([response.status, (await readProblem(response)).code]).toEqual([503, 'shutting_down']);
  expect((await draining.request('GET', '/v1/plans')).headers.get('connection')).toBe('close');
  expect(drained).toBe(false);
  leave();
  await drain;
  expect(drained).toBe(true);
  await draining.close();
});
