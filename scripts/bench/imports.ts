import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '../../src/db/connection.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { type Measured, measureSeconds, quantile, readMemory } from './measure.ts';
import { serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const rowsOnTop = 1_000;
/** About forty times a second, which is often enough to see each wait without adding load. */
const askedMilliseconds = 20;

/**
 * Measures imports into a server in a separate process, with gains up to date at the end, compared with the time that
 * PostgreSQL takes to COPY the same rows into the same table. At the same time, another user repeatedly requests a
 * summary.
 */
export async function benchImports(): Promise<Measured[]> {
  const csv = tradesCsv(rows);
  const books = await testDatabase();
  const served = await serveApp(books.url);
  try {
    const [trader, reader] = [await served.register('CPA'), await served.register('PRO')];
    await served.importCsv(reader, tradesCsv(500));
    // Warms up the server's compiled code and caches. The first few thousand rows are slower than later ones.
    await served.importCsv(await served.register('PRO'), tradesCsv(20_000));
    const idle = readMemory(served.pid, 'VmRSS');
    const { seconds, waits } = await meanwhile(
      () => served.importCsv(trader, csv),
      () => served.summary(reader),
    );
    const peak = readMemory(served.pid, 'VmHWM');
    const copied = await copyAgain(books, rows);
    const again = await measureSeconds(() => served.importCsv(trader, csv));
    const onTop = await measureSeconds(() => served.importCsv(trader, later(tradesCsv(rowsOnTop))));
    const size = rows.toLocaleString('en-US');
    return [
      { what: `import of ${size} trades over HTTP, gains included: rows a second`, value: rows / seconds, unit: '/s' },
      { what: "the same against PostgreSQL's COPY of its rows", value: seconds / copied, unit: '× the time' },
      { what: 'the same file again, which adds nothing', value: seconds / again, unit: '× faster' },
      { what: `${rowsOnTop.toLocaleString('en-US')} rows on top`, value: onTop, unit: 's' },
      { what: 'memory of the server at its peak', value: peak, unit: 'MB' },
      { what: 'memory of the server before', value: idle, unit: 'MB' },
      { what: "another user's summary meanwhile, p50", value: quantile(waits, 0.5), unit: 'ms' },
      { what: "another user's summary meanwhile, p99", value: quantile(waits, 0.99), unit: 'ms' },
      { what: "another user's summary meanwhile, the longest", value: quantile(waits, 1), unit: 'ms' },
    ];
  } finally {
    await served.stop();
    await books.drop();
  }
}

/**
 * Copies the rows from the last and largest import into a copy of their table, with its indexes and generated columns.
 */
async function copyAgain(books: TestDatabase, count: number): Promise<number> {
  const file = join(tmpdir(), `lotbook-bench-${process.pid}.csv`);
  const pool = openPool(books.url, 1, { statement_timeout: 0 });
  try {
    const columns = await pool<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = 'transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`;
    const list = columns.map(({ name }) => `"${name}"`).join(', ');
    const [largest] = await pool<{ id: string }[]>`
      select taxpayer_id as id from transactions group by taxpayer_id order by count(*) desc limit 1`;
    await pool.unsafe('create table copied (like transactions including all)');
    await pool.unsafe(
      `copy (select ${list} from transactions where taxpayer_id = '${largest?.id}' order by on_day, line) to '${file}' (format csv)`,
    );
    const seconds = await measureSeconds(() => pool.unsafe(`copy copied (${list}) from '${file}' (format csv)`));
    const [stored] = await pool<{ count: number }[]>`select count(*)::integer as count from copied`;
    if (stored?.count !== count) throw new Error(`COPY stored ${stored?.count} rows instead of ${count}.`);
    await pool.unsafe('drop table copied');
    return seconds;
  } finally {
    rmSync(file, { force: true });
    await pool.end({ timeout: 5 });
  }
}

/** Creates the same trades, dated after all existing ones. */
function later(csv: string): string {
  return csv.replaceAll(/^20\d\d-/gm, '2025-').replaceAll('-02-29T', '-02-28T');
}

async function meanwhile(
  work: () => Promise<unknown>,
  ask: () => Promise<unknown>,
): Promise<{ seconds: number; waits: number[] }> {
  const waits: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      waits.push((await measureSeconds(ask)) * 1000);
      await Bun.sleep(askedMilliseconds);
    }
  })();
  const seconds = await measureSeconds(work);
  over = true;
  await asking;
  return { seconds, waits: waits.sort((a, b) => a - b) };
}
