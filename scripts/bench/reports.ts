import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeze } from '../../src/features/gains/reports/frozen.ts';
import { plainBooks } from '../../test/reports/plain-books.ts';
import type { Measured } from './measure.ts';

/** The number of lines, and the formats rendered from them. */
const cases: readonly (readonly [lines: number, formats: readonly string[]])[] = [
  [1_000, ['8949']],
  [10_000, ['8949', 'pdf']],
  [100_000, ['8949']],
  [1_000_000, ['txf', 'csv']],
];
const names: Readonly<Record<string, string>> = { '8949': 'Form 8949', pdf: 'full report', txf: 'TXF', csv: 'CSV' };

/** Renders reports from frozen books, each in a separate process so that each has its own peak memory. */
export async function benchReports(): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-bench-'));
  try {
    const measured: Measured[] = [];
    for (const [lines, formats] of cases) {
      const path = join(folder, `${lines}.json`);
      const { parts } = await freeze(plainBooks(lines));
      await Bun.write(path, JSON.stringify(parts.map((part) => new Uint8Array(part).toBase64())));
      for (const format of formats) measured.push(...(await drawn(path, lines, format)));
    }
    return measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function drawn(path: string, lines: number, format: string): Promise<Measured[]> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'report-once.ts'), path, format], {
    stdout: 'pipe',
  });
  const figures = JSON.parse(await new Response(child.stdout).text()) as Record<string, number>;
  const { seconds = 0, cold = 0, peak = 0, pause = 0 } = figures;
  const what = `${names[format]} of ${lines.toLocaleString('en-US')} lines`;
  return [
    { what: `${what}, rendered in a Worker`, value: seconds, unit: 's' },
    ...(cold === seconds ? [] : [{ what: `${what}, its Worker not yet loaded`, value: cold, unit: 's' }]),
    { what: `${what}: peak memory of the whole process`, value: peak / 1_000_000, unit: 'MB' },
    { what: `${what}: longest pause of the thread that serves`, value: pause * 1000, unit: 'ms' },
  ];
}
