import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { allOf, csvOf, type ImportResource, importCsv } from '../support/books.ts';

setDefaultTimeout(60_000);

/** What somebody entered, and a file has too. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const send = async (client: TestClient, csv: string, query = '') =>
  (await importCsv(client, csv, query)) as ImportResource & { readonly possibleDuplicates: number };

const given = { date: '2024-01-02', type: 'buy', account: 'Broker', asset: 'X', quantity: '10', amount: '1000' };

describe('a row by hand', () => {
  const file = csvOf('buy 2024-01-02 10 X @1000 #b1');
  const enter = async (...rows: readonly object[]): Promise<TestClient> => {
    const client = await app.register('PRO');
    for (const row of rows) await client.json('POST', '/v1/transactions', { body: { ...given, ...row } }, 201);
    return client;
  };

  test('that a file has too is never taken for it, and the pair waits', async () => {
    const client = await enter({});
    const answer = await send(client, csvOf('buy 2024-01-02 10 X @1000 #b1', 'buy 2024-01-02 10 X @1001 #b2'));
    expect(answer).toMatchObject({ imported: 2, duplicates: 0, possibleDuplicates: 1 });
    expect(await allOf(client, '/v1/transactions?needsReview=true')).toHaveLength(2);
  });

  const alike: Readonly<Record<string, object>> = {
    'in an account by another name': { account: 'My broker' },
    'in no account': { account: undefined },
    'with the fee in its amount': { amount: '1001.50' },
    'in round dollars': { amount: '995' },
    'of the class that its maker did not say': { assetClass: 'crypto' },
    'of the day before, as zones have it': { date: '2024-01-01' },
  };
  for (const [how, members] of Object.entries(alike)) {
    test(`${how} is one to look at`, async () => {
      const client = await enter(members);
      const answer = await send(client, csvOf('buy 2024-01-02T00:00:00Z 10 X @1000 ~1.50'));
      expect(answer).toMatchObject({ imported: 1, duplicates: 0, possibleDuplicates: 1 });
    });
  }

  test('without a value is one to look at in its own account, whatever letters that is written in', async () => {
    const client = await enter({ account: 'broker', amount: undefined, type: 'deposit' });
    expect(await send(client, csvOf('deposit 2024-01-02 10 X'))).toMatchObject({ imported: 1, possibleDuplicates: 1 });
    const other = await enter({ account: 'Vault', amount: undefined, type: 'deposit' });
    expect(await send(other, csvOf('deposit 2024-01-02 10 X'))).toMatchObject({ imported: 1, possibleDuplicates: 0 });
  });

  test('of other units, another day or another value is its own', async () => {
    const client = await enter({ quantity: '11' }, { date: '2024-01-09' }, { amount: '1200' }, { type: 'sell' });
    expect(await send(client, file)).toMatchObject({ imported: 1, possibleDuplicates: 0 });
  });

  test('that a mapped file has is one to look at', async () => {
    const columns = { when: 'date', what: 'type', coin: 'asset', units: 'quantity', usd: 'amount' };
    const mapping = encodeURIComponent(JSON.stringify({ columns }));
    const client = await enter({});
    const answer = await send(client, 'when,what,coin,units,usd\n2024-01-02,buy,X,10,1000\n', `?mapping=${mapping}`);
    expect(answer).toMatchObject({ imported: 1, duplicates: 0, possibleDuplicates: 1 });
  });

  test('that sums up the fills of a file waits with the first of them, and so do fills by hand with their order', async () => {
    const client = await enter({});
    const fills = csvOf('buy 2024-01-02 4 X @400 #b1', 'buy 2024-01-02 6 X @600 #b2');
    expect(await send(client, fills)).toMatchObject({ imported: 2, possibleDuplicates: 1 });
    const other = await enter({ quantity: '4', amount: '400' }, { quantity: '6', amount: '600' });
    expect(await send(other, file)).toMatchObject({ imported: 1, possibleDuplicates: 1 });
  });
});

describe('a row by hand that a file had before', () => {
  const enter = async (client: TestClient, members: object = {}): Promise<string> =>
    ((await client.json('POST', '/v1/transactions', { body: { ...given, ...members } }, 201)) as { id: string }).id;
  const pairs = (client: TestClient) => allOf<Pair>(client, '/v1/imports/possible-duplicates');
  interface Pair {
    readonly id: string;
    readonly transactionId: string;
    readonly otherId: string;
    readonly importId: string;
  }

  test('is stored beside it, and the pair waits until somebody looks', async () => {
    const client = await app.register('PRO');
    const answer = await send(client, csvOf('buy 2024-01-02 10 X @1000', 'buy 2024-01-02 7 X @700'));
    const id = await enter(client);
    const [pair, ...others] = await pairs(client);
    expect(others).toEqual([]);
    expect(pair).toMatchObject({ transactionId: id, importId: answer.id });
    expect(await allOf(client, '/v1/transactions')).toHaveLength(3);
    expect(await allOf(client, '/v1/transactions?needsReview=true')).toHaveLength(2);
    await client.json('DELETE', `/v1/imports/possible-duplicates/${pair?.id}`, {}, 204);
    expect(await pairs(client)).toEqual([]);
  });

  const alike: Readonly<Record<string, object>> = {
    'in an account by another name': { account: 'My broker' },
    'in round dollars': { amount: '995' },
    'of the class that the file did not say': { assetClass: 'crypto' },
    'with the time of day': { date: '2024-01-02T15:00:00Z' },
  };
  for (const [how, members] of Object.entries(alike)) {
    test(`${how} is one to look at`, async () => {
      const client = await app.register('PRO');
      await send(client, csvOf('buy 2024-01-02 10 X @1000'));
      await enter(client, members);
      expect(await pairs(client)).toHaveLength(1);
    });
  }

  test('of other units, another day or another value is its own, and so is a second one by hand', async () => {
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
    expect(await allOf(client, '/v1/transactions?needsReview=true')).toEqual([]);
  });
});
