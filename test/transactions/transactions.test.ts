import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import {
  type Cells,
  csvOf,
  elect,
  fetchAll,
  fetchBookContent,
  importCsv,
  type ListResponse,
} from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';

interface Transaction {
  readonly id: string;
  readonly date: string;
  readonly type: string;
  readonly asset: string;
  readonly quantity: string | null;
  readonly source: {
    readonly importId: string | null;
    readonly line: number | null;
    readonly externalId: string | null;
  };
  readonly review: { readonly kind: string }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: testClock('2025-06-15T12:00:00Z') });
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

const five = csvOf(
  'buy 2024-01-02 10 X @1000 #b1',
  'buy 2024-03-04 5 Y @50 #b2 !Other',
  'sell 2024-06-03 4 X @500 #s1',
  'sell 2025-02-03 9 Y @10 #s2 !Other',
  'buy 2026-01-05 1 Z @10 #b3',
);

async function ids(client: TestClient, query: string): Promise<(string | null)[]> {
  const rows = await fetchAll<Transaction>(client, `/v1/transactions${query}`);
  return rows.map(({ source }) => source.externalId);
}

describe('the list', () => {
  let client: TestClient;
  let importId: string;
  beforeAll(async () => {
    client = await app.register('PRO');
    importId = (await importCsv(client, five)).id;
    await importCsv(client, csvOf('dividend 2024-12-01 - X @7 #d1'));
  });

  const filters: [string, string[]][] = [
    ['', ['b1', 'b2', 's1', 'd1', 's2', 'b3']],
    ['?sort=-date', ['b3', 's2', 'd1', 's1', 'b2', 'b1']],
    ['?from=2024-03-04', ['b2', 's1', 'd1', 's2', 'b3']],
    ['?to=2024-03-04', ['b1']],
    ['?from=2024-03-04&to=2024-06-04', ['b2', 's1']],
    ['?asset=Y', ['b2', 's2']],
    ['?type=sell', ['s1', 's2']],
    ['?account=Other', ['b2', 's2']],
    ['?year=2024', ['b1', 'b2', 's1', 'd1']],
    ['?year=2024&from=2024-06-01', ['s1', 'd1']],
    ['?q=oth', ['b2', 's2']],
    ['?q=%25', []],
    ['?needsReview=true', ['b2', 's2', 'b3']],
    ['?needsReview=false', ['b1', 's1', 'd1']],
  ];
  for (const [query, found] of filters) {
    test(`returns the expected rows for ${query === '' ? 'no filter' : query}`, async () => {
      expect(await ids(client, query)).toEqual(found);
    });
  }

  test("returns no rows for an unknown import or another user's import", async () => {
    const other = await app.register('PRO');
    const { id: foreign } = await importCsv(other, five);
    for (const id of ['nothing', foreign]) expect(await ids(client, `?importId=${id}`)).toEqual([]);
  });

  test('can be filtered by importId', async () => {
    expect(await ids(client, `?importId=${importId}`)).toEqual(['b1', 'b2', 's1', 's2', 'b3']);
  });

  test('a row names its source and what needs review', async () => {
    const [sold] = await fetchAll<Transaction>(client, '/v1/transactions?year=2025');
    expect(sold).toMatchObject({ type: 'sell', quantity: '9', source: { importId, line: 5, externalId: 's2' } });
    expect(sold?.review.map(({ kind }) => kind)).toEqual(['oversold']);
    const [later] = await fetchAll<Transaction>(client, '/v1/transactions?year=2026');
    expect(later?.review.map(({ kind }) => kind)).toEqual(['future_date']);
    expect(await client.json('GET', `/v1/transactions/${sold?.id}`)).toMatchObject({ ...sold });
  });

  const wrong: [string, number, string][] = [
    ['?fro=2024-01-01', 400, 'unknown_parameter'],
    ['?from=2024-02-30', 422, 'invalid'],
    ['?cursor=abc', 400, 'invalid_cursor'],
    ['?limit=1001', 422, 'invalid'],
    ['?type=bye', 422, 'invalid'],
  ];
  for (const [query, status, code] of wrong) {
    test(`refuses ${query}`, async () => {
      const response = await client.request('GET', `/v1/transactions${query}`);
      expect({ status: response.status, code: ((await response.json()) as Cells).code }).toEqual({
        status,
        code,
      } as never);
    });
  }

  for (const sort of ['date', '-date']) {
    test(`is complete and repeats no row when it is paged by ${sort} while rows are inserted`, async () => {
      const walker = await app.register('PRO');
      const days = Array.from({ length: 30 }, (_, at) => `2024-01-${String(1 + (at % 10)).padStart(2, '0')}`);
      await importCsv(walker, csvOf(...days.map((day, at) => `buy ${day} ${at + 1} X @10 #r${at}`)));
      const seen: string[] = [];
      for (let cursor = '', page = 0; ; page++) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`;
        const list = await walker.json<ListResponse<Transaction>>(
          'GET',
          `/v1/transactions?sort=${sort}&limit=7${more}`,
        );
        seen.push(...list.data.map(({ id }) => id));
        await importCsv(
          walker,
          csvOf(`buy 2024-01-0${1 + page} 99 X @10 #n${page}`, `buy 2023-01-0${1 + page} 9 X @1`),
        );
        if (list.nextCursor === null) break;
        cursor = list.nextCursor;
      }
      expect(new Set(seen).size).toBe(seen.length);
      const old = await fetchAll<Transaction>(walker, '/v1/transactions');
      const missed = old.filter(({ id, source }) => source.externalId?.startsWith('r') && !seen.includes(id));
      expect(missed).toEqual([]);
    });
  }
});

