import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { packagedPostgres } from '../../src/db/postgres-programs.ts';
import { buildUrl, initialize, type RunningServer, startServer, stopServer } from '../../src/db/postgres-server.ts';
import { runnerFor } from '../../src/db/unprivileged-runner.ts';
import { type MailStandIn, startMailServer } from '../support/mail-server.ts';
import { dataFolder, registerAt, type Serving, serve } from '../support/process.ts';
import { query } from '../support/query.ts';

const folder = dataFolder();
chmodSync(folder.path, 0o755);
const programs = packagedPostgres();
const cluster = join(folder.path, 'elsewhere');
const files = {
  programs,
  cluster,
  socketFolder: join(folder.path, 's'),
  log: join(folder.path, 'elsewhere.log'),
  runner: runnerFor(cluster, programs),
};
const rates = `<Cube><Cube time="2025-03-03"><Cube currency="USD" rate="1.05"/></Cube></Cube>`;

let postgres: RunningServer;
let bank: Bun.Server<undefined>;
/** Until this resolves, the bank does not answer. */
let stopped = Promise.withResolvers<void>();
let mails: MailStandIn;
let newcomer = '';
beforeAll(async () => {
  initialize(files, ['--no-sync']);
  await startPostgres();
  await query(buildUrl(postgres, 'postgres'), 'create database books');
  mails = await startMailServer();
  bank = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => stopped.promise.then(() => new Response(rates)) });
});
afterAll(async () => {
  await stopServer(cluster, postgres.pid);
  await Promise.all([bank.stop(true), mails.close()]);
  await folder.remove();
});

/** Runs the background work of a server, and checks that each part runs. */
const begun: Readonly<Record<string, (serving: Serving) => Promise<boolean>>> = {
  'job runner in /readyz': async (serving) =>
    ((await (await serving.request('GET', '/readyz')).json()) as { jobRunner?: string }).jobRunner === 'running',
  'job runner in /metrics': async (serving) =>
    (await fetchMetrics(serving)).includes('\nlotbook_job_runner_running 1\n'),
  'mail delivery': async () => mails.taken.some(({ to }) => to.includes(newcomer)),
  schedules: async () => {
    const rows = await asOwner<{ name: string }>(`select name from jobs.schedule order by name`);
    return ['digests', 'erasures'].every((scheduled) => rows.some(({ name }) => name === scheduled));
  },
  'renewal of books': async () => (await asOwner(`select from ledgers where engine = 'earlier'`)).length === 0,
  'exchange rates': async () => (await asOwner(`select from shared_prices where source = 'ecb'`)).length > 0,
  'sweep of imports': async () => (await asOwner(`select from imports where status = 'running'`)).length === 0,
};

test.each([0, 1_000])(
  'background work starts even if PostgreSQL stops %i ms after the server is ready',
  async (milliseconds) => {
    // Whether the job runner had started before PostgreSQL stopped depends on the machine.
    let hadStarted = true;
    for (let turn = 0; turn < 5 && hadStarted; turn++) {
      hadStarted = await interrupt(milliseconds, `${milliseconds}-${turn}`);
      if (milliseconds > 0) return;
    }
    expect(hadStarted).toBe(false);
  },
);

/** Stops PostgreSQL, starts it again, and waits for all work. Returns whether the job runner had started before. */
async function interrupt(milliseconds: number, name: string): Promise<boolean> {
  const env = {
    DATABASE_URL: buildUrl(postgres, 'books'),
    ECB_RATES_URL: bank.url.href,
    SMTP_URL: `smtp://${mails.host}`,
    MAIL_FROM: 'books@example.com',
  };
  const earlier = await serve(folder, { ...env, ECB_RATES_URL: '' });
  const cookie = await registerAt(earlier, `person${name}@example.com`);
  const rows = 'date,type,account,asset,quantity,amount\n2024-01-05,buy,S,KO,10,600\n';
  const body = { headers: { cookie, 'content-type': 'text/csv' }, body: rows };
  expect((await earlier.request('POST', '/v1/transactions/import', body)).status).toBe(201);
  earlier.process.kill('SIGKILL');
  await earlier.process.exited;
  await leaveUndone();
  newcomer = `newcomer${name}@example.com`;

  // The rates arrive while they cannot be stored, so storing them has to be tried again.
  stopped = Promise.withResolvers();
  const serving = await serve(folder, env);
  try {
    await Bun.sleep(milliseconds);
    await stopServer(cluster, postgres.pid);
    stopped.resolve();
    await Bun.sleep(3_000);
    const metrics = await fetchMetrics(serving);
    expect((await serving.request('GET', '/readyz')).status).toBe(503);
    await startPostgres();
    await registerAt(await becomesReady(serving), newcomer);
    for (const [what, isRunning] of Object.entries(begun)) await becomes(what, () => isRunning(serving));
    return !metrics.includes('\nlotbook_job_runner_running 0\n');
  } finally {
    serving.process.kill('SIGTERM');
    await serving.process.exited;
  }
}

/** Simulates the state that an older server left when it was killed. */
async function leaveUndone(): Promise<void> {
  await asOwner(`update ledgers set engine = 'earlier'`);
  await asOwner(`delete from jobs.schedule`);
  await asOwner(`delete from shared_prices`);
  await asOwner(`update imports set status = 'running', moved_at = now() - interval '1 hour'`);
}

async function startPostgres(): Promise<void> {
  postgres = await startServer(files, { fsync: 'off', autovacuum: 'off' });
}

async function becomesReady(serving: Serving): Promise<Serving> {
  await becomes('ready', async () => (await serving.request('GET', '/readyz')).ok);
  return serving;
}

async function becomes(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 150_000; performance.now() < deadline; await Bun.sleep(200)) {
    if (await condition()) return;
  }
  throw new Error(`It did not begin again: ${what}.`);
}

async function fetchMetrics(serving: Serving): Promise<string> {
  return (await serving.request('GET', '/metrics')).text();
}

function asOwner<Row extends object>(statement: string): Promise<Row[]> {
  return query<Row>(buildUrl(postgres, 'books'), statement);
}
