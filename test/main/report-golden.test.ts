import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { jsonReport } from '../../src/forms/exports/json.ts';
import type { Cells } from '../support/books.ts';
import { draws } from '../support/depth.ts';
import {
  expectedTexts,
  type GoldenFiles,
  type GoldenResult,
  goldenFiles,
  goldenIds,
  resultTexts,
  type Summary,
} from '../support/golden-results.ts';
import { dataFolder, runCommand } from '../support/process.ts';

/** The worked cases stored outside of the project, run through `lotbook report` for each year with JSON output. */

const folder = dataFolder();
afterAll(() => folder.remove());

type Run = (args: readonly string[]) => Promise<string>;

describe('`lotbook report` produces the exact results of the worked cases', () => {
  for (const id of goldenIds()) {
    test(id, async () => {
      const golden = goldenFiles(id);
      const results = await readResults(golden, inProcess);
      expect(resultTexts(results, golden.expected)).toEqual(expectedTexts(golden.expected));
    });
  }
});

describe('`lotbook report` as a separate process', () => {
  for (const id of goldenIds().filter((_, at) => at % draws(30, 7) === 0)) {
    test(id, async () => {
      const golden = goldenFiles(id);
      const results = await readResults(golden, byCommand);
      expect(resultTexts(results, golden.expected)).toEqual(expectedTexts(golden.expected));
    });
  }
});

async function inProcess(args: readonly string[]): Promise<string> {
  const books = await readBooks(readReportRequest([...args, '--format', 'json']), new Messages());
  return (await Array.fromAsync(jsonReport.render(books), (part) => new TextDecoder().decode(part))).join('');
}

async function byCommand(args: readonly string[]): Promise<string> {
  const { code, out } = await runCommand(folder, ['report', ...args, '--format', 'json']);
  expect(code).toBe(0);
  return out;
}

async function readResults({ csv, settings }: GoldenFiles, run: Run): Promise<GoldenResult> {
  const [file, elected] = [join(folder.path, 'case.csv'), join(folder.path, 'case.json')];
  writeFileSync(file, csv);
  writeFileSync(elected, settings);
  const reports: { lines: Cells[]; openLots: Cells[]; summary: Summary }[] = [];
  for (const year of yearsOf(csv)) {
    reports.push(JSON.parse(await run([file, '--settings', elected, '--year', String(year)])));
  }
  return {
    disposals: reports.flatMap(({ lines }) => lines),
    lots: reports.at(-1)?.openLots ?? [],
    summaries: reports.map(({ summary }) => summary),
  };
}

/** Returns all years from the first to the last one in the file. */
function yearsOf(csv: string): number[] {
  const years = [...csv.matchAll(/^(\d{4})-/gm)].map(([, year]) => Number(year));
  const first = Math.min(...years);
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => first + at);
}
