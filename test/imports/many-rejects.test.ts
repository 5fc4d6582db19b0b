import { afterAll, beforeAll, expect, test } from 'bun:test';
import { limits } from '../../src/base/limits.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount';
const badLines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `2024-03-01,purchase,Broker,ACME,1,${at + 1}.00`).join('\n');

interface IssuePage {
  readonly data: { readonly id: string; readonly dollars: string | null; readonly detail: string }[];
  readonly next: string | null;
}

test('a year whose rejected lines are only counted still gets a question, which adding one row does not end', async () => {
  const client = await app.register('PRO');
  const later = ['2025-04-01,purchase,Broker,ACME,1,70.00', '2025-05-01,purchase,Broker,ACME,1,30.50'].join('\n');
  const file = `${header}\n2024-01-02,buy,Broker,ACME,10,100\n${badLines(limits.rejectsKept)}\n${later}\n`;
  await importCsv(client, file);
  const open = await client.json<IssuePage>('GET', '/v1/tax/issues?year=2025&status=open');
  expect(open.data.map(({ dollars }) => dollars)).toEqual(['100.50']);
  expect(open.data[0]?.detail).toContain('2 more rows of 2025 could not be read. Only their number was saved');
  const rejects = await client.json<{ data: { id: string; text: string }[] }>('GET', '/v1/imports/rejects?year=2025');
  expect(rejects.data.map(({ text }) => text)).toEqual(['']);
  const path = `/v1/imports/rejects/${rejects.data[0]?.id}`;
  const row = { date: '2025-04-01', type: 'buy', account: 'Broker', asset: 'ACME', quantity: '1', amount: '70.00' };
  expect((await client.request('POST', path, { body: { row } })).status).toBe(409);
  // Importing the file a second time raises the same question.
  await importCsv(client, file);
  const again = await client.json<IssuePage>('GET', '/v1/tax/issues?year=2025&status=open');
  expect(again.data.map(({ id }) => id)).toEqual(open.data.map(({ id }) => id));
  await client.json('POST', path, { body: { dismiss: 'Another file has them.' } });
  expect((await client.json<IssuePage>('GET', '/v1/tax/issues?year=2025&status=open')).data).toEqual([]);
});

test('the first unreadable lines in a file are stored, and all of them are counted', async () => {
  const client = await app.register('PRO');
  const rejected = limits.rejectsKept + 234;
  const done = await importCsv(client, `${header}\n2024-01-02,buy,Broker,ACME,10,100\n${badLines(rejected)}\n`);
  expect(done).toMatchObject({ status: 'completed', imported: 1, rejected });
  const csv = await (await client.request('GET', `/v1/imports/${done.id}/rejects`)).text();
  const lines = csv.trimEnd().split('\n');
  expect(lines.length).toBe(1 + limits.rejectsKept + 1);
  expect(lines.at(-1)).toContain('234 more rows of 2024 could not be read. Only their number was saved');
});

test('thousands of unreadable lines raise a few questions per year and one for all remaining lines, which can be dismissed', async () => {
  const client = await app.register('PRO');
  const more = 700;
  await importCsv(
    client,
    `${header}\n2024-01-02,buy,Broker,ACME,10,100\n${badLines(limits.rejectsAskedOfYear + more)}\n`,
  );
  const summary = await client.json<{ issues: number }>('GET', '/v1/tax/summary?year=2024');
  expect(summary.issues).toBe(limits.rejectsAskedOfYear + 1);
  const first = await client.json<IssuePage>('GET', '/v1/tax/issues?year=2024&status=open&limit=1');
  const [rest] = first.data;
  expect(rest?.detail).toStartWith('700 more rows of 2024 could not be read and are not included.');
  // The lines with the largest amounts have their own questions. The remaining lines are those for $1 to $700.
  expect(rest?.dollars).toBe('245350.00');
  await client.json('POST', `/v1/tax/issues/${rest?.id}/resolve`, {
    body: { action: 'accept', note: 'Another file has them.' },
  });
  const after = await client.json<{ issues: number }>('GET', '/v1/tax/summary?year=2024');
  expect(after.issues).toBe(limits.rejectsAskedOfYear);
  const accepted = await client.json<IssuePage>('GET', '/v1/tax/issues?status=accepted');
  expect(accepted.data).toMatchObject([{ id: rest?.id, dollars: '245350.00' }]);
  expect(accepted.data[0]?.detail).toBe('700 lines that could not be read were set aside.');
  expect((await client.request('DELETE', `/v1/tax/issues/${rest?.id}/resolution`)).status).toBe(204);
  const reopened = await client.json<IssuePage>('GET', '/v1/tax/issues?year=2024&status=open&limit=1');
  expect(reopened.data.map(({ detail }) => detail)).toEqual(first.data.map(({ detail }) => detail));
});
