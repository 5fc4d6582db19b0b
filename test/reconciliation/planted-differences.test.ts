import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCents } from '../../src/base/decimal.ts';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { buildFormDesk } from '../../src/forms/reconciliation/desk.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';
import { plantedForms } from '../support/planted-forms.ts';
import { dataFolder } from '../support/process.ts';

/**
 * Creates 1,000 sales and their forms with fifty differences of ten kinds. Each difference must be found, named and
 * valued, and nothing else.
 */
const forms = plantedForms();
const folder = dataFolder();
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ log: { info: () => {}, warn: console.log, error: console.log } });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

interface FoundEntry {
  readonly asset: string;
  readonly kind: string;
  readonly value: string;
}

describe('fifty planted differences of ten kinds', () => {
  test('have five of each kind', () => {
    const counts = Map.groupBy(forms.planted.values(), ({ kind }) => kind);
    expect([...counts.values()].map((of) => of.length)).toEqual(Array.from({ length: 10 }, () => 5));
  });

  for (const [name, text] of [
    ['CSV', forms.csv],
    ['FDX', forms.fdx],
  ] as const) {
    test(`are found by \`lotbook report\` in ${name}`, async () => {
      const [history, form] = [join(folder.path, `history-${name}.csv`), join(folder.path, `forms.${name}`)];
      writeFileSync(history, forms.history);
      writeFileSync(form, text);
      const order = readReportRequest([history, form, '--year', '2026', '--format', 'reconciliation']);
      const { entries } = buildFormDesk(await readBooks(order, new Messages()));
      expectPlanted(entries.map(({ asset, kind, value }) => ({ asset, kind, value: formatCents(value) })));
    });

    test(`are found over HTTP in ${name}`, async () => {
      const client = await app.register('PRO');
      await importCsv(client, forms.history);
      await importCsv(client, text);
      expectPlanted(await fetchAll<FoundEntry>(client, '/v1/tax/forms?year=2026'));
      const { forms: totals } = await client.json<{ forms: { account: string; differing: number }[] }>(
        'GET',
        '/v1/tax/forms?year=2026&limit=1',
      );
      expect(totals.map(({ account, differing }) => [account, differing])).toEqual([
        ['Broker', 25],
        ['Exchange', 25],
      ]);
    });
  }
});

function expectPlanted(entries: readonly FoundEntry[]): void {
  const differing = entries.filter(({ kind }) => kind !== 'matched');
  const found = Map.groupBy(differing, ({ asset }) => asset);
  for (const [asset, planted] of forms.planted) {
    expect((found.get(asset) ?? []).map(({ kind, value }) => ({ asset, kind, value }))).toEqual([
      { asset, ...planted },
    ]);
  }
  expect(found.size).toBe(forms.planted.size);
  expect(new Set(entries.map(({ asset }) => asset)).size).toBe(1_000);
}
