import Papa from 'papaparse';
import { testApp } from '../../test/support/app.ts';
import { type Measured, peakMemory } from './measure.ts';
import { tradesCsv } from './trades.ts';

const rows = 20_000;

/**
 * An import through HTTP with gains up to date at its end, against the least that could be called one: the whole file
 * parsed in memory and its cells stored in a bare table.
 */
export async function benchImports(): Promise<Measured[]> {
  const csv = tradesCsv(rows);
  const service = await testApp();
  try {
    const bare = await timed(() =>
      service.books.database.asService(async (sql) => {
        const cells = Papa.parse<string[]>(csv.trim()).data.slice(1);
        const column = (at: number): string[] => cells.map((row) => row[at] ?? '');
        await sql`create temporary table bare (at text, type text, account text, asset text, quantity numeric, amount numeric) on commit drop`;
        await sql`
          insert into bare select * from unnest(
            ${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[],
            ${column(4)}::numeric[], ${column(5)}::numeric[]
          )`;
      }),
    );
    const body = { body: csv, headers: { 'content-type': 'text/csv' } };
    const [first, second] = [await service.register('PRO'), await service.register('PRO')];
    const whole = await timed(() => first.json('POST', '/v1/transactions/import', body, 201));
    const again = await timed(() => first.json('POST', '/v1/transactions/import', body, 201));
    const bytes = await peakMemory(() => second.json('POST', '/v1/transactions/import', body, 201));
    return [
      {
        what: `import: rows a second (${rows.toLocaleString('en-US')} trades, gains included)`,
        value: rows / whole,
        unit: '/s',
      },
      { what: 'import against parsing and storing bare cells', value: whole / bare, unit: '× the time' },
      { what: 'the same file again, adding nothing', value: whole / again, unit: '× faster' },
      { what: 'memory above rest while it imports', value: bytes / 1_000_000, unit: 'MB' },
    ];
  } finally {
    await service.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
