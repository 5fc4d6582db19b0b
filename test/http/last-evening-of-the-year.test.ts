import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { readPdf } from '../forms/pdf.ts';
import { unzipped, zipText } from '../forms/unzip.ts';
import { readClient, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';
import { isDeep } from '../support/depth.ts';
import { fetchToken, programAt } from '../support/mcp.ts';
import { dataFolder } from '../support/process.ts';
import {
  type AddressedOperation,
  type ApiParameter,
  operationsOf,
  readDocument,
} from '../support/walk/api-document.ts';

/**
 * A sale on December 31, 2025, at 9 PM in New York takes place on January 1, 2026, in UTC. For a taxpayer in New York
 * it is a 2025 sale everywhere. Each response must equal the response for a sale at noon on that day, except for ids
 * and instants.
 */

const timeZone = 'America/New_York';
const evening = '2026-01-01T02:00:00Z';
const noon = '2025-12-31T17:00:00Z';

const header = 'date,type,account,asset,quantity,amount,fee,asset_class\n';
const histories: Readonly<Record<string, (sold: string) => string>> = {
  'after its purchase': (sold) => `${header}2025-02-03T15:00:00Z,buy,Exchange,BTC,2,80000,0,crypto
${sold},sell,Exchange,BTC,1,90000,10,crypto
`,
  'with an unknown purchase': (sold) => `${header}${sold},sell,Exchange,BTC,1,90000,10,crypto\n`,
};
const names = Object.keys(histories);

interface Books {
  readonly client: TestClient;
  /** Resource ids by operation. */
  readonly ids: Readonly<Record<string, string>>;
}

let app: TestApp;
/** For each history, the books with the sale in the evening and with the sale at noon. */
const books = new Map<string, { readonly late: Books; readonly early: Books }>();
beforeAll(async () => {
  app = await testApp({ clock: { now: () => new Date('2026-03-10T15:00:00Z') } });
  for (const [name, csvWith] of Object.entries(histories))
    books.set(name, { late: await booksWith(csvWith(evening)), early: await booksWith(csvWith(noon)) });
});
afterAll(() => app.close());

async function booksWith(csv: string): Promise<Books> {
  const email = `evening-${crypto.randomUUID()}@example.com`;
  const password = 'correct horse battery staple';
  const response = await app.request('POST', '/v1/auth/register', { body: { email, password, timeZone } });
  const client = readClient(app.request, email, password, sessionCookie(response));
  await app.books.asOwner(
    (sql) => sql`update users set plan = 'PRO', email_verified_at = now() where email = ${email}`,
  );
  const imported = await importCsv(client, csv);
  const [sale] = await fetchAll<{ id: string }>(client, '/v1/transactions?type=sell');
  const [line] = await fetchAll<{ id: string }>(client, '/v1/tax/disposals');
  const [cause] = await fetchAll<{ id: string }>(client, '/v1/tax/issues/causes');
  const fetchReport = async (year: number) =>
    (await client.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year } }, 201)).id;
  const [oldYear, newYear] = [await fetchReport(2025), await fetchReport(2026)];
  return {
    client,
    ids: {
      '/v1/transactions': sale?.id ?? '',
      '/v1/tax/disposals': line?.id ?? '',
      '/v1/imports': imported.id,
      ...(cause === undefined ? {} : { '/v1/tax/issues/causes': cause.id }),
      oldYear,
      newYear,
    },
  };
}

function booksOf(name: string): { readonly late: Books; readonly early: Books } {
  const book = books.get(name);
  if (book === undefined) throw new Error(`No books: ${name}`);
  return book;
}

/** Endless streams, and operations that involve no rows or require something that the taxpayer does not have. */
const leftOut: readonly string[] = [
  'getMetrics',
  'listNotificationEvents',
  'listImportEvents',
  'signInWithGoogle',
  'signInWithGoogleCallback',
  'signInWithGitHub',
  'signInWithGitHubCallback',
  'getTransferMatch',
  'getAmendment',
  'getCalculation',
  'getClient',
  'getInvitation',
  'getHelpEntry',
  'getRejectedRow',
  'downloadClientReports',
  'listClientStatuses',
];

