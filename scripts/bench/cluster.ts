import { migrate } from '../../src/db/migrate.ts';
import { workers } from '../../test/support/citus/cluster.ts';
import { dropDatabase, emptyDatabase, testDatabase } from '../../test/support/database.ts';
import { type Measured, measureSeconds, quantile } from './measure.ts';
import { type Served, serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

const reads = 60;

interface Side {
  readonly served: Served;
  readonly cookie: string;
}

/**
 * Compares one taxpayer on a Citus cluster with the same taxpayer on plain PostgreSQL, a database on the coordinator's
 * server without the extension. The requests alternate so that other work on the machine slows both. Does nothing
 * without a cluster (`scripts/citus --bench`).
 */
export async function benchCluster(): Promise<Measured[]> {
  if (workers.length === 0) return [];
  const plainUrl = await emptyDatabase();
  await migrate(plainUrl);
  const books = await testDatabase();
  const servers = [await serveApp(plainUrl), await serveApp(books.url)] as const;
  try {
    const [plain, cluster] = servers;
    const sides: readonly [Side, Side] = [
      { served: plain, cookie: await plain.register('PRO') },
      { served: cluster, cookie: await cluster.register('PRO') },
    ];
    const csv = tradesCsv(1_000);
    const get = (path: string) => (side: Side) => side.served.ask('GET', path, side.cookie).then(ok);
    const add = (turn: number) => (side: Side) =>
      side.served.importCsv(side.cookie, csv.replaceAll('Broker', `Broker ${turn}`));
    // The first few thousand rows are slower than later ones.
    for (const { served } of sides) await served.importCsv(await served.register('PRO'), tradesCsv(5_000));
    return [
      ...(await compared(
        'import of 12,000 rows',
        sides,
        1,
        () => (side) => side.served.importCsv(side.cookie, tradesCsv(12_000)),
      )),
      ...(await compared('import of 1,000 rows', sides, 5, add)),
      ...(await compared('account', sides, reads, () => get('/v1/account'))),
      ...(await compared('summary', sides, reads, () => get('/v1/tax/summary?year=2024'))),
      ...(await compared('list of 50 transactions', sides, reads, () => get('/v1/transactions?limit=50'))),
      ...(await compared('open lots', sides, reads, () => get('/v1/tax/lots'))),
    ];
  } finally {
    for (const server of servers) await server.stop();
    await dropDatabase(plainUrl);
    await books.drop();
  }
}

async function compared(
  what: string,
  sides: readonly [Side, Side],
  turns: number,
  ask: (turn: number) => (side: Side) => Promise<unknown>,
): Promise<Measured[]> {
  const seconds: readonly [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    const work = ask(turn);
    for (const [index, side] of sides.entries()) seconds[index]?.push(await measureSeconds(() => work(side)));
  }
  const [plain, cluster] = [quantile(seconds[0], 0.5), quantile(seconds[1], 0.5)];
  return [
    { what: `${what} on one PostgreSQL, p50`, value: plain * 1000, unit: 'ms' },
    { what: 'the same on Citus', value: cluster * 1000, unit: 'ms' },
    { what: 'Citus against PostgreSQL', value: cluster / plain, unit: '× the time' },
  ];
}

function ok(status: number): void {
  if (status !== 200) throw new Error(`The server returned status ${status}.`);
}
