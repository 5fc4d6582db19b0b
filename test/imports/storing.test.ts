import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, type ImportResource, importCsv } from '../support/books.ts';

/** A Worker, with its own connections, stores files of this many rows. */
const many = 20_500;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** Alternates between a purchase and a sale one day later for a dollar more. */
function rows(count: number): string {
  return csvOf(...Array.from({ length: count }, (_, at) => rowOf(at)));
}

function rowOf(at: number): string {
  const isSale = at % 2 === 1;
  return `${isSale ? 'sell' : 'buy'} 2024-0${1 + (Math.floor(at / 2) % 9)}-${isSale ? '12' : '11'} ${1 + Math.floor(at / 2)} X${Math.floor(at / 2) % 10} @${isSale ? 11 : 10}`;
}

/** Returns the total gain, which is one dollar per pair. */
function gained(count: number): string {
  return `${count / 2}.00`;
}

function send(client: TestClient, csv: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return client.request('POST', '/v1/transactions/import', {
    body: csv,
    headers: { 'content-type': 'text/csv', ...headers },
  });
}

async function fetchGain(client: TestClient): Promise<string> {
  const { shortTerm } = await client.json<{ shortTerm: { gain: string } }>('GET', '/v1/tax/summary?year=2024');
  return shortTerm.gain;
}

async function stagedRows(): Promise<number> {
  const [row] = await app.books.asOwner((sql) => sql`select count(*)::integer as count from staged`);
  return row?.count;
}

/** Returns the database sessions outside of the application's own pool. */
async function othersAtWork(): Promise<number[]> {
  const found = await app.books.asOwner(
    (sql) => sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'lotbook storing' and xact_start is not null`,
  );
  return found.map(({ pid }) => pid);
}

async function until<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 4_000; tries++) {
    const found = await find();
    if (found !== undefined) return found;
    await Bun.sleep(5);
  }
  throw new Error('It never came to that.');
}

test('a large file is in the summary when its import returns, the response is stored under its Idempotency-Key, and a second upload adds nothing', async () => {
  const client = await app.register('PRO');
  const headers = { 'idempotency-key': 'large' };
  const first = await send(client, rows(many), headers);
  const second = await send(client, rows(many), headers);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const stored = (await first.json()) as ImportResource;
  expect(await second.json()).toEqual(stored);
  expect(stored).toMatchObject({ status: 'completed', rows: many, imported: many, duplicates: 0, rejected: 0 });
  expect(await fetchAll(client, '/v1/imports')).toHaveLength(1);
  // The Worker records the response in its transaction.
  expect(await fetchAll(client, '/v1/account/audit?action=file_imported')).toHaveLength(1);
  expect(await fetchGain(client)).toBe(gained(many));
  const again = (await importCsv(client, rows(many))) as ImportResource;
  expect(again).toMatchObject({ status: 'completed', imported: 0, duplicates: many });
  expect(await fetchGain(client)).toBe(gained(many));
});

test('an import that is undone and repeated keeps the answers about its rows', async () => {
  const client = await app.register('PRO');
  const csv = `${rows(many)}2024-05-01,deposit,Broker,COIN,1,5,,d1\n`;
  const { id } = await importCsv(client, csv);
  const [issue] = await fetchAll<{ id: string }>(client, '/v1/tax/issues');
  const body = { action: 'basis', basis: '100', acquired: '2023-01-01' };
  await client.json('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body });
  expect((await client.request('DELETE', `/v1/imports/${id}`)).status).toBe(204);
  await importCsv(client, csv);
  expect(await fetchAll(client, '/v1/tax/lots')).toMatchObject([{ asset: 'COIN', basis: '100.00' }]);
  expect(await fetchAll(client, '/v1/tax/issues?status=open')).toEqual([]);
});

test('a dry run of a large file shows the result and leaves nothing behind', async () => {
  const client = await app.register('PRO');
  const response = await client.request('POST', '/v1/transactions/import?dryRun=true', {
    body: rows(many),
    headers: { 'content-type': 'text/csv' },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ imported: many, preview: { years: [{ year: 2024 }] } });
  expect(await fetchAll(client, '/v1/imports')).toEqual([]);
  expect(await fetchGain(client)).toBe('0.00');
  expect(await stagedRows()).toBe(0);
});

test('a file above the plan limit is refused with the same message as a small one', async () => {
  const client = await app.register('FREE');
  const [large, small] = [await send(client, rows(many)), await send(client, rows(2_000))];
  expect([large.status, small.status]).toEqual([403, 403]);
  const [refused, refusedSmall] = [await large.json(), await small.json()] as Record<string, unknown>[];
  expect(refused).toMatchObject({ code: 'plan_limit', requested: many });
  expect(Object.keys(refused ?? {}).sort()).toEqual(Object.keys(refusedSmall ?? {}).sort());
  expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
});

test('a connection that breaks midway stores nothing, and the next try is complete', async () => {
  const client = await app.register('PRO');
  const answer = send(client, rows(many));
  const pid = await until(async () => (await othersAtWork())[0]);
  await app.books.asOwner((sql) => sql`select pg_terminate_backend(${pid}::integer)`);
  const response = await answer;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'database_unavailable' });
  expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
  expect(await stagedRows()).toBe(0);
  expect((await send(client, rows(many))).status).toBe(201);
  expect(await fetchGain(client)).toBe(gained(many));
});

test('a client that disconnects while the Worker stores its file cancels the import and leaves no transaction open', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.app.fetch(request) });
  try {
    const client = await app.register('PRO');
    const leaving = new AbortController();
    const sending = fetch(`${server.url}v1/transactions/import`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', cookie: client.cookie },
      body: rows(many),
      signal: leaving.signal,
    }).catch((error: unknown) => error);
    await until(async () => (await othersAtWork())[0]);
    leaving.abort();
    await sending;
    const failed = await until(async () => {
      const [one] = await fetchAll<ImportResource>(client, '/v1/imports');
      return one !== undefined && one.status !== 'running' ? one : undefined;
    });
    expect(failed).toMatchObject({ status: 'failed', imported: 0, problem: { code: 'upload_broken' } });
    expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
    expect(await othersAtWork()).toEqual([]);
  } finally {
    await server.stop(true);
  }
});
