import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../src/base/refusal.ts';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { jsonReport } from '../../src/forms/exports/json.ts';
import { readWhole } from '../formats/reading.ts';
import { dataFolder } from '../support/process.ts';
import {
  askingCases,
  type CaseOutcome,
  type CaseReport,
  fileCases,
  httpCases,
  pending,
} from './shared-cases-expected.ts';

/**
 * Cases with wrong results that are kept outside this project. Each folder lists its Form 8949 lines in `expected.md`.
 * Folders that begin with `file-` describe them in prose instead, and `shared-cases-expected.ts` contains their checks.
 */
const shared = process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared');
const folder = join(shared, 'cases');
const temporary = dataFolder();
afterAll(() => temporary.remove());

if (!existsSync(folder)) {
  console.log(`The shared cases are not at ${folder}: they are not tested here.`);
  test('without the shared cases, there is nothing to test', () => expect(existsSync(folder)).toBe(false));
} else {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  test('every shared case has a check', () => {
    const checked = [...Object.keys(fileCases), ...httpCases];
    const unchecked = names.filter((name) => !checked.includes(name) && linesIn(expectedText(name)) === undefined);
    expect(unchecked).toEqual([]);
  });

  describe('shared cases that state their lines have the expected results', () => {
    for (const name of names) {
      const expected = linesIn(expectedText(name));
      if (expected === undefined || name in fileCases || httpCases.includes(name)) continue;
      testOf(name)(name, async () => {
        const outcome = await readReports(name, [...expected.keys()]);
        if ('asked' in outcome) throw new Error(`The file was refused: ${outcome.asked}`);
        const issues = [...outcome.reports.values()].flatMap((report) => report.issues);
        const asking = askingCases[name];
        if (
          asking !== undefined &&
          issues.some((issue) => asking.test(`${issue.kind} ${issue.dollars} ${issue.detail}`))
        )
          return;
        const lines = new Map([...outcome.reports].map(([year, report]) => [year, report.lines.map(lineText).sort()]));
        expect(lines).toEqual(expected);
        if (/^- lots .* WANT set\(\)$/m.test(expectedText(name)))
          expect([...outcome.reports.values()].flatMap(({ openLots }) => openLots)).toEqual([]);
        const due = /A question or warning is due: (.+)/.exec(expectedText(name))?.[1]?.trim();
        if (due === undefined) return;
        // Income listed in the report is as good as a question about it.
        const incomes = [...outcome.reports.values()].flatMap((report) => report.incomes);
        const asked = issues.map(({ kind, detail }) => `${kind} ${detail}`.toLowerCase());
        const texts = [...asked, ...incomes.map(({ type, amount }) => `${type} ${amount}`)];
        expect(texts.join('\n') || 'no issue').toContain(due.toLowerCase());
      });
    }
  });

  testOf('desk-written-option-false-alarm')('desk-written-option-false-alarm has no question at the desk', async () => {
    const path = join(folder, 'desk-written-option-false-alarm');
    const options = ['--settings', join(path, 'settings.json'), '--year', '2024', '--format', 'reconciliation-csv'];
    const order = readReportRequest([join(path, 'input.csv'), ...options]);
    const books = await readBooks(order, new Messages());
    const parts = await Array.fromAsync(order.format.render(books), (part) => new TextDecoder().decode(part));
    const [header = '', ...rows] = parts.join('').trim().split(/\r?\n/);
    expect(rows.length).toBeGreaterThan(0);
    const position = header.split(',').indexOf('Question');
    expect(rows.map((row) => row.split(',')[position])).toEqual(rows.map(() => 'no'));
  });

  describe('shared cases with files have the expected results or raise a question', () => {
    for (const [name, { years, check }] of Object.entries(fileCases)) {
      if (!names.includes(name)) continue;
      testOf(name)(name, async () => check(await readReports(name, years)));
    }
  });
}

/** Returns a test that must fail for a pending case. Once it passes, remove the case from `pending`. */
function testOf(name: string): typeof test {
  return pending.has(name) ? (test.failing as typeof test) : test;
}

function expectedText(name: string): string {
  return readFileSync(join(folder, name, 'expected.md'), 'utf8');
}

/** Returns the lines in the "Expected" section by year, or undefined if the section has no table of lines. */
function linesIn(text: string): Map<number, string[]> | undefined {
  const section = /^## Expected\n([\s\S]*?)^## /m.exec(text)?.[1];
  if (section === undefined) return undefined;
  const years = new Map<number, string[]>();
  let lines: string[] | undefined;
  for (const line of section.split('\n')) {
    const year = /^\*\*(\d{4})\*\*/.exec(line)?.[1];
    if (year !== undefined) {
      lines = [];
      years.set(Number(year), lines);
    } else if (line.startsWith('- ') && line.split('|').length === 10) {
      lines?.push(
        line
          .slice(2)
          .split('|')
          .map((cell) => cell.trim())
          .join(' | '),
      );
    }
  }
  for (const list of years.values()) list.sort();
  return years.size === 0 ? undefined : years;
}

function lineText(line: Readonly<Record<string, string>>): string {
  const { box, quantity, asset, acquired, sold, proceeds, basis, code, adjustment, gain, term } = line;
  return [box, `${quantity} ${asset}`, acquired, sold, proceeds, basis, code, adjustment, gain, term].join(' | ');
}

async function readReports(name: string, years: readonly number[]): Promise<CaseOutcome> {
  const path = join(folder, name);
  const inputs = readdirSync(path).filter((file) => /^input.*\.(csv|txt)$/.test(file));
  // Sorts input.csv before input-2.csv.
  const files = inputs.sort((a, b) => a.length - b.length).map((file) => join(path, file));
  const options = ['settings.json', 'prices.csv']
    .filter((file) => existsSync(join(path, file)))
    .flatMap((file) => [`--${file.slice(0, file.indexOf('.'))}`, join(path, file)]);
  try {
    const mapping = await proposedMapping(files);
    if (mapping !== undefined) {
      const mappingPath = join(temporary.path, `${name}.json`);
      writeFileSync(mappingPath, JSON.stringify(mapping));
      options.push('--mapping', mappingPath);
    }
    const reports = new Map<number, CaseReport>();
    for (const year of years) {
      const order = readReportRequest([...files, ...options, '--year', String(year), '--format', 'json']);
      const books = await readBooks(order, new Messages());
      const parts = await Array.fromAsync(jsonReport.render(books), (part) => new TextDecoder().decode(part));
      reports.set(year, JSON.parse(parts.join('')));
    }
    return { reports };
  } catch (error) {
    // The command line adds its own sentence around an error.
    if (error instanceof Error && /undecided columns|ambiguous|Choose|Match (?:its|the) columns/.test(error.message))
      return { asked: error.message };
    throw error;
  }
}

/** Returns the unchanged proposed mapping for a file in an unknown format, or undefined if every file has a format. */
async function proposedMapping(files: readonly string[]): Promise<object | undefined> {
  for (const file of files) {
    try {
      await readWhole(readFileSync(file));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const proposal = error.more.members?.proposal as { readonly mapping: object } | undefined;
      if (proposal !== undefined) return proposal.mapping;
      throw error;
    }
  }
  return undefined;
}
