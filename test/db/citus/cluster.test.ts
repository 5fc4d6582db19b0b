import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from '../../../src/db/connection.ts';
import { createDump } from '../../../src/db/dump.ts';
import { checkStorage } from '../../../src/db/integrity.ts';
import { loadDump } from '../../../src/db/load-dump.ts';
import { createDeps } from '../../../src/deps.ts';
import { verifyBooks } from '../../../src/features/gains/calculations.ts';
import { type TestApp, type TestClient, testApp } from '../../support/app.ts';
import { joinWorkers, workers } from '../../support/citus/cluster.ts';
import { dropDatabase, emptyDatabase } from '../../support/database.ts';

/** Runs only on a cluster (`scripts/citus`). A CPA has clients whose books are on different workers. */

const clientsMin = 10;
const clientsMax = 60;

interface Entry {
  readonly action: string;
  readonly requestId: string;
}

interface Client {
  readonly id: string;
  /** The entries in its audit trail, oldest first. */
  readonly entries: Entry[];
}

describe.skipIf(workers.length === 0)('a CPA whose clients are on every worker', () => {
  let app: TestApp;
  let cpa: TestClient;
  const clients: Client[] = [];
  /** The entries in the CPA's own audit trail that the clients caused. */
  const own: Entry[] = [];
  beforeAll(async () => {
    app = await testApp();
    cpa = await app.register('CPA');
    for (let count = 1; count <= clientsMax; count += 1) {
      if (count > clientsMin && (await clientsByWorker()).size === workers.length) break;
      const response = await cpa.request('POST', '/v1/clients', { body: { name: `Client ${count}` } });
      const { id } = (await response.json()) as { id: string };
      own.push(entryOf('client_created', response));
      clients.push({ id, entries: [] });
    }
  });
  afterAll(() => app.close());

  /** Returns the clients on each worker, by `host:port`. */
  const clientsByWorker = async (): Promise<Map<string, string[]>> => {
    const ids = clients.map(({ id }) => id);
    const rows = await app.books.asOwner(
      (sql) => sql<{ worker: string; id: string }[]>`
        select nodename || ':' || nodeport as worker, id::text from unnest(${ids}::uuid[]) as id
        join citus_shards s on s.shardid = get_shard_id_for_distribution_column('audit_entries', id)`,
    );
    const ofWorker = (worker: string) => rows.filter((row) => row.worker === worker).map(({ id }) => id);
    return new Map(rows.map(({ worker }) => [worker, ofWorker(worker)]));
  };

  /** Returns the number of entries that each worker stores in its own shards. */
  const entriesByWorker = async (): Promise<Map<string, number>> => {
    const rows = await app.books.asOwner(
      (sql) => sql<{ worker: string; count: number }[]>`
        select nodename || ':' || nodeport as worker, sum(result::integer)::integer as count
        from run_command_on_placements('audit_entries', 'select count(*) from %s') group by 1`,
    );
    return new Map(rows.map(({ worker, count }) => [worker, count]));
  };

  const fetchEntries = async (query: string): Promise<Entry[]> => {
    const { data } = await cpa.json<{ data: Entry[] }>('GET', `/v1/account/audit?limit=100${query}`);
    return data.map(({ action, requestId }) => ({ action, requestId })).reverse();
  };

  test('reads every entry for each client, and each worker stores some of them', async () => {
    const before = await entriesByWorker();
    for (const client of clients) {
      for (const [action, method, path, given] of acts) {
        const response = await cpa.request(method, `${path}?client=${client.id}`, given);
        expect([action, response.ok]).toEqual([action, true]);
        await response.body?.cancel();
        client.entries.push(entryOf(action, response));
      }
    }
    // Runs all changes at once. Each is a separate transaction on its client's worker.
    await Promise.all(
      clients.map(async (client) => {
        const body = { year: 2024, text: 'Which lots were sold?' };
        const response = await cpa.request('POST', `/v1/tax/notes?client=${client.id}`, { body });
        expect(response.status).toBe(201);
        client.entries.push(entryOf('note_created', response));
      }),
    );
    for (const { id, entries } of clients) expect(await fetchEntries(`&client=${id}`)).toEqual(entries);
    expect((await fetchEntries('')).filter(({ action }) => action === 'client_created')).toEqual(own);
    const placed = await clientsByWorker();
    const after = await entriesByWorker();
    expect([...placed.keys()].sort()).toEqual([...workers].sort());
    for (const worker of workers) {
      const count = placed.get(worker)?.length ?? 0;
      expect(count).toBeGreaterThan(0);
      expect((after.get(worker) ?? 0) - (before.get(worker) ?? 0)).toBe(count * (acts.length + 1));
      console.log(`Worker ${worker}: ${count} clients, ${after.get(worker)} entries.`);
    }
  });

  test('has the same books after a dump is loaded into another cluster, and the books pass verify', async () => {
    const url = await emptyDatabase();
    await joinWorkers(url);
    const dump = createDump(app.books.url, '9.9.9');
    const { tables } = await loadDump(url, dump.bytes);
    expect(tables).toEqual([...dump.sums()]);
    const database = connect({ url, directUrl: null }, { connectionsMax: 4 });
    const books = await verifyBooks(createDeps({ ...app.deps, database }), () => {});
    await database.close();
    expect(books).toMatchObject({ taxpayers: clients.length + 1, transactions: 2 * clients.length, stale: 0 });
    expect(books.differences).toEqual([]);
    expect(await checkStorage(url)).toMatchObject({ faults: [] });
    await dropDatabase(url);
  });
});

const csv = `date,type,account,asset,quantity,amount
2024-01-05,buy,Schwab,AAPL,20,2500
2025-02-01,sell,Schwab,AAPL,10,1850
`;

const acts: readonly (readonly [action: string, method: string, path: string, given: object])[] = [
  ['file_imported', 'POST', '/v1/transactions/import', { body: csv, headers: { 'content-type': 'text/csv' } }],
  ['settings_changed', 'PATCH', '/v1/tax/settings', { body: { filingStatus: 'single' } }],
  ['report_created', 'POST', '/v1/tax/reports', { body: { year: 2025 } }],
  ['books_calculated', 'POST', '/v1/tax/calculate', {}],
  ['year_locked', 'POST', '/v1/tax/years/2024/lock', {}],
  ['year_unlocked', 'POST', '/v1/tax/years/2024/unlock', {}],
];

function entryOf(action: string, response: Response): Entry {
  return { action, requestId: response.headers.get('x-request-id') ?? '' };
}
