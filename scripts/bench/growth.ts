import { openPool } from '../../src/db/connection.ts';
import { testDatabase } from '../../test/support/database.ts';
import { type Measured, measureSeconds, quantile } from './measure.ts';
import { seededRows, seedTaxpayers } from './seeded.ts';
import { type Served, serveApp } from './served.ts';
import { sizesByTable } from './sizes.ts';
import { tradesCsv } from './trades.ts';

const few = 10;
const many = Number(process.env.BENCH_TAXPAYERS ?? 2_000);
const tries = 200;
const imports = 40;

interface SeededServer {
  readonly served: Served;
  readonly cookies: readonly string[];
}

/**
 * Compares how long one taxpayer waits on a database with few taxpayers and on one with many, and measures the disk
 * space that the many take. The requests alternate so that other work on the machine affects both.
 */
export async function benchGrowth(): Promise<Measured[]> {
  const databases = [await testDatabase(), await testDatabase()];
  const pool = openPool(databases[1]?.url ?? '', 1, { statement_timeout: 0 });
  const servers = [await serveApp(databases[0]?.url ?? ''), await serveApp(databases[1]?.url ?? '')] as const;
  try {
    const seededServers = [
      { served: servers[0], cookies: await seedTaxpayers(servers[0], few) },
      { served: servers[1], cookies: await seedTaxpayers(servers[1], many) },
    ] as const;
    const sizes = await sizesByTable(pool);
    const added = (turn: number) => tradesCsv(100).replaceAll('Broker', `Broker ${turn}`);
    return [
      ...(await compared('summary', seededServers, tries, ({ served }, cookie) => served.summary(cookie))),
      ...(await compared('import of 100 rows', seededServers, imports, ({ served }, cookie, turn) =>
        served.importCsv(cookie, added(turn)),
      )),
      ...sizes,
    ];
  } finally {
    for (const server of servers) await server.stop();
    await pool.end();
    for (const database of databases) await database.drop();
  }
}

async function compared(
  what: string,
  seededServers: readonly [SeededServer, SeededServer],
  turns: number,
  ask: (seededServer: SeededServer, cookie: string, turn: number) => Promise<void>,
): Promise<Measured[]> {
  const seconds: readonly [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, seededServer] of seededServers.entries()) {
      const cookie = seededServer.cookies[(turn * 7) % seededServer.cookies.length] ?? '';
      seconds[index]?.push(await measureSeconds(() => ask(seededServer, cookie, turn)));
    }
  }
  const [ofFew, ofMany] = [quantile(seconds[0], 0.5), quantile(seconds[1], 0.5)];
  const size = many.toLocaleString('en-US');
  return [
    { what: `${what} of one of ${few} taxpayers with ${seededRows} rows each, p50`, value: ofFew * 1000, unit: 'ms' },
    { what: `the same of one of ${size}, p50`, value: ofMany * 1000, unit: 'ms' },
    { what: 'many against few', value: ofMany / ofFew, unit: '× the time' },
  ];
}
