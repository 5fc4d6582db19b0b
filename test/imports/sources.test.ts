import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv, type ListResponse } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface SourcedRow {
  readonly id: string;
  readonly type: string;
  readonly source: {
    importId: string | null;
    line: number | null;
    externalId: string | null;
    lines?: number[];
    raw?: string | null;
  };
}

const list = async (client: TestClient): Promise<SourcedRow[]> =>
  (await client.json<ListResponse<SourcedRow>>('GET', '/v1/transactions')).data;
const read = (client: TestClient, { id }: { id: string }): Promise<SourcedRow> =>
  client.json('GET', `/v1/transactions/${id}`);

const ledger = [
  '"txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"',
  '"L1","T1","2024-01-05 10:00:00","trade","","currency","ZUSD",-100.0000,0.2600,0',
  '"L2","T1","2024-01-05 10:00:00","trade","","currency","XXBT",0.0025,0,0.0025',
  '',
].join('\n');

describe('a transaction', () => {
  test('links to its file, its line and its text', async () => {
    const client = await app.register('PRO');
    const csv = csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1');
    const { id } = await importCsv(client, csv);
    const [bought] = await list(client);
    expect(bought?.source).toEqual({ importId: id, line: 2, externalId: 'b1' });
    expect((await read(client, bought as SourcedRow)).source).toEqual({
      importId: id,
      line: 2,
      externalId: 'b1',
      lines: [2],
      raw: csv.split('\n')[1] as string,
    });
  });

  test('shows all of its rows', async () => {
    const client = await app.register('PRO');
    await importCsv(client, ledger);
    const [trade] = await list(client);
    const { source } = await read(client, trade as SourcedRow);
    expect(source.lines).toEqual([2, 3]);
    expect(source.raw).toBe(ledger.split('\n').slice(1, 3).join('\n'));
  });

  test('is also found far down in a large file', async () => {
    const client = await app.register('PRO');
    const rows = Array.from({ length: 5_000 }, (_, index) => `buy 2024-01-02 1 X @10 #b${index}`);
    await importCsv(client, csvOf(...rows));
    const { data } = await client.json<ListResponse<SourcedRow>>('GET', '/v1/transactions?q=b4321');
    const { source } = await read(client, data[0] as SourcedRow);
    expect([source.line, source.raw]).toEqual([4323, '2024-01-02,buy,Broker,X,1,10,,b4321']);
  });

  test('appears with its text among the sources of a line of Form 8949', async () => {
    const client = await app.register('PRO');
    const csv = csvOf('buy 2024-01-02 10 X @1000 #b1', 'sell 2024-06-03 4 X @500 #s1');
    await importCsv(client, csv);
    const [line] = (await client.json<ListResponse<{ id: string }>>('GET', '/v1/tax/disposals')).data;
    const { sources } = await client.json<{ sources: { role: string; raw: string | null }[] }>(
      'GET',
      `/v1/tax/disposals/${line?.id}/explain`,
    );
    const [, bought = '', sold = ''] = csv.split('\n');
    expect(sources.map(({ role, raw }) => [role, raw])).toEqual([
      ['disposal', sold],
      ['lot', bought],
    ]);
  });

  test('has no text if it was entered manually', async () => {
    const client = await app.register('PRO');
    const given = { date: '2024-01-02', type: 'buy', asset: 'X', quantity: '1', amount: '1' };
    const { id } = await client.json<SourcedRow>('POST', '/v1/transactions', { body: given }, 201);
    expect((await read(client, { id })).source).toEqual({
      importId: null,
      line: null,
      externalId: null,
      lines: [],
      raw: null,
    });
  });
});

describe('the text of a file', () => {
  const kept = (): Promise<number> =>
    app.books.asOwner(async (sql) => {
      const [row] = await sql<{ count: string }[]>`
        select (select count(*) from import_texts) + (select count(*) from import_groups) as count`;
      return Number(row?.count);
    });

  test('is deleted with its import, and is not stored for a dry run or a refused import', async () => {
    const client = await app.register('FREE');
    const before = await kept();
    const { id } = await importCsv(client, ledger);
    expect(await kept()).toBe(before + 2);
    await importCsv(client, ledger, '?dryRun=true');
    const many = csvOf(...Array.from({ length: 60 }, (_, index) => `buy 2024-01-02 1 X${index} @10`));
    const body = { body: many, headers: { 'content-type': 'text/csv' } };
    expect((await client.request('POST', '/v1/transactions/import', body)).status).toBe(403);
    expect(await kept()).toBe(before + 2);
    expect((await client.request('DELETE', `/v1/imports/${id}`)).status).toBe(204);
    expect(await kept()).toBe(before);
  });
});