describe('a manual row', () => {
  const given = {
    date: '2024-01-02',
    type: 'buy',
    account: 'A',
    asset: 'X',
    quantity: '10',
    amount: '1000',
    fee: '1.5',
  };

  test('is stored like a line in a file, and the gains follow', async () => {
    const client = await app.register('PRO');
    const made = await client.json<Transaction>('POST', '/v1/transactions', { body: given }, 201);
    expect(made).toMatchObject({ ...given, amount: '1000.00', fee: '1.50', assetClass: 'stock', review: [] });
    expect(made.source).toEqual({ importId: null, line: null, externalId: null });
    const lots = await fetchAll<Cells>(client, '/v1/tax/lots');
    expect(lots).toMatchObject([{ basis: '1001.50', quantity: '10', account: 'A', longTermOn: '2025-01-03' }]);
    // An equal row is stored as a second row.
    await client.json('POST', '/v1/transactions', { body: given }, 201);
    expect(await fetchAll(client, '/v1/tax/lots')).toHaveLength(2);
  });

  const wrong: [object, string][] = [
    [{ ...given, date: '2024-02-30' }, '/date'],
    [{ ...given, amount: 'ten' }, '/amount'],
    [{ ...given, amount: '0.123456789' }, '/amount'],
    [{ ...given, quantity: undefined }, '/quantity'],
    [{ ...given, quantity: '-1' }, '/quantity'],
    [{ ...given, type: 'rename' }, '/receivedAsset'],
  ];
  for (const [body, pointer] of wrong) {
    test(`is refused at ${pointer} for ${JSON.stringify(body)}`, async () => {
      const client = await app.register('PRO');
      const problem = await client.json<{ code: string; errors: { pointer: string }[] }>(
        'POST',
        '/v1/transactions',
        { body },
        422,
      );
      expect(problem.code).toBe('invalid');
      expect(problem.errors.map((error) => error.pointer)).toEqual([pointer]);
      expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
    });
  }

  test('is stored once if it is sent twice with one Idempotency-Key', async () => {
    const client = await app.register('PRO');
    const send = () =>
      client.request('POST', '/v1/transactions', { body: given, headers: { 'idempotency-key': 'k1' } });
    const [first, again] = [await send(), await send()];
    expect(await again.json()).toEqual(await first.json());
    expect(await fetchAll(client, '/v1/transactions')).toHaveLength(1);
  });
});

