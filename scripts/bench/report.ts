import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, readMemory } from './measure.ts';
import { formatTradesCsv, trades, tradesCsv } from './trades.ts';

const sizes = [10_000, 100_000, Number(process.env.BENCH_REPORT_ROWS ?? 1_000_000)];
const main = join(import.meta.dir, '../../src/main.ts');

/**
 * Runs `lotbook report` in a separate process, from a Lotbook CSV with trades in ten coins and ten stocks to the year's
 * totals. Also runs it for stocks only, with one trade in twenty at a dip, so that wash sales cause more wash sales.
 */
export async function benchReport(): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-bench-'));
  try {
    const measured: Measured[] = [];
    const secondsARow: number[] = [];
    for (const rows of sizes) {
      const file = join(folder, `${rows}.csv`);
      await Bun.write(file, formatTradesCsv(trades({ rows, assets: 20, assetClass: 'mixed', shape: 'turns' })));
      const totals = await fastest(file, 'summary');
      const size = rows.toLocaleString('en-US');
      secondsARow.push(totals.seconds / rows);
      measured.push(
        { what: `lotbook report, ${size} rows to the year's totals`, value: totals.seconds, unit: 's' },
        { what: 'its processor time, both cores', value: totals.processorSeconds, unit: 's' },
        { what: 'rows a second', value: rows / totals.seconds, unit: '/s' },
        { what: 'its peak memory', value: totals.peakMegabytes, unit: 'MB' },
      );
    }
    const [, hundredThousand = 0, last = 0] = secondsARow;
    const growth = last / hundredThousand;
    measured.push({ what: 'seconds a row, the largest against 100,000', value: growth, unit: '×' });
    const washed = join(folder, 'washed.csv');
    await Bun.write(washed, tradesCsv(sizes.at(-1) ?? 0));
    measured.push({
      what: 'the largest, of stocks with wash sales at every turn',
      value: (await fastest(washed, 'summary')).seconds,
      unit: 's',
    });
    const largest = join(folder, `${sizes.at(-1)}.csv`);
    for (const format of ['csv', 'json']) {
      const { seconds, peakMegabytes } = await run(largest, format);
      measured.push(
        { what: `the largest with every line of the year, ${format}`, value: seconds, unit: 's' },
        { what: 'its peak memory', value: peakMegabytes, unit: 'MB' },
      );
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
}

/** Returns the best of three runs because other programs share the machine. */
async function fastest(file: string, format: string): Promise<Run> {
  const runs = [await run(file, format), await run(file, format), await run(file, format)];
  return runs.reduce((best, one) => (one.seconds < best.seconds ? one : best));
}

async function run(file: string, format: string): Promise<Run> {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, main, 'report', file, '--year', '2024', '--format', format], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  // The system's figure at the end would include memory that this process held when it started the other one.
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, readMemory(child.pid, 'VmHWM'));
  }, 20);
  const code = await child.exited;
  clearInterval(timer);
  if (code !== 0) throw new Error('The report command failed.');
  const seconds = (performance.now() - started) / 1000;
  const processorSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000;
  return { seconds, processorSeconds, peakMegabytes };
}
