import { readFileSync } from 'node:fs';
import { listPids, readStat } from '../../src/base/processes.ts';
import type { ConnectionPool } from '../../src/db/connection.ts';

export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

/** Returns the median seconds of this many runs, after one warm-up run. */
export async function median(runs: number, work: () => unknown): Promise<number> {
  await work();
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    seconds.push((performance.now() - started) / 1000);
  }
  return seconds.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

/** Returns the peak resident memory of the process while the work ran, in bytes above its memory before. */
export async function peakMemory(work: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, process.memoryUsage().rss) - before;
}

/** Returns the given quantile of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Returns the memory of the process in MB, or 0 if the system does not report it. */
export function readMemory(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/**
 * Returns the processor time in seconds that a process and all processes below it have used so far. On a shared
 * machine, it says more than the time that passed.
 */
export function readProcessorSeconds(pid: number): number {
  const below = Map.groupBy(listPids(), (one) => readStat(one)?.parent ?? 0);
  const family = [pid];
  for (const one of family) family.push(...(below.get(one) ?? []));
  return family.reduce((sum, one) => sum + readTicks(one), 0) / ticksPerSecond;
}

const ticksPerSecond = 100;

/** Returns the clock ticks of a process and of its children that have ended. */
function readTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}

/** Returns the process id of the PostgreSQL server, which must be on this machine. */
export async function findPostgres(pool: ConnectionPool): Promise<number> {
  const [row] = await pool<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return readStat(row?.pid ?? 0)?.parent ?? 0;
}

export function formatMeasured({ what, value, unit }: Measured): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const number = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `| ${what} | ${number} ${unit} |`;
}
