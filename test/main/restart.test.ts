import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, type Folder, registerAt, type Serving, serve, stop } from '../support/process.ts';

let folder: Folder;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());

/** Other programs may keep the machine busy. */
const backMilliseconds = 150_000;

test('PostgreSQL restarts after all its processes were killed, requests get 503 until then, and nothing is lost', async () => {
  const serving = await serve(folder);
  const cookie = await registerAt(serving, 'ann@example.com');
  for (const _ of [1, 2]) {
    const killed = killPostgres();
    const { statuses, last } = await askUntilServed(serving, cookie);
    expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
    expect(last).toMatchObject({ email: 'ann@example.com' });
    expect(folder.postgres()?.pid).not.toBe(killed);
  }
  await registerAt(serving, 'bob@example.com');
  expect((await stop(serving.process)).code).toBe(0);
  expect(folder.postgres()).toBeNull();
  const found = await new Response(serving.process.stderr).text();
  expect(found.match(/"event":"PostgreSQL has ended"/g)).toHaveLength(2);
});

test('a failed start of PostgreSQL is retried until it works, and a stop in the meantime still works', async () => {
  const serving = await serve(folder);
  const cookie = await registerAt(serving, 'ann@example.com');
  const heart = join(folder.path, 'data', 'postgres', 'global', 'pg_control');
  const hideHeart = () => renameSync(heart, `${heart}.away`);

  hideHeart();
  killPostgres();
  const refused = await askUntil(serving, cookie, () => logged('could not find the database system') > 1);
  expect(new Set(refused)).toEqual(new Set([503]));
  const metrics = await (await serving.request('GET', '/metrics')).text();
  expect(metrics).toMatch(/^lotbook_database_away_seconds [1-9]/m);
  renameSync(`${heart}.away`, heart);
  expect((await askUntilServed(serving, cookie)).last).toMatchObject({ email: 'ann@example.com' });

  hideHeart();
  killPostgres();
  await askUntil(serving, cookie, () => logged('could not find the database system') > 2);
  const { code, milliseconds } = await stop(serving.process);
  expect(code).toBe(0);
  expect(milliseconds).toBeLessThan(10_000);
  expect(folder.postgres()).toBeNull();
});

/** Returns the process id of PostgreSQL. */
function killPostgres(): number {
  const pid = folder.postgres()?.pid;
  if (pid === undefined) throw new Error('PostgreSQL does not run.');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  // Some children end by themselves before they are killed.
  Bun.spawnSync(['sh', '-c', 'kill -9 "$@"', 'sh', String(pid), ...children], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return pid;
}

function logged(text: string): number {
  return readFileSync(join(folder.path, 'data', 'postgres.log'), 'utf8').split(text).length - 1;
}

/** Returns the statuses of the requests until then. */
async function askUntil(serving: Serving, cookie: string, done: (status: number) => boolean): Promise<number[]> {
  const statuses: number[] = [];
  for (const deadline = performance.now() + backMilliseconds; performance.now() < deadline; await Bun.sleep(100)) {
    const { status } = await serving.request('GET', '/v1/account', { headers: { cookie } });
    statuses.push(status);
    if (done(status)) return statuses;
  }
  throw new Error(`It was not so within ${backMilliseconds / 1000} s: ${statuses.join(' ')}`);
}

async function askUntilServed(serving: Serving, cookie: string): Promise<{ statuses: number[]; last: unknown }> {
  // A request may still succeed until PostgreSQL is gone.
  await Bun.sleep(300);
  const statuses = await askUntil(serving, cookie, (status) => status === 200);
  const response = await serving.request('GET', '/v1/account', { headers: { cookie } });
  return { statuses, last: await response.json() };
}