/** Returns the values to try for a parameter. Undefined omits the parameter. */
function valuesOf({ name, schema }: ApiParameter): readonly (string | undefined)[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    year: ['2025', '2026'],
    asOf: ['2025-12-31', '2026-01-01'],
    from: ['2025-12-31', '2026-01-01'],
    to: ['2025-12-31'],
    format: reportFormats.map(({ id }) => id),
    by: wordsOf(schema),
  };
  return values[name] ?? [];
}

function wordsOf(schema: object | undefined): string[] {
  const { enum: words, anyOf } = (schema ?? {}) as { enum?: string[]; anyOf?: { const?: string }[] };
  return words ?? anyOf?.flatMap((one) => (one.const === undefined ? [] : [one.const])) ?? [];
}

/**
 * Returns the addresses of an operation: one for each value of each optional parameter, all with the required
 * parameters.
 */
function pathsOf({ path, operation }: AddressedOperation, { ids }: Books): string[] {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const required = parameters.filter((one) => one.required === true);
  let queries: string[][] = [[]];
  for (const one of required)
    queries = queries.flatMap((query) => valuesOf(one).map((value) => [...query, `${one.name}=${value}`]));
  const optional = parameters.filter((one) => one.required !== true);
  const all = queries.flatMap((query) => [
    query,
    ...optional.flatMap((one) => valuesOf(one).map((value) => [...query, `${one.name}=${value}`])),
  ]);
  const places = path.includes('/reports/{id}')
    ? [ids.oldYear, ids.newYear].map((id) => path.replace('{id}', id ?? ''))
    : path.includes('{year}')
      ? ['2025', '2026'].map((year) => path.replace('{year}', year))
      : [path.replace(/^(.*)\/\{id\}/, (_, list: string) => `${list}/${ids[list] ?? 'none'}`)];
  return places.flatMap((place) => all.map((query) => (query.length === 0 ? place : `${place}?${query.join('&')}`)));
}

async function readText(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('zip')) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.headers.get('content-disposition')?.includes('for-my-preparer')) return zipText(bytes);
    const files = Object.values(unzipped(bytes));
    return files.flatMap((text) => normalized(text).match(newYearsDay) ?? []).join();
  }
  if (!type.includes('pdf')) return response.text();
  return pdfText(new Uint8Array(await response.arrayBuffer()));
}

async function pdfText(bytes: Uint8Array): Promise<string> {
  return (await readPdf(bytes)).pages.map((page) => page.map(({ text }) => text).join(' ')).join('\n');
}

/** Removes ids, revisions and instants. */
function normalized(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00(?::00)?)/g, 'INSTANT')
    .replace(/[\w.-]+@example\.com/g, 'EMAIL')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/[A-Za-z0-9_-]{24,}/g, 'TOKEN')
    .replace(/\b(?:[0-9a-f]{16,23}|\d{15,23})\b/g, 'REVISION')
    .replace(/(?<="id":")\d+(?=")/g, 'NUMBER');
}

const newYearsDay =
  /2026-01-01|2026\/01\/01|0?1\/0?1\/(?:20)?26\b|20260101|\bJan(?:uary)? 1, 2026|\b1 Jan(?:uary)? 2026/g;

test.each(names)(
  'each response about a sale on the last evening of the year, %s, equals the response for a sale at noon',
  async (name) => {
    const { late, early } = booksOf(name);
    const operations = operationsOf(await readDocument()).filter(
      ({ method, operation }) => method === 'GET' && !leftOut.includes(operation.operationId),
    );
    expect(operations.length).toBeGreaterThan(50);
    const differing: string[] = [];
    const refused: string[] = [];
    for (const operation of operations) {
      // Books without open issues have no cause.
      if (operation.operation.operationId === 'getIssueCause' && !('/v1/tax/issues/causes' in late.ids)) continue;
      const paths = pathsOf(operation, late);
      const others = pathsOf(operation, early);
      for (const [at, path] of paths.entries()) {
        const answers = [await late.client.request('GET', path), await early.client.request('GET', others[at] ?? '')];
        const [found, expected] = await Promise.all(
          answers.map(async (response) => `${response.status} ${normalized(await readText(response))}`),
        );
        if (found !== expected) differing.push(`${path}\n${differenceOf(found ?? '', expected ?? '')}`);
        if (answers[0]?.ok === false) refused.push(`${answers[0].status} ${path}`);
      }
    }
    expect(differing).toEqual([]);
    expect(refused).toEqual([]);
  },
);

