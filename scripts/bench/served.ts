import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from '../../src/db/connection.ts';

/** A server in its own process. */
export interface Served {
  readonly pid: number;
  readonly url: string;
  /** Registers a new user and returns the cookie. */
  register(plan: 'PRO' | 'CPA'): Promise<string>;
  importCsv(cookie: string, csv: string | ReadableStream<Uint8Array>): Promise<void>;
  summary(cookie: string): Promise<void>;
  /** Sends any request and returns the status, even if it is an error. */
  ask(method: string, path: string, cookie: string, body?: string, mediaType?: string): Promise<number>;
  /** Returns the id of the import. */
  createReport(cookie: string, year: number): Promise<string>;
  /** Lists this many transactions, starting at a day. */
  transactionIds(cookie: string, from: string, count: number): Promise<string[]>;
  /** Changes the amount of one transaction and reads the summary. */
  correct(cookie: string, id: string, amount: string): Promise<void>;
  stop(): Promise<void>;
}

export const program = join(import.meta.dir, '..', '..', 'src', 'main.ts');

/** Starts a server. `env` contains variables in addition to the required ones. */
export async function serveApp(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const port = await freePort();
  const flags =
    process.env.BENCH_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`];
  const server = Bun.spawn([process.execPath, ...flags, program, 'serve'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      RATE_LIMIT_FACTOR: '100000',
      ...env,
    },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const base = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${base}/v1/plans`);
  let registered = 0;
  return {
    pid: server.pid,
    url: base,
    register: async (plan) => {
      registered += 1;
      const email = `bench${registered}@example.com`;
      const response = await fetch(`${base}/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: `correct horse ${registered}` }),
      });
      await expected(response, 201);
      const cookie = response.headers.getSetCookie().find((line) => line.startsWith('session='));
      const database = connect({ url: databaseUrl, directUrl: null }, { connectionsMax: 1 });
      await database.asService((sql) => sql`update users set plan = ${plan} where email = ${email}`);
      await database.close();
      return cookie?.split(';')[0] ?? '';
    },
    importCsv: async (cookie, csv) => {
      const headers = { 'content-type': 'text/csv', cookie };
      await expected(
        await fetch(`${base}/v1/transactions/import`, { method: 'POST', headers, body: csv, timeout: false }),
        201,
      );
    },
    summary: async (cookie) => {
      await expected(await fetch(`${base}/v1/tax/summary?year=2024`, { headers: { cookie } }), 200);
    },
    ask: async (method, path, cookie, body, mediaType = 'application/json') => {
      const headers = { 'content-type': mediaType, cookie };
      const response = await fetch(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      await response.text();
      return response.status;
    },
    createReport: async (cookie, year) => {
      const headers = { 'content-type': 'application/json', cookie };
      const body = JSON.stringify({ year });
      const made: { id: string } = JSON.parse(
        await expected(await fetch(`${base}/v1/tax/reports`, { method: 'POST', headers, body }), 201),
      );
      return made.id;
    },
    transactionIds: async (cookie, from, count) => {
      const address = `${base}/v1/transactions?from=${from}&sort=date&limit=${count}`;
      const list: { data: { id: string }[] } = JSON.parse(
        await expected(await fetch(address, { headers: { cookie } }), 200),
      );
      return list.data.map(({ id }) => id);
    },
    correct: async (cookie, id, amount) => {
      const headers = { 'content-type': 'application/merge-patch+json', cookie };
      const body = JSON.stringify({ amount });
      await expected(await fetch(`${base}/v1/transactions/${id}`, { method: 'PATCH', headers, body }), 200);
      await expected(await fetch(`${base}/v1/tax/summary?year=2024`, { headers: { cookie } }), 200);
    },
    stop: async () => {
      server.kill('SIGTERM');
      await server.exited;
    },
  };
}

async function expected(response: Response, status: number): Promise<string> {
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.url}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}

async function waitUntilReady(address: string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    const up = await fetch(address).then(
      () => true,
      () => false,
    );
    if (up) return;
    await Bun.sleep(100);
  }
  throw new Error('The server does not respond.');
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
