import { testDatabase } from '../../test/support/database.ts';
import { type Measured, readMemory } from './measure.ts';
import { type Served, serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

const hostileRows = 60_000;
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
/** About forty times a second, which is often enough to see each wait without adding load. */
const askedMilliseconds = 20;

/** Repeated requests from one account, and how many run at once. */
interface Load {
  readonly what: string;
  /** If not set, all requests are from one account with a long history. */
  readonly accounts?: number;
  readonly parallel: number;
  /** Returns the ids of the requested reports. */
  prepare?(served: Served, cookie: string): Promise<readonly string[]>;
  ask(served: Served, cookie: string, turn: number, ids: readonly string[]): Promise<unknown>;
}

const loads: readonly Load[] = [
  // Measures how much the machine itself delays others, regardless of who uses it.
  { what: 'idle', parallel: 0, ask: async () => 0 },
  {
    what: '24 parallel GET /tax/harvest over 60,000 rows',
    parallel: 24,
    ask: (served, cookie) => served.ask('GET', '/v1/tax/harvest', cookie),
  },
  {
    what: '24 parallel what-ifs over 60,000 rows',
    parallel: 24,
    ask: (served, cookie) => served.ask('POST', '/v1/tax/what-if', cookie, whatIf),
  },
  {
    what: '24 parallel GET /tax/lots of a day in the past',
    parallel: 24,
    ask: (served, cookie) => served.ask('GET', '/v1/tax/lots?asOf=2023-06-30', cookie),
  },
  {
    what: '24 parallel searches of the transactions',
    parallel: 24,
    ask: (served, cookie) => served.ask('GET', '/v1/transactions?q=zzzz', cookie),
  },
  {
    what: '24 parallel edits',
    parallel: 24,
    ask: (served, cookie, turn) => served.ask('POST', '/v1/transactions', cookie, buy(turn)),
  },
  {
    what: 'imports of 100 rows by 50 people at once',
    parallel: 50,
    accounts: 50,
    ask: (served, cookie, turn) =>
      served.ask(
        'POST',
        '/v1/transactions/import',
        cookie,
        tradesCsv(100).replaceAll('Broker', `Broker ${turn}`),
        'text/csv',
      ),
  },
  {
    what: '8 parallel full reports of 60,000 rows',
    parallel: 8,
    prepare: async (served, cookie) => {
      const ids: string[] = [];
      for (const year of [2021, 2022, 2023, 2024]) ids.push(await served.createReport(cookie, year));
      return ids;
    },
    ask: (served, cookie, turn, ids) =>
      served.ask('GET', `/v1/tax/reports/${ids[turn % ids.length]}/download?format=pdf`, cookie),
  },
];
const buy = (turn: number): string =>
  JSON.stringify({ date: '2024-05-01', type: 'buy', account: 'Broker', asset: 'S1', quantity: '1', amount: `${turn}` });
const whatIf = JSON.stringify({ sales: [{ asset: 'S1', quantity: '1', price: '100', date: '2025-06-30' }] });

/** Measures how long a user waits for a summary and for a small import while another account is busy. */
export async function benchNeighbors(): Promise<Measured[]> {
  return [...(await onServers(1)), ...(await onServers(2))];
}

/**
 * Runs two servers on one database. Each handles half of the hostile account's requests, and the other account uses the
 * second one.
 */
async function onServers(count: 1 | 2): Promise<Measured[]> {
  const books = await testDatabase();
  const servers = await Promise.all(Array.from({ length: count }, () => serveApp(books.url)));
  const [served, second] = [servers[0] as Served, servers.at(-1) as Served];
  try {
    const [hostile, other] = [await served.register('PRO'), await served.register('PRO')];
    await served.importCsv(other, tradesCsv(500));
    await served.importCsv(hostile, tradesCsv(hostileRows));
    const measured: Measured[] = [];
    for (const load of loads) measured.push(...(await beside([served, second], load, hostile, other)));
    return count === 1 ? measured : measured.map((one) => ({ ...one, what: `two servers: ${one.what}` }));
  } finally {
    for (const server of servers) await server.stop();
    await books.drop();
  }
}

async function beside(
  [served, second]: readonly [Served, Served],
  load: Load,
  hostile: string,
  other: string,
): Promise<Measured[]> {
  const cookies = [hostile];
  for (let more = 1; more < (load.accounts ?? 1); more++) cookies.push(await served.register('PRO'));
  const ids = (await load.prepare?.(served, hostile)) ?? [];
  const until = performance.now() + seconds * 1000;
  const waits: number[] = [];
  const statuses = new Map<number, number>();
  let turn = 0;
  const asking = Array.from({ length: load.parallel }, async (_, worker) => {
    const cookie = cookies[worker % cookies.length] ?? hostile;
    while (performance.now() < until) {
      turn += 1;
      const status = Number(await load.ask(turn % 2 === 0 ? served : second, cookie, turn, ids));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  while (performance.now() < until) {
    const start = performance.now();
    await second.summary(other);
    waits.push(performance.now() - start);
    await Bun.sleep(askedMilliseconds);
  }
  const start = performance.now();
  await second.importCsv(other, tradesCsv(100));
  const imported = performance.now() - start;
  await Promise.all(asking);
  waits.sort((a, b) => a - b);
  const at = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0;
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return [
    { what: `${load.what} (${counts || 'idle'}): another's summary, p50`, value: at(0.5), unit: 'ms' },
    { what: `${load.what}: another's summary, p99`, value: at(0.99), unit: 'ms' },
    { what: `${load.what}: another's import of 100 rows`, value: imported, unit: 'ms' },
    { what: 'memory of the server at its peak so far', value: readMemory(second.pid, 'VmHWM'), unit: 'MB' },
  ];
}
