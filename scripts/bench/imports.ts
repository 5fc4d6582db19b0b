import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '../../src/db/connection.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { findPostgres, type Measured, measureSeconds, quantile, readMemory, readProcessorSeconds } from './measure.ts';
import { type Served, serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const rowsOnTop = 1_000;
/** The tables to which an import of trades adds rows. Others get a few rows, such as one for each year. */
const tablesWritten = ['transactions', 'lots', 'lot_versions', 'disposals', 'wash_sales', 'checkpoints'] as const;
/** About forty times a second, which is often enough to see each wait without adding load. */
const askedMilliseconds = 20;

/**
 * Measures imports into a server in a separate process, with gains up to date at the end, compared with the time that
 * PostgreSQL takes to COPY the rows that the import stored, and with an import without row-level security. During the
 * first import, another user repeatedly requests a summary.
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
    const copiedAll = sumOf([...copied.values()].map(({ passed }) => passed));
    const again = await measureSeconds(() => served.importCsv(trader, csv));
    const onTop = await measureSeconds(() => served.importCsv(trader, later(tradesCsv(rowsOnTop))));
    const [secured, unsecured] = await importWithoutPolicies(books, served, csv);
    const size = rows.toLocaleString('en-US');
    return [
      { what: `import of ${size} trades over HTTP, gains included: rows a second`, value: rows / seconds, unit: '/s' },
      {
        what: "the same against PostgreSQL's COPY of all rows that it stored",
        value: seconds / copiedAll,
        unit: '× the time',
      },
      {
        what: "the same against PostgreSQL's COPY of its transactions",
        value: seconds / (copied.get('transactions')?.passed ?? 0),
        unit: '× the time',
      },
      ...[...copied].map(([table, { passed }]) => ({ what: `COPY of its rows in ${table}`, value: passed, unit: 's' })),
      {
        what: 'processor time of COPY of all of them',
        value: sumOf([...copied.values()].map(({ postgres }) => postgres)),
        unit: 's',
      },
      ...measureParts('a second import', secured),
      ...measureParts('the same without row-level security', unsecured),
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** The time of an import, and what the server and PostgreSQL computed for it. */
interface ImportSeconds {
  readonly passed: number;
  readonly server: number;
  readonly postgres: number;
}

/** Imports the file for two new users, the second time without row-level security. */
async function importWithoutPolicies(
  books: TestDatabase,
  served: Served,
  csv: string,
): Promise<[ImportSeconds, ImportSeconds]> {
  const pool = openPool(books.url, 1, { statement_timeout: 0 });
  try {
    const postgres = await findPostgres(pool);
    const importOnce = async (): Promise<ImportSeconds> => {
      const cookie = await served.register('CPA');
      const before = [readProcessorSeconds(served.pid), readProcessorSeconds(postgres)] as const;
      const passed = await measureSeconds(() => served.importCsv(cookie, csv));
      const server = readProcessorSeconds(served.pid) - before[0];
      return { passed, server, postgres: readProcessorSeconds(postgres) - before[1] };
    };
    const secured = await importOnce();
    const tables = await pool<{ name: string }[]>`
      select relname as name from pg_class where relkind = 'r' and relrowsecurity and relnamespace = 'public'::regnamespace`;
    for (const { name } of tables) await pool.unsafe(`alter table ${name} disable row level security`);
    return [secured, await importOnce()];
  } finally {
    await pool.end({ timeout: 5 });
  }
}

function measureParts(what: string, { passed, server, postgres }: ImportSeconds): Measured[] {
  return [
    { what, value: passed, unit: 's' },
    { what: 'its processor time in the server', value: server, unit: 's' },
    { what: 'its processor time in PostgreSQL', value: postgres, unit: 's' },
  ];
}

/**
 * Copies the rows from the last and largest import into copies of their tables, with their indexes and generated
 * columns. Returns the seconds that passed and the processor time for each table.
 */
async function copyAgain(
  books: TestDatabase,
  count: number,
): Promise<Map<string, Pick<ImportSeconds, 'passed' | 'postgres'>>> {
  const file = join(tmpdir(), `lotbook-bench-${process.pid}.csv`);
  const pool = openPool(books.url, 1, { statement_timeout: 0 });
  const copied = new Map<string, Pick<ImportSeconds, 'passed' | 'postgres'>>();
  try {
    const postgres = await findPostgres(pool);
    const [largest] = await pool<{ id: string }[]>`
      select taxpayer_id as id from transactions group by taxpayer_id order by count(*) desc limit 1`;
    for (const table of tablesWritten) {
      const columns = await pool<{ name: string }[]>`
        select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum`;
      const list = columns.map(({ name }) => `"${name}"`).join(', ');
      const order = table === 'transactions' ? 'order by on_day, line' : '';
      await pool.unsafe(`create table copied (like ${table} including all)`);
      await pool.unsafe(
        `copy (select ${list} from ${table} where taxpayer_id = '${largest?.id}' ${order}) to '${file}' (format csv)`,
      );
      const before = readProcessorSeconds(postgres);
      const passed = await measureSeconds(() => pool.unsafe(`copy copied (${list}) from '${file}' (format csv)`));
      copied.set(table, { passed, postgres: readProcessorSeconds(postgres) - before });
      if (table === 'transactions') {
        const [stored] = await pool<{ count: number }[]>`select count(*)::integer as count from copied`;
        if (stored?.count !== count) throw new Error(`COPY stored ${stored?.count} rows instead of ${count}.`);
      }
      await pool.unsafe('drop table copied');
    }
    return copied;
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