describe('a correction', () => {
  test('returns the row if nothing changes', async () => {
    const client = await app.register('PRO');
    await importCsv(client, five);
    const before = await fetchBookContent(client);
    const [row] = await fetchAll<Transaction>(client, '/v1/transactions');
    expect(await client.json<Transaction>('PATCH', `/v1/transactions/${row?.id}`, { body: {} })).toEqual({
      ...row,
    } as Transaction);
    expect(await fetchBookContent(client)).toBe(before);
  });

  test('changes the gains, and importing the file again does not restore the old row', async () => {
    const client = await app.register('PRO');
    const { id: importId } = await importCsv(client, five);
    const before = await fetchBookContent(client);
    const [bought] = await fetchAll<Transaction>(client, '/v1/transactions?asset=X');
    const patched = await client.json<Transaction>('PATCH', `/v1/transactions/${bought?.id}`, {
      body: { amount: '2000', note: '=checked' },
    });
    expect(patched).toMatchObject({
      id: bought?.id ?? '',
      amount: '2000.00',
      note: '=checked',
      source: { importId, line: 2 },
    });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { basis: '800.00' } });
    expect(await importCsv(client, five)).toMatchObject({ imported: 0, duplicates: 5 });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { basis: '800.00' } });
    await client.json('PATCH', `/v1/transactions/${bought?.id}`, { body: { amount: '1000', note: null } });
    const revised = (books: string) => books.replaceAll(/"revision":"\d+"/g, '');
    expect(revised(await fetchBookContent(client))).toBe(revised(before));
  });

  test('can move a row to another book and another day', async () => {
    const client = await app.register('PRO');
    await importCsv(client, five);
    const [sold] = await fetchAll<Transaction>(client, '/v1/transactions?type=sell&asset=X');
    await client.json('PATCH', `/v1/transactions/${sold?.id}`, {
      body: { asset: 'Y', date: '2023-05-05', account: 'Other' },
    });
    const lines = await fetchAll<Cells>(client, '/v1/tax/disposals?year=2023');
    expect(lines).toMatchObject([{ asset: 'Y', sold: '2023-05-05', account: 'Other', gain: '500.00' }]);
    expect(await client.json<{ differences: [] }>('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({
      differences: [],
    });
  });

  test("changes nothing if it is invalid or for another user's row", async () => {
    const [client, other] = [await app.register('PRO'), await app.register('PRO')];
    await importCsv(client, five);
    const before = await fetchBookContent(client);
    const [row] = await fetchAll<Transaction>(client, '/v1/transactions');
    expect((await client.request('PATCH', `/v1/transactions/${row?.id}`, { body: { quantity: null } })).status).toBe(
      422,
    );
    expect((await client.request('PATCH', `/v1/transactions/${row?.id}`, { body: { nonsense: '1' } })).status).toBe(
      422,
    );
    expect((await other.request('PATCH', `/v1/transactions/${row?.id}`, { body: { amount: '1' } })).status).toBe(404);
    expect((await other.request('DELETE', `/v1/transactions/${row?.id}`)).status).toBe(404);
    expect(await fetchBookContent(client)).toBe(before);
  });

  test('a deletion removes the row and its effects, and its file restores it', async () => {
    const client = await app.register('PRO');
    await importCsv(client, five);
    const before = await fetchBookContent(client);
    const [sold] = await fetchAll<Transaction>(client, '/v1/transactions?type=sell&asset=X');
    expect((await client.request('DELETE', `/v1/transactions/${sold?.id}`)).status).toBe(204);
    expect(await fetchAll(client, '/v1/tax/disposals?year=2024')).toEqual([]);
    expect(await importCsv(client, five)).toMatchObject({ imported: 1, duplicates: 4 });
    expect(await fetchBookContent(client)).toBe(before);
  });
});

