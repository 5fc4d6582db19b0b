import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'Run Date,Action,Symbol,Quantity,Price ($),Commission ($),Fees ($),Amount ($)';

test('an inconsistent amount causes a warning in the import, its preview and the note', async () => {
  const client = await app.register('PRO');
  const rows = [
    '01/02/2024,YOU BOUGHT ACME CORP (ACME) (Cash),ACME,10,60.00,,,-900.00',
    '01/03/2024,YOU BOUGHT ACME CORP (ACME) (Cash),ACME,10,60.00,4.95,,-604.95',
    '01/04/2024,YOU BOUGHT ACME CORP (ACME) (Cash),ACME,3,33.33,,,-100.00',
  ];
  const detail = 'Check line 2: the value in the file, 900.00, does not equal price times units, 600.00.';
  const warnings = {
    count: 1,
    lines: [{ line: 2, detail }],
    results: [],
  };
  const csv = `${header}\n${rows.join('\n')}\n`;
  expect(await importCsv(client, csv, '?dryRun=true')).toMatchObject({ warnings, preview: { warnings: [detail] } });
  const done = await importCsv(client, csv);
  expect(done).toMatchObject({ status: 'completed', imported: 3, warnings });
  expect(await client.json('GET', `/v1/imports/${done.id}`)).toMatchObject({ warnings });
  const { data } = await client.json<{ data: { note?: string }[] }>('GET', '/v1/transactions');
  expect(data.flatMap(({ note }) => (note === undefined ? [] : [note]))).toEqual([detail]);
});
