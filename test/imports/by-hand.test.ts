import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, type ImportResource, importCsv } from '../support/books.ts';

/** Covers rows that were entered manually and also appear in a file. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const send = async (client: TestClient, csv: string, query = '') =>
  (await importCsv(client, csv, query)) as ImportResource & { readonly possibleDuplicates: number };

const given = { date: '2024-01-02', type: 'buy', account: 'Broker', asset: 'X', quantity: '10', amount: '1000' };

describe('a manual row', () => {
  const file = csvOf('buy 2024-01-02 10 X @1000 #b1');
  const enter = async (...rows: readonly object[]): Promise<TestClient> => {
    const client = await app.register('PRO');
    for (const row of rows) await client.json('POST', '/v1/transactions', { body: { ...given, ...row } }, 201);
    return client;
  };

  test('is never matched automatically with a row in a file, and the pair awaits review', async () => {
    const client = await enter({});
    const answer = await send(client, csvOf('buy 2024-01-02 10 X @1000 #b1', 'buy 2024-01-02 10 X @1001 #b2'));
    expect(answer).toMatchObject({ imported: 2, duplicates: 0, possibleDuplicates: 1 });
    expect(await fetchAll(client, '/v1/transactions?needsReview=true')).toHaveLength(2);
  });

  const alike: Readonly<Record<string, object>> = {
    'in an account by another name': { account: 'My broker' },
    'in no account': { account: undefined },
    'with the fee in its amount': { amount: '1001.50' },
    'in round dollars': { amount: '995' },
    'with a class that was not entered': { assetClass: 'crypto' },
    'of the day before, because of a time zone': { date: '2024-01-01' },
  };
  for (const [how, members] of Object.entries(alike)) {
    test(`${how} awaits review`, async () => {
      const client = await enter(members);
      const answer = await send(client, csvOf('buy 2024-01-02T00:00:00Z 10 X @1000 ~1.50'));
      expect(answer).toMatchObject({ imported: 1, duplicates: 0, possibleDuplicates: 1 });
    });
  }

  test('awaits review in its own account if it has no value, regardless of case', async () => {
    const client = await enter({ account: 'broker', amount: undefined, type: 'deposit' });
    expect(await send(client, csvOf('deposit 2024-01-02 10 X'))).toMatchObject({ imported: 1, possibleDuplicates: 1 });
    const other = await enter({ account: 'Vault', amount: undefined, type: 'deposit' });
    expect(await send(other, csvOf('deposit 2024-01-02 10 X'))).toMatchObject({ imported: 1, possibleDuplicates: 0 });
  });

  test('is separate if it has other units, another day or another value', async () => {
    const client = await enter({ quantity: '11' }, { date: '2024-01-09' }, { amount: '1200' }, { type: 'sell' });
    expect(await send(client, file)).toMatchObject({ imported: 1, possibleDuplicates: 0 });
  });

  test('awaits review if it also appears in a mapped file', async () => {
    const columns = { when: 'date', what: 'type', coin: 'asset', units: 'quantity', usd: 'amount' };
    const mapping = encodeURIComponent(JSON.stringify({ columns }));
    const client = await enter({});
    const answer = await send(client, 'when,what,coin,units,usd\n2024-01-02,buy,X,10,1000\n', `?mapping=${mapping}`);
    expect(answer).toMatchObject({ imported: 1, duplicates: 0, possibleDuplicates: 1 });
  });

  test('awaits review with the first of the fills that it totals, and so do manual fills with their order', async () => {
    const client = await enter({});
    const fills = csvOf('buy 2024-01-02 4 X @400 #b1', 'buy 2024-01-02 6 X @600 #b2');
    expect(await send(client, fills)).toMatchObject({ imported: 2, possibleDuplicates: 1 });
    const other = await enter({ quantity: '4', amount: '400' }, { quantity: '6', amount: '600' });
    expect(await send(other, file)).toMatchObject({ imported: 1, possibleDuplicates: 1 });
  });
});

describe('a manual row that a file already contains', () => {
  const enter = async (client: TestClient, members: object = {}): Promise<string> =>
    ((await client.json('POST', '/v1/transactions', { body: { ...given, ...members } }, 201)) as { id: string }).id;
  const pairs = (client: TestClient) => fetchAll<Pair>(client, '/v1/imports/possible-duplicates');
  interface Pair {
    readonly id: string;
    readonly transactionId: string;
    readonly otherId: string;
    readonly importId: string;
  }

  test('is stored in addition, and the pair awaits review', async () => {
    const client = await app.register('PRO');
    const answer = await send(client, csvOf('buy 2024-01-02 10 X @1000', 'buy 2024-01-02 7 X @700'));
    const id = await enter(client);
    const [pair, ...others] = await pairs(client);
    expect(others).toEqual([]);
    expect(pair).toMatchObject({ transactionId: id, importId: answer.id });
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(3);
    expect(await fetchAll(client, '/v1/transactions?needsReview=true')).toHaveLength(2);
    await client.json('DELETE', `/v1/imports/possible-duplicates/${pair?.id}`, {}, 204);
    expect(await pairs(client)).toEqual([]);
  });

  const alike: Readonly<Record<string, object>> = {
    'in an account by another name': { account: 'My broker' },
    'in round dollars': { amount: '995' },
    'with a class that is not in the file': { assetClass: 'crypto' },
    'with the time of day': { date: '2024-01-02T15:00:00Z' },
  };
  for (const [how, members] of Object.entries(alike)) {
    test(`${how} awaits review`, async () => {
      const client = await app.register('PRO');
      await send(client, csvOf('buy 2024-01-02 10 X @1000'));
      await enter(client, members);
      expect(await pairs(client)).toHaveLength(1);
    });
  }

  test('is separate if it has other units, another day or another value, and so is a second manual row', async () => {
    const client = await app.register('PRO');
    await send(client, csvOf('buy 2024-01-02 10 X @1000'));
    for (const members of [{ quantity: '11' }, { date: '2024-01-09' }, { amount: '1200' }, { type: 'sell' }])
      await enter(client, members);
    expect(await pairs(client)).toEqual([]);
    await enter(client);
    await enter(client);
    expect(await pairs(client)).toHaveLength(1);
  });

  test('leaves no pair behind when the import is undone', async () => {
    const client = await app.register('PRO');
    const { id } = await send(client, csvOf('buy 2024-01-02 10 X @1000'));
    await enter(client);
    await client.json('DELETE', `/v1/imports/${id}`, {}, 204);
    expect(await pairs(client)).toEqual([]);
    expect(await fetchAll(client, '/v1/transactions?needsReview=true')).toEqual([]);
  });
});