describe('the export', () => {
  const rich = [
    'date,type,account,asset,quantity,amount,fee,received_asset,received_quantity,ratio,lots,asset_class,id,note',
    '2024-01-02,buy,A,X,10,1000,1,,,,,fund,b1,"=1+1, ""quoted"""',
    '2024-01-02,buy,A,X,5,600,,,,,,fund,b2,',
    '2024-01-02T23:30:00Z,buy,B,BTC,0.000000000000000001,0.01,,,,,,,c1,',
    '2024-02-02,split,,X,,,,,,2:1,,fund,,',
    '2024-02-02,sell,A,X,3,100,,,,,b2:3,fund,s1,',
    '2024-02-02,sell,A,X,3,100,,,,,b2:3,fund,s1,',
    '2024-03-03T10:00:00Z,trade,B,BTC,0.000000000000000001,5,,ETH,2,,,crypto,t1,',
    '2024-04-04,spinoff,,X,,,,XS,4,0.25,,fund,,',
  ].join('\n');

  for (const zone of ['UTC', 'America/New_York']) {
    test(`gives the same books in an empty account, from one in ${zone}`, async () => {
      const [client, empty] = [await app.register('PRO'), await app.register('PRO')];
      await client.json('PATCH', '/v1/account', { body: { timeZone: zone } });
      await elect(client, { accounts: { B: { type: 'taxable', assetClass: 'crypto' } } });
      expect(await importCsv(client, rich)).toMatchObject({ rejected: 0, imported: 8 });
      await client.json('POST', '/v1/transactions', {
        body: { date: '2024-05-05 20:00:00', type: 'buy', account: 'B', asset: 'ETH', quantity: '1', amount: '9' },
      });
      const csv = await (await client.request('GET', '/v1/transactions/export')).text();
      expect(csv.split('\r\n')[0]).toStartWith('date,type,account,asset,quantity,amount,fee,currency,received_asset');
      expect(await importCsv(empty, csv)).toMatchObject({ rejected: 0, imported: 9 });
      const books = async (one: TestClient) => {
        const books = await fetchBookContent(one);
        return books.replaceAll(/"(revision|id|saleId|lotId|transactionId)":"[^"]*"/g, '');
      };
      expect(await books(empty)).toBe(await books(client));
      // In its own account, importing the export adds only the manual row, which was in no file.
      expect(await importCsv(client, csv)).toMatchObject({ imported: 1, duplicates: 8 });
    });
  }
});

describe('the time zone', () => {
  const late = 'date,type,account,asset,quantity,amount\n2024-01-01,buy,A,X,1,10\n2025-01-01T01:00:00Z,sell,A,X,1,30\n';

  test('changes the days of times in the account, and the summaries follow', async () => {
    const client = await app.register('PRO');
    await importCsv(client, late);
    expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({ total: { gain: '20.00' } });
    await client.json('PATCH', '/v1/account', { body: { timeZone: 'America/New_York' } });
    expect(await client.json('GET', '/v1/tax/summary?year=2025')).toMatchObject({ total: { gain: '0.00' } });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '20.00' } });
    // The same instant is the same row on any day.
    expect(await importCsv(client, late)).toMatchObject({ imported: 0, duplicates: 2 });
    expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  });

  test('set for an import stays with its rows', async () => {
    const client = await app.register('PRO');
    await importCsv(client, late, '?timeZone=America/New_York');
    await client.json('PATCH', '/v1/account', { body: { timeZone: 'Asia/Tokyo' } });
    expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '20.00' } });
  });
});

test('a transaction is corrected or removed only if If-Match names the current version', async () => {
  const client = await app.register('PRO');
  await importCsv(client, five);
  const [row] = await fetchAll<Transaction>(client, '/v1/transactions');
  const path = `/v1/transactions/${row?.id}`;
  const fetchTag = async () => (await client.request('GET', path)).headers.get('etag') ?? '';
  const read = await fetchTag();
  const send = (method: string, match: string, body?: object) =>
    client.request(method, path, { headers: { 'if-match': match }, ...(body === undefined ? {} : { body }) });
  expect((await send('PATCH', '"stale"', { amount: '11' })).status).toBe(412);
  const corrected = await send('PATCH', read, { amount: '11' });
  expect([corrected.status, corrected.headers.get('etag')]).toEqual([200, await fetchTag()]);
  expect((await send('PATCH', read, { amount: '12' })).status).toBe(412);
  expect((await send('DELETE', read)).status).toBe(412);
  expect(await client.json('GET', path)).toMatchObject({ amount: '11.00' });
  expect((await send('DELETE', await fetchTag())).status).toBe(204);
});
