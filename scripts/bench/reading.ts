import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './measure.ts';
import { formatSchwabCsv, formatTradesCsv, trades, tradesCsv } from './trades.ts';

const million = Number(process.env.BENCH_READING_ROWS ?? 1_000_000);

/**
 * Measures reading on its own, from the bytes of a file to its drafts, against papaparse, which only splits the same
 * bytes into cells. A file of Schwab has quotes around every cell, and a tenth of the rows.
 */
export async function benchReading(): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-bench-'));
  const files: readonly (readonly [name: string, rows: number, csv: (rows: number) => string])[] = [
    ['Lotbook CSV of stocks', million, tradesCsv],
    [
      'Lotbook CSV of coins and stocks',
      million,
      (rows) => formatTradesCsv(trades({ rows, assets: 20, assetClass: 'mixed', shape: 'turns' })),
    ],
    ['Schwab, all cells quoted', million / 10, formatSchwabCsv],
  ];
  try {
    const measured: Measured[] = [];
    for (const [name, rows, csv] of files) {
      const file = join(folder, 'rows.csv');
      await Bun.write(file, csv(rows));
      const drafts = await read(file, 'drafts');
      const cells = await read(file, 'papaparse');
      measured.push(
        {
          what: `${rows.toLocaleString('en-US')} rows to drafts, a second of the processor: ${name}`,
          value: drafts.megabytes / drafts.seconds,
          unit: 'MB',
        },
        { what: 'papaparse, which only splits them', value: cells.megabytes / cells.seconds, unit: 'MB' },
        { what: 'peak memory that reading adds', value: drafts.memory, unit: 'MB' },
        { what: 'peak memory that papaparse adds', value: cells.memory, unit: 'MB' },
      );
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ReadingRun {
  readonly megabytes: number;
  /** Processor time of all threads of the process, with garbage collection. */
  readonly seconds: number;
  /** The peak above the memory of the process before it read the file. */
  readonly memory: number;
}

/** Reads a file in a process of its own, so that no other measurement affects it. */
async function read(file: string, work: 'drafts' | 'papaparse'): Promise<ReadingRun> {
  const once = join(import.meta.dir, 'reading-once.ts');
  const child = Bun.spawn([process.execPath, once, file, work], { stdout: 'pipe', stderr: 'inherit' });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('The file was not read.');
  return JSON.parse(output) as ReadingRun;
}
