import { openPool } from '../../src/db/connection.ts';
import { testDatabase } from '../../test/support/database.ts';
import { findPostgres, type Measured, measureSeconds, quantile, readProcessorSeconds } from './measure.ts';
import { seededRows, seedTaxpayers } from './seeded.ts';
import { type Served, serveApp } from './served.ts';

const taxpayers = Number(process.env.BENCH_TAXPAYERS ?? 2_000);
const readers = 8;
const readsPerSecond = 20;

/**
 * Measures how long other users' summaries take while the books of all taxpayers are recalculated in the background
 * after an upgrade, compared with an idle server, and how many taxpayers one server renews per second.
 */
export async function benchRenewal(): Promise<Measured[]> {
  const books = await testDatabase();
  const pool = openPool(books.url, 1, { statement_timeout: 0 });
  let served = await serveApp(books.url);
  try {
    const cookies = await seedTaxpayers(served, taxpayers);
    const readerCookies = cookies.slice(0, readers);
    const alone = await readWhile(served, readerCookies, () => Bun.sleep(secondsAlone * 1000));
    await served.stop();
    await pool.unsafe('alter table ledgers no force row level security');
    await pool`
      update ledgers set engine = 'earlier' where taxpayer_id not in (
        select m.taxpayer_id from memberships m join users u on u.id = m.user_id order by u.created_at limit ${readers * 2})`;
    const [left] = await pool<
      { count: number }[]
    >`select count(*)::integer as count from ledgers where engine = 'earlier'`;
    served = await serveApp(books.url);
    const postgres = await findPostgres(pool);
    const readProcessors = () => [readProcessorSeconds(served.pid), readProcessorSeconds(postgres)] as const;
    const before = readProcessors();
    let seconds = 0;
    const meanwhile = await readWhile(served, readerCookies, async () => {
      seconds = await measureSeconds(async () => {
        for (let waiting = 1; waiting > 0; await Bun.sleep(200)) {
          const [row] = await pool<{ count: number }[]>`
            select count(*)::integer as count from ledgers where engine = 'earlier'`;
          waiting = row?.count ?? 0;
        }
      });
    });
    const after = readProcessors();
    const perTaxpayer = (at: 0 | 1) => ((after[at] - before[at]) * 1000) / (left?.count ?? 1);
    const size = taxpayers.toLocaleString('en-US');
    return [
      {
        what: `taxpayers renewed a second, of ${size} × ${seededRows} rows`,
        value: (left?.count ?? 0) / seconds,
        unit: '',
      },
      { what: 'processor time of the server for each, reading included', value: perTaxpayer(0), unit: 'ms' },
      { what: 'processor time of PostgreSQL for each, reading included', value: perTaxpayer(1), unit: 'ms' },
      { what: 'summary of others, p50 without renewal', value: quantile(alone, 0.5), unit: 'ms' },
      { what: 'the same meanwhile', value: quantile(meanwhile, 0.5), unit: 'ms' },
      { what: 'summary of others, p99 without renewal', value: quantile(alone, 0.99), unit: 'ms' },
      { what: 'the same meanwhile', value: quantile(meanwhile, 0.99), unit: 'ms' },
    ];
  } finally {
    await served.stop();
    await pool.end();
    await books.drop();
  }
}

const secondsAlone = 20;

/** Returns the milliseconds for each summary that was read until the work was done. */
async function readWhile(served: Served, cookies: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const milliseconds: number[] = [];
  let isOver = false;
  const reading = cookies.map(async (cookie) => {
    while (!isOver) {
      milliseconds.push((await measureSeconds(() => served.summary(cookie))) * 1000);
      await Bun.sleep((1000 * cookies.length) / readsPerSecond);
    }
  });
  await work();
  isOver = true;
  await Promise.all(reading);
  return milliseconds;
}
