import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TestApp, testApp } from '../support/app.ts';
import { allOf, type Cells, elect, importCsv } from '../support/books.ts';

/** The worked cases beside the project, each through the HTTP interface into books of its own. */
const shared = process.env.LOTBOOK_SHARED ?? join(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const folder = join(shared, 'golden');

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ log: { info: () => {}, warn: console.log, error: console.log } });
});
afterAll(() => app.close());

describe('the worked cases come out exactly, through the HTTP interface', () => {
  for (const id of caseIds()) {
    test(id, async () => {
      const told = JSON.parse(read(`${id}.json`)) as { expected: Partial<Expected> };
      const expected: Expected = { disposals: [], open_lots: [], summary: {}, ...told.expected };
      const client = await app.register('PRO');
      await elect(client, JSON.parse(read(`${id}.settings.json`)));
      const imported = await importCsv(client, read(`${id}.csv`));
      expect(imported.rejected).toBe(0);
      const disposals = await allOf<Cells>(client, '/v1/tax/disposals');
      expect(sorted(disposals.map((line) => lineText(line, expected.disposals[0])))).toEqual(
        sorted(expected.disposals.map((line) => expectedLine(line, expected.disposals[0]))),
      );
      const oriented = expected.open_lots.some((lot) => lot.note !== undefined);
      const lots = await allOf<Cells>(client, '/v1/tax/lots');
      expect(sorted(lots.map((lot) => lotText(lot, oriented)))).toEqual(
        sorted(expected.open_lots.map((lot) => expectedLot(lot, oriented))),
      );
      expect(await totalsOf(client, Object.keys(expected.summary))).toEqual(expected.summary);
      const calculated = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
      expect(calculated.differences).toEqual([]);
    });
  }
});

interface Expected {
  readonly disposals: readonly Cells[];
  readonly open_lots: readonly Cells[];
  readonly summary: Cells;
}

function caseIds(): string[] {
  if (!existsSync(folder)) {
    console.log('The golden cases are not beside the project (../shared/golden): nothing to compare with.');
    return [];
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  return files.map((name) => name.slice(0, -'.csv'.length)).sort();
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

const memberOf: Cells = { symbol: 'asset', short_sale: 'shortSale', holding_date: 'heldSince' };
/** Of the form, not of the line: held by the tests of the forms. */
const notInAnswer = new Set(['column_d', 'column_e', 'description', 'holding_date']);

function expectedLine(line: Cells, pattern: Cells | undefined): string {
  const names = Object.keys(pattern ?? {}).filter((name) => !notInAnswer.has(name));
  return names
    .sort()
    .map((name) => `${name}=${line[name]}`)
    .join(' ');
}

function lineText(line: Cells, pattern: Cells | undefined): string {
  const cells = Object.fromEntries(
    Object.keys(pattern ?? line).map((name) => [name, line[memberOf[name] ?? name] ?? '']),
  );
  return expectedLine(cells, cells);
}

function lotText(lot: Cells, oriented: boolean): string {
  return [lot.asset, lot.account, lot.quantity, lot.acquired, oriented ? '' : lot.heldSince, lot.basis].join(' ');
}

function expectedLot(lot: Cells, oriented: boolean): string {
  return [lot.symbol, lot.account, lot.quantity, lot.acquired, oriented ? '' : lot.holding_date, lot.basis].join(' ');
}

interface Summary {
  readonly shortTerm: { readonly gain: string };
  readonly longTerm: { readonly gain: string };
  readonly washSaleDisallowed: string;
  readonly washSalePermanent: string;
  readonly income: { readonly amount: string }[];
}

async function totalsOf(client: Awaited<ReturnType<TestApp['register']>>, names: readonly string[]): Promise<Cells> {
  const years = await allOf<{ year: number }>(client, '/v1/tax/years');
  const summaries: Summary[] = [];
  for (const { year } of years) summaries.push(await client.json('GET', `/v1/tax/summary?year=${year}`));
  const sum = (pick: (summary: Summary) => readonly string[]): string => {
    const cents = summaries.flatMap(pick).reduce((total, amount) => total + Number(amount.replace('.', '')), 0);
    return `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
  };
  const known: Cells = {
    st_gain: sum((summary) => [summary.shortTerm.gain]),
    lt_gain: sum((summary) => [summary.longTerm.gain]),
    wash_disallowed: sum((summary) => [summary.washSaleDisallowed]),
    wash_permanent: sum((summary) => [summary.washSalePermanent]),
    ordinary_income: sum((summary) => summary.income.map(({ amount }) => amount)),
  };
  return Object.fromEntries(names.map((name) => [name, known[name] ?? 'not compared']));
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort();
}
