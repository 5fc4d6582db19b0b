import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, type Folder, freePort, registerAt, runCommand, serve, stop } from '../support/process.ts';

let folder: Folder;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());

test('after kill -9, the next start takes over the running database without data loss and stops it on exit', async () => {
  const killed = await serve(folder);
  const cookie = await registerAt(killed, 'ann@example.com');
  await stop(killed.process, 'SIGKILL');
  const orphan = folder.postgres();
  expect(orphan).not.toBeNull();

  const next = await serve(folder);
  expect(folder.postgres()?.pid).toBe(orphan?.pid as number);
  const account = await next.request('GET', '/v1/account', { headers: { cookie } });
  expect(account.status).toBe(200);
  expect(await account.json()).toMatchObject({ email: 'ann@example.com' });
  expect((await stop(next.process)).code).toBe(0);
  expect(folder.postgres()).toBeNull();
});

test('plan set, user reset-password and demo take effect while a server runs, and a second server fails with the process id of the first', async () => {
  const serving = await serve(folder);
  const cookie = await registerAt(serving, 'ann@example.com');
  const set = await runCommand(folder, ['plan', 'set', 'Ann@Example.com', 'pro']);
  expect(set).toMatchObject({ code: 0, err: '' });
  const account = await serving.request('GET', '/v1/account', { headers: { cookie } });
  expect(await account.json()).toMatchObject({ plan: 'PRO' });

  const nobody = await runCommand(folder, ['plan', 'set', 'nobody@example.com', 'PRO']);
  expect(nobody).toMatchObject({ code: 1, err: 'No user is registered as nobody@example.com.\n' });

  expect(await runCommand(folder, ['demo', 'Ann@Example.com'])).toMatchObject({ code: 0, err: '' });
  const filled = await serving.request('GET', '/v1/tax/summary?year=2025', { headers: { cookie } });
  expect(await filled.json()).toMatchObject({ washSaleDisallowed: '1269.20' });
  const again = await runCommand(folder, ['demo', 'ann@example.com']);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already has transactions')]);

  const made = await runCommand(folder, ['user', 'reset-password', 'Ann@Example.com']);
  const [, token] = /\/reset\/confirm#([a-z2-7]{32})\n/.exec(made.out) ?? [];
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token, password: 'a password set by the link' });
  const reset = await serving.request('POST', '/v1/auth/password/reset/confirm', { headers, body });
  expect(reset.status).toBe(204);
  expect((await serving.request('GET', '/v1/account', { headers: { cookie } })).status).toBe(401);

  const second = await runCommand(folder, ['serve'], { PORT: String(freePort()) });
  expect(second.code).toBe(1);
  expect(second.err).toContain(`process ${serving.process.pid}`);
  expect(second.err).toContain('DATA_DIR');
  await stop(serving.process);

  // Without a server, the command runs the database itself and leaves nothing behind.
  expect((await runCommand(folder, ['plan', 'set', 'ann@example.com', 'CPA'])).code).toBe(0);
  expect(folder.postgres()).toBeNull();
});

test('reports a port that is in use, and stops the database that it started', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = String(taken.port);
  const { code, err } = await runCommand(folder, ['serve'], { HOST: '127.0.0.1', PORT: port });
  await taken.stop(true);
  expect(code).toBe(1);
  expect(err).toContain(`Port ${port}`);
  expect(folder.postgres()).toBeNull();
});

test('data of another major version of PostgreSQL is refused with a message', async () => {
  const cluster = join(folder.path, 'data', 'postgres');
  mkdirSync(cluster, { recursive: true });
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  const { code, err } = await runCommand(folder, ['serve'], { PORT: String(freePort()) });
  expect(code).toBe(1);
  expect(err).toContain('PostgreSQL 17');
  expect(err).toContain('PostgreSQL 18');
});
