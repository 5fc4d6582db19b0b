import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, importCsv } from '../support/books.ts';
import { pending } from './shared-cases-expected.ts';

/** The shared cases that test an endpoint. They are kept outside this project. */
const shared = process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared');
const folder = join(shared, 'cases');

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

if (!existsSync(folder)) {
  console.log(`The shared cases are not at ${folder}: they are not tested here.`);
  test('without the shared cases, there is nothing to test over HTTP', () => expect(existsSync(folder)).toBe(false));
} else {
  testOf('http-desk-asks-but-no-issue')(
    'a finding of the desk that asks is an open issue, and the report is a draft',
    async () => {
      const client = await readClient('http-desk-asks-but-no-issue');
      const issues = await client.json<{ data: { kind: string; dollars: string }[] }>(
        'GET',
        '/v1/tax/issues?year=2024',
      );
      expect(issues.data.map(({ kind }) => kind)).toContain('unreconciled');
      const summary = await client.json<{ issues: number; total: { gain: string } }>(
        'GET',
        '/v1/tax/summary?year=2024',
      );
      expect(summary).toMatchObject({ total: { gain: '-4000.00' } });
      expect(summary.issues).toBeGreaterThan(0);
      const status = await client.json<{ issues: { count: number } }>('GET', '/v1/status');
      expect(status.issues.count).toBeGreaterThan(0);
    },
  );

  testOf('http-what-if-status-by-year')('what-if uses the filing status of the year', async () => {
    const client = await readClient('http-what-if-status-by-year');
    const sale = { asset: 'AAA', account: 'S', quantity: '100', amount: '21000', date: '2025-06-02' };
    const answer = await client.json('POST', '/v1/tax/what-if', { body: { sales: [sale] } });
    expect(JSON.stringify(answer)).toContain('"1995.00"');
  });
}

/** Returns a test that must fail for a pending case. Once it passes, remove the case from `pending`. */
function testOf(name: string): typeof test {
  return pending.has(name) ? (test.failing as typeof test) : test;
}

async function readClient(name: string): Promise<TestClient> {
  const client = await app.register('PRO');
  await elect(client, JSON.parse(readFileSync(join(folder, name, 'settings.json'), 'utf8')));
  await importCsv(client, readFileSync(join(folder, name, 'input.csv'), 'utf8'));
  return client;
}
