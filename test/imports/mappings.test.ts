import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { type ImportResource, importCsv, type ListResponse } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Remembered {
  readonly id: string;
  readonly header: string[];
  readonly mapping: object;
}

const header = 'Trade Date,Ticker,Side,Qty,Unit Price,Commission';
const january = `${header}\n2024-01-05,AAPL,Bought,10,100,1\n`;
const february = `${header}\n2024-02-05,AAPL,Sold,10,120,1\n`;
const mapping = {
  columns: {
    'Trade Date': 'date',
    Ticker: 'asset',
    Side: 'type',
    Qty: 'quantity',
    'Unit Price': 'price',
    Commission: 'fee',
  },
};
const queryOf = (value: unknown, more = ''): string => `?mapping=${encodeURIComponent(JSON.stringify(value))}${more}`;

async function refused(client: TestClient, csv: string, query = '', status = 422): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'text/csv' };
  return client.json('POST', `/v1/transactions/import${query}`, { body: csv, headers }, status);
}

const remembered = (client: TestClient): Promise<ListResponse<Remembered>> =>
  client.json('GET', '/v1/imports/mappings');

describe('a file of an unknown format', () => {
  test('is rejected with a proposed mapping that the client can send back, and nothing is stored', async () => {
    const client = await app.register('PRO');
    const problem = await refused(client, january);
    expect(problem).toMatchObject({ code: 'unknown_format', proposal: { mapping, unclear: [], missing: [] } });
    expect((await client.json<ListResponse<unknown>>('GET', '/v1/imports')).data).toEqual([]);
    const { mapping: proposed } = problem.proposal as { mapping: object };
    expect(await importCsv(client, january, queryOf(proposed))).toMatchObject({ format: 'mapping', imported: 1 });
  });

  test('needs no mapping after a file with the same header was imported with one', async () => {
    const client = await app.register('PRO');
    await importCsv(client, january, queryOf(mapping, '&account=Mine'));
    expect(await importCsv(client, february, '?account=Mine')).toMatchObject({ format: 'mapping', imported: 1 });
    const { total } = await client.json<{ total: object }>('GET', '/v1/tax/summary?year=2024');
    expect(total).toMatchObject({ proceeds: '1199.00', basis: '1001.00', gain: '198.00' });
    const { data } = await remembered(client);
    expect(data).toMatchObject([{ header: header.split(','), mapping }]);
  });

  test('is read with the user’s latest mapping for its header, never with another user’s mapping', async () => {
    const [client, other] = [await app.register('PRO'), await app.register('PRO')];
    await importCsv(client, january, queryOf(mapping));
    await importCsv(client, january, queryOf({ ...mapping, constants: { currency: 'USD' } }));
    const { data } = await remembered(client);
    expect(data.map((one) => one.mapping)).toEqual([{ ...mapping, constants: { currency: 'USD' } }]);
    expect((await remembered(other)).data).toEqual([]);
    expect(await refused(other, january)).toMatchObject({ code: 'unknown_format' });
  });

  test('needs a mapping again after the stored mapping is deleted', async () => {
    const client = await app.register('PRO');
    await importCsv(client, january, queryOf(mapping));
    const [{ id } = { id: '' }] = (await remembered(client)).data;
    expect((await client.request('DELETE', `/v1/imports/mappings/${id}`)).status).toBe(204);
    expect((await client.request('DELETE', `/v1/imports/mappings/${id}`)).status).toBe(404);
    expect(await refused(client, february)).toMatchObject({ code: 'unknown_format' });
  });

  test('leaves no stored mapping after a dry run', async () => {
    const client = await app.register('PRO');
    await importCsv(client, january, queryOf(mapping, '&dryRun=true'));
    expect((await remembered(client)).data).toEqual([]);
  });

  test('has its date order stored with its mapping', async () => {
    const client = await app.register('PRO');
    const csv = `${header}\n03/04/2024,AAPL,Bought,10,100,1\n`;
    expect(await refused(client, csv, queryOf(mapping))).toMatchObject({
      code: 'ambiguous_file',
      parameter: 'dateOrder',
      readings: [
        { value: 'mdy', reads: '2024-03-04' },
        { value: 'dmy', reads: '2024-04-03' },
      ],
    });
    expect(await importCsv(client, csv, queryOf(mapping, '&dateOrder=dmy'))).toMatchObject({ firstDate: '2024-04-03' });
    expect(await importCsv(client, csv)).toMatchObject({ imported: 0, duplicates: 1 });
  });
});

describe('an invalid mapping', () => {
  test('is rejected with all its errors before the file is read', async () => {
    const client = await app.register('PRO');
    const broken = { columns: { a: 'cheese', b: 'date' }, decimal: ';' };
    expect(await refused(client, january, queryOf(broken))).toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/mapping/columns/a' }, { pointer: '/mapping/decimal' }],
    });
    expect(await refused(client, january, '?mapping=%7Boops')).toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/mapping' }],
    });
    expect(await refused(client, january, queryOf(mapping, '&format=lotbook'))).toMatchObject({ code: 'invalid' });
  });

  test('is rejected with the columns that are missing from the file', async () => {
    const client = await app.register('PRO');
    const csv = january.replace('Ticker', 'Symbol');
    expect(await refused(client, csv, queryOf(mapping))).toMatchObject({
      code: 'invalid',
      errors: [{ pointer: '/mapping/columns/Ticker', code: 'missing_column' }],
    });
  });
});

test('skipped lines are listed with their reasons', async () => {
  const client = await app.register('PRO');
  const csv = `${january}2024-01-06,,Noise,,,\n2024-01-07,,Noise,,,\n`;
  const answer = await importCsv(client, csv, queryOf({ ...mapping, types: { Noise: 'skip' } }));
  const { skips } = answer as ImportResource & { skips: object[] };
  expect(answer.skipped).toBe(2);
  expect(skips).toEqual([{ reason: 'The mapping skips "Noise"', lines: 2 }]);
});
