import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sweepImports } from '../../src/features/ledger/imports/sweep.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { connect, listConnections, syncDue } from '../support/connections.ts';
import { type KrakenStandIn, startKraken } from '../support/exchanges.ts';
import { seedFor } from '../support/seed.ts';

let kraken: KrakenStandIn;
let app: TestApp;
beforeAll(async () => {
  kraken = startKraken();
  app = await testApp({ env: { KRAKEN_SYNC_URL: kraken.url } });
});
afterAll(async () => {
  await app.close();
  kraken.close();
});

const entries = 20_000;
const pages = entries / 50;
const killsWhileReading = 12;
const killsWhileStoring = 8;
const storingMillisecondsMax = 3_000;

/** Returns numbers from 0 to 1, the same for each seed (Lehmer). */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Runs a process that syncs, and kills it when `moment` resolves or it ends. Returns whether it was killed midway. */
async function killAt(moment: (begins: Promise<unknown>) => Promise<unknown>): Promise<boolean> {
  const command = [process.execPath, join(import.meta.dir, '../support/sync-process.ts'), app.books.url, kraken.url];
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const begins = child.stdout.getReader().read();
  const isMidway = await Promise.race([moment(begins).then(() => true), child.exited.then(() => false)]);
  child.kill('SIGKILL');
  await child.exited;
  return isMidway;
}

/** Lets the claim of the killed server run out, and its import count as abandoned. */
async function recover(): Promise<void> {
  await app.books.asOwner(async (sql) => {
    await sql`update connections set claimed_until = now() - interval '1 second', due_at = least(due_at, now())`;
    await sql`update imports set moved_at = now() - interval '1 minute' where status = 'running'`;
  });
  await sweepImports(app.deps);
}

test('a sync of 20,000 rows that is killed at 20 places stores each row once', async () => {
  const random = randomFrom(seedFor('killed syncs'));
  const client = await app.register('PRO');
  const newest = Math.floor(Date.now() / 1_000) - 3_600;
  kraken.entries = Array.from({ length: entries }, (_, n) => ({
    ...{ id: `L${n}`, refid: `R${n}`, time: newest - 60 * n, type: 'deposit' },
    ...{ asset: 'XXBT', amount: '0.0100000000', balance: `${(entries - n) / 100}` },
  }));
  kraken.balances = { XXBT: String(entries / 100) };
  await connect(client, 'kraken', kraken);
  let kills = 0;
  for (let kill = 1; kill <= killsWhileReading; kill++) {
    // The page at which the server dies. It may have been answered, and not stored.
    const page = Math.floor((pages * (kill - 1 + random())) / killsWhileReading);
    const { promise, resolve } = Promise.withResolvers<void>();
    kraken.beforePage = (offset) => {
      if (offset / 50 >= page) resolve();
    };
    if (await killAt(() => promise.then(() => Bun.sleep(random() * 20)))) kills += 1;
    await recover();
  }
  kraken.beforePage = () => undefined;
  const [connection] = await listConnections(client);
  expect(connection?.progress?.pages).toBeGreaterThan(pages / 2);
  for (let kill = 1; kill <= killsWhileStoring; kill++) {
    const milliseconds = random() * storingMillisecondsMax;
    if (await killAt((begins) => begins.then(() => Bun.sleep(milliseconds)))) kills += 1;
    await recover();
  }
  expect(kills).toBeGreaterThan(killsWhileReading);
  await app.deps.jobs.start();
  for (const until = performance.now() + 120_000; performance.now() < until; await Bun.sleep(500)) {
    await recover();
    await syncDue(app);
    const [synced] = await listConnections(client);
    if (synced?.state === 'idle' && synced.lastSyncAt !== null) break;
  }
  expect(await listConnections(client)).toMatchObject([{ state: 'idle', problem: null, progress: null }]);
  const [stored] = await app.books.asOwner(
    (sql) => sql<{ rows: number; ids: number; imports: number; pages: number }[]>`
      select count(*)::integer as rows, count(distinct external_id)::integer as ids,
        (select count(*)::integer from imports where status = 'completed') as imports,
        (select count(*)::integer from connection_pages) as pages
      from transactions`,
  );
  expect(stored).toEqual({ rows: entries, ids: entries, imports: 1, pages: 0 });
  // Nothing is new.
  await app.books.asOwner((sql) => sql`update connections set due_at = now()`);
  await syncDue(app);
  const { data } = await client.json<{ data: { difference: string }[] }>('GET', '/v1/balances');
  expect(data[0]).toMatchObject({ difference: '0' });
}, 600_000);
