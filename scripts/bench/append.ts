import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { type Measured, measureSeconds, readMemory } from './measure.ts';
import { type Served, serveApp } from './served.ts';

const few = 10_000;
const many = Number(process.env.BENCH_BOOKS ?? 1_000_000);
const rowsOnTop = 1_000;
const patches = 9;

/**
 * Measures a change to books with many rows, of which a fifth are open lots. Imports a thousand more rows, compared
 * with the same import into small books, and corrects one row in the current year, until the summary includes it.
 */
export async function benchAppends(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  try {
    // Warms up the server's compiled code and caches.
    await onTop(served, await filled(served, few), 6);
    const small = await onTop(served, await filled(served, few), 3);
    const half = await filled(served, many / 2);
    await analyze(books);
    for (const month of ['02', '05', '10']) await correct(served, half, `2024-${month}-01`);
    const [corrected, early] = [await correct(served, half, '2024-07-01'), await correct(served, half, '2024-01-03')];
    const large = await filled(served, many);
    await analyze(books);
    const top = await onTop(served, large, 3);
    const size = (count: number): string => count.toLocaleString('en-US');
    return [
      { what: `1,000 rows on top of ${size(few)}`, value: small, unit: 's' },
      { what: `1,000 rows on top of ${size(many)}, ${size(await countLots(books))} lots open`, value: top, unit: 's' },
      { what: 'large books against small ones', value: top / small, unit: '× the time' },
      {
        what: `one row corrected in July of the current year of ${size(many / 2)}`,
        value: corrected * 1000,
        unit: 'ms',
      },
      { what: 'the same in the first days of January', value: early * 1000, unit: 'ms' },
      { what: 'memory of the server at its peak', value: readMemory(served.pid, 'VmHWM'), unit: 'MB' },
    ];
  } finally {
    await served.stop();
    await books.drop();
  }
}

async function filled(served: Served, rows: number): Promise<string> {
  const cookie = await served.register('CPA');
  await served.importCsv(cookie, holdingsCsv(rows, '2021-01-01', 4 * 365 - 1));
  return cookie;
}

/** Returns the median of this many imports, run one after another. */
async function onTop(served: Served, cookie: string, times: number): Promise<number> {
  const seconds: number[] = [];
  for (let time = 0; time < times; time++) {
    const csv = holdingsCsv(rowsOnTop, `2025-0${time + 1}-02`, 25);
    seconds.push(await measureSeconds(() => served.importCsv(cookie, csv)));
  }
  return middle(seconds);
}

async function correct(served: Served, cookie: string, from: string): Promise<number> {
  const seconds: number[] = [];
  for (const [at, id] of (await served.transactionIds(cookie, from, patches)).entries()) {
    seconds.push(await measureSeconds(() => served.correct(cookie, id, `${1200 + at}.00`)));
  }
  return middle(seconds);
}

/** Does what autovacuum does on a running server. The benchmark's server has none. */
async function analyze(books: TestDatabase): Promise<void> {
  await books.asOwner((sql) => sql`analyze`);
}

async function countLots(books: TestDatabase): Promise<number> {
  const [row] = await books.asOwner(
    (sql) => sql<{ count: number }[]>`
      select count(*)::integer as count from lots group by taxpayer_id order by count(*) desc limit 1`,
  );
  return row?.count ?? 0;
}

function middle(seconds: readonly number[]): number {
  return [...seconds].sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0;
}

/** Creates three purchases, then two sales, in twenty stocks, so one lot for every five rows stays open. */
function holdingsCsv(rows: number, from: string, days: number): string {
  const lines = ['date,type,account,asset,quantity,amount,fee'];
  const start = Date.parse(`${from}T14:30:00Z`);
  for (let row = 0; row < rows; row++) {
    const at = new Date(start + Math.floor((row / rows) * days) * 86_400_000 + (row % 20_000) * 1000);
    const turn = Math.floor(row / symbols) % 5;
    const price = 100 + ((row * 7919) % 1000) / 50 + (row / rows) * 40;
    const isSale = turn === 2 || turn === 4;
    lines.push(
      `${at.toISOString()},${isSale ? 'sell' : 'buy'},Broker,S${row % symbols},10,${(price * 10).toFixed(2)},0.35`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const symbols = 20;
