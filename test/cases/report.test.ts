import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { jsonReport } from '../../src/forms/exports/json.ts';
import { dataFolder } from '../support/process.ts';
import { comparedOf, expectedOf, type Resource, type WorkedCase, workedCases } from '../support/worked-cases.ts';

/** Runs each of the project's own cases through `lotbook report`, one year after another, and reads the JSON. */
const folder = dataFolder();
afterAll(() => folder.remove());

interface Report {
  readonly lines: Resource[];
  readonly openLots: Resource[];
  readonly issues: Resource[];
  readonly gifts: Resource[];
  readonly summary: Resource;
}

describe('each of our own cases has exactly the expected results through `lotbook report`', () => {
  for (const worked of workedCases()) {
    test(`${worked.subject}: ${worked.name}`, async () => {
      const reports = await readReports(worked);
      const result = {
        lines: reports.flatMap(({ lines }) => lines),
        lots: reports.at(-1)?.openLots ?? [],
        // The API calls the day `date`. A question about several years is in the report of each year but counts once.
        issues: reports.flatMap(({ issues }, at) =>
          issues
            .filter(({ id }) => !reports.slice(0, at).some((earlier) => earlier.issues.some((one) => one.id === id)))
            .map((issue) => ({ ...issue, date: issue.on })),
        ),
        gifts: reports.flatMap(({ gifts }) => gifts),
        summaries: reports.map(({ summary }) => summary),
      };
      expect(comparedOf(result, worked)).toEqual(expectedOf(worked));
    });
  }
});

async function readReports(worked: WorkedCase): Promise<Report[]> {
  const settings = join(folder.path, 'settings.json');
  writeFileSync(settings, worked.settings);
  const files = worked.files.map(({ name, text }, at) => {
    const path = join(folder.path, `${at}-${name}`);
    writeFileSync(path, text);
    return path;
  });
  const balances = join(folder.path, 'balances.csv');
  if (worked.balances !== null) writeFileSync(balances, worked.balances);
  const stated = worked.balances === null ? [] : ['--balances', balances];
  const reports: Report[] = [];
  for (const year of yearsOf(worked)) {
    const order = readReportRequest([
      ...files,
      ...stated,
      '--settings',
      settings,
      '--year',
      String(year),
      '--format',
      'json',
    ]);
    const books = await readBooks(order, new Messages());
    const parts = await Array.fromAsync(jsonReport.render(books), (part) => new TextDecoder().decode(part));
    reports.push(JSON.parse(parts.join('')) as Report);
  }
  return reports;
}

/**
 * Covers the first year in the files and the expected summaries through the year after the last, because a short may
 * close then.
 */
function yearsOf({ files, summaries }: WorkedCase): number[] {
  const texts = files.map(({ text }) => text).join('\n');
  const dates = texts.matchAll(/\b((?:19|20)\d{2})-\d{2}-\d{2}|\b\d{2}\/\d{2}\/((?:19|20)\d{2})\b/g);
  const named = [...dates].map(([, iso, american]) => Number(iso ?? american));
  const years = [...named, ...summaries.map(({ year }) => year)];
  const first = Math.min(...years);
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => first + at);
}