function differenceOf(found: string, expected: string): string {
  let at = 0;
  while (found[at] === expected[at]) at++;
  return [found, expected].map((text) => text.slice(Math.max(0, at - 60), at + 100)).join('\n  not ');
}

test.each(names)('the 2025 lines and files contain the sale %s, and the 2026 ones do not', async (name) => {
  const { late } = booksOf(name);
  const linesOf = (year: number) => fetchAll<{ sold: string }>(late.client, `/v1/tax/disposals?year=${year}`);
  expect((await linesOf(2025)).map(({ sold }) => sold)).toEqual(['2025-12-31']);
  expect(await linesOf(2026)).toEqual([]);
  for (const { id } of reportFormats) {
    const file = await late.client.request('GET', `/v1/tax/reports/${late.ids.oldYear}/download?format=${id}`);
    const text = normalized(await readText(file));
    expect([id, text.match(newYearsDay)]).toEqual([id, null]);
    if (!/8997|reconciliation/.test(id))
      expect([id, /12\/31\/2025|12312025|2025-12-31/.test(text)]).toEqual([id, true]);
  }
});

/** All formats in a deep run. Otherwise one of each kind, because the downloads above use the same code for all. */
const formatsOfPrograms = reportFormats.filter(({ id }) => isDeep || ['8949', 'txf', 'csv', 'json'].includes(id));

describe('programs', () => {
  const asked: Readonly<Record<string, object>> = {
    overview: {},
    year_summary: { year: 2025 },
    asset_gains: { year: 2025, asset: 'BTC' },
    income: { year: 2025 },
    wash_sales: { year: 2025 },
    carryover: { year: 2025 },
    issues: {},
    positions: {},
    open_lots: { asset: 'BTC' },
    next_long_term: { asset: 'BTC' },
  };

  test.each(names)('each assistant tool returns the same as for a sale at noon, %s', async (name) => {
    const { late, early } = booksOf(name);
    const [one, other] = await Promise.all(
      [late, early].map(async ({ client }) => programAt(app, await fetchToken(client, ['read']))),
    );
    for (const [tool, input] of Object.entries(asked)) {
      for (const year of 'year' in input ? [2025, 2026] : [0]) {
        const given = year === 0 ? input : { ...input, year };
        const [found, expected] = [await one?.found(tool, given), await other?.found(tool, given)];
        expect([tool, normalized(JSON.stringify(found))]).toEqual([tool, normalized(JSON.stringify(expected))]);
      }
    }
  });

  test.each(Object.entries(histories))('`lotbook report` equals the one for a sale at noon, %s', async (_, csvWith) => {
    const folder = dataFolder();
    const file = join(folder.path, 'trades.csv');
    for (const year of ['2025', '2026']) {
      for (const format of formatsOfPrograms) {
        const texts: string[] = [];
        for (const sold of [evening, noon]) {
          writeFileSync(file, csvWith(sold));
          const order = readReportRequest([file, '--time-zone', timeZone, '--year', year, '--format', format.id]);
          const parts = await Array.fromAsync(format.render(await readBooks(order, new Messages())));
          const bytes = new Uint8Array(Buffer.concat(parts));
          texts.push(
            normalized(
              format.mediaType.includes('pdf')
                ? await pdfText(bytes)
                : format.mediaType.includes('zip')
                  ? await zipText(bytes)
                  : new TextDecoder().decode(bytes),
            ),
          );
        }
        expect([format.id, texts[0]]).toEqual([format.id, texts[1]]);
      }
    }
    folder.remove();
  });
});
