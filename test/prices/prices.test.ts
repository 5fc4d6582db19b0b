import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

interface Stored {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly books: number;
  readonly rejects: { line: number; column: string | null; reason: string }[];
}
interface Price {
  readonly id: string;
  readonly date: string;
  readonly asset: string;
  readonly usd: string;
  readonly source: string;
}
interface Line {
  readonly id: string;
  readonly proceeds: string;
  readonly basis: string;
  readonly gain: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const give = (who: TestClient, csv: string, headers: Record<string, string> = {}): Promise<Stored> =>
  who.json<Stored>('POST', '/v1/prices', { body: csv, headers: { 'content-type': 'text/csv', ...headers } }, 201);
const lines = (who: TestClient): Promise<Line[]> => fetchAll<Line>(who, '/v1/tax/disposals');
const summary = (who: TestClient, year: number) =>
  who.json<{ issues: number; revision: string; total: { gain: string }; income: { amount: string }[] }>(
    'GET',
    `/v1/tax/summary?year=${year}`,
  );

const inEuros = `date,type,account,asset,quantity,amount,fee,currency
2025-03-03,buy,Depot,SAP,10,1000,5,EUR
2025-03-10,sell,Depot,SAP,10,1200,5,EUR
`;

describe('prices', () => {
  test('come from a CSV with columns in any order, and a repeat changes nothing, but a new price replaces the old one', async () => {
    const who = await app.register();
    const csv = 'usd,Date,ASSET\n1.1,2025-01-02,EUR\n0.000000000000000001,2025-01-02,DUST\n';
    expect(await give(who, csv)).toMatchObject({ rows: 2, added: 2, updated: 0, unchanged: 0, rejected: 0 });
    expect(await give(who, csv)).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
    expect(await give(who, 'date,asset,usd\n2025-01-02,EUR,1.2\n')).toMatchObject({ added: 0, updated: 1 });
    const listed = await fetchAll<Price>(who, '/v1/prices');
    expect(listed.map(({ asset, date, usd, source }) => [asset, date, usd, source])).toEqual([
      ['DUST', '2025-01-02', '0.000000000000000001', 'own'],
      ['EUR', '2025-01-02', '1.2', 'own'],
    ]);
    expect(await fetchAll<Price>(await app.register(), '/v1/prices')).toEqual([]);
  });

  test('are reported with line and column if they are missing or invalid, and the other prices are stored', async () => {
    const who = await app.register();
    const rows = [
      '2025-02-30,EUR,1',
      '2025-01-02,,1',
      '2025-01-02,EUR,0',
      '2025-01-02,EUR,1e3',
      '2025-01-02,USD,1',
      '2025-01-02,EUR,1.5',
    ];
    const stored = await give(who, `date,asset,usd\n${rows.join('\n')}\n`);
    expect(stored).toMatchObject({ rows: 6, added: 1, rejected: 5 });
    expect(stored.rejects.map(({ line, column }) => [line, column])).toEqual([
      [2, 'date'],
      [3, 'asset'],
      [4, 'usd'],
      [5, 'usd'],
      [6, 'asset'],
    ]);
  });

  test('prices of one day in one file are one price: a repeat is not new, and a different one is a contradiction', async () => {
    const who = await app.register();
    const rows = ['2025-01-02,EUR,1.1', '2025-01-02,eur,1.10', '2025-01-02,EUR,1.2', '2025-01-03,EUR,1.2,9', ',,'];
    const stored = await give(who, `date,asset,usd\n${rows.join('\n')}\n`);
    expect(stored).toMatchObject({ rows: 4, added: 1, unchanged: 1, rejected: 2 });
    expect(stored.rejects).toEqual([
      { line: 4, column: 'usd', reason: 'line 2 has a different price, 1.1, for the same day' },
      { line: 5, column: null, reason: 'this line has more columns than the header' },
    ]);
    expect(await fetchAll<Price>(who, '/v1/prices')).toMatchObject([{ asset: 'EUR', usd: '1.1' }]);
  });

  test('are refused if no line has one or the header repeats a column, and nothing changes', async () => {
    const who = await app.register();
    const refused = async (csv: string): Promise<Record<string, unknown>> =>
      who.json('POST', '/v1/prices', { body: csv, headers: { 'content-type': 'text/csv' } }, 422);
    expect(await refused('date,asset,usd\n2025-02-30,EUR,1\n2025-01-02,EUR,999999999999999999999\n')).toMatchObject({
      code: 'invalid',
      errors: [
        { line: 2, column: 'date', code: 'invalid' },
        { line: 3, column: 'usd', detail: expect.stringContaining('20 digits before the decimal point') },
      ],
    });
    for (const header of ['date,date,asset,usd', 'date,asset,currency,usd', 'date,asset']) {
      expect(await refused(`${header}\n2025-01-02,EUR,1,1\n`)).toMatchObject({ code: 'unknown_format' });
    }
    expect(await fetchAll<Price>(who, '/v1/prices')).toEqual([]);
  });

  test('prices of currencies are stored under their code, and those of assets under their name', async () => {
    const who = await app.register();
    await give(who, 'Date,Currency,USD\n2025-01-02,eur,1.1\n2025-01-02,stETH,3000\n');
    await give(who, 'date,asset,usd\n2025-01-02,gbp,1.3\n2025-01-02,stk,2\n');
    const names = (await fetchAll<Price>(who, '/v1/prices')).map(({ asset }) => asset);
    expect(names).toEqual(['EUR', 'GBP', 'stETH', 'stk']);
  });

  test('need a header and text/csv, and support an Idempotency-Key', async () => {
    const who = await app.register();
    const post = (body: string, type: string) =>
      who.request('POST', '/v1/prices', { body, headers: { 'content-type': type } });
    expect((await post('a,b\n1,2\n', 'text/csv')).status).toBe(422);
    expect((await post('{}', 'application/json')).status).toBe(415);
    const key = { 'idempotency-key': 'prices-1' };
    const first = await give(who, 'date,asset,usd\n2025-01-02,EUR,1.1\n', key);
    expect(await give(who, 'date,asset,usd\n2025-01-02,EUR,1.1\n', key)).toEqual(first);
  });

  test('are listed by asset and days, in pages', async () => {
    const who = await app.register();
    await give(who, 'date,asset,usd\n2025-01-01,A,1\n2025-01-02,A,2\n2025-01-03,A,3\n2025-01-01,B,4\n');
    expect((await fetchAll<Price>(who, '/v1/prices?asset=A&from=2025-01-02', 1)).map((price) => price.usd)).toEqual([
      '2',
      '3',
    ]);
    expect((await fetchAll<Price>(who, '/v1/prices?to=2025-01-02&source=own', 1)).map((price) => price.usd)).toEqual([
      '1',
      '4',
    ]);
  });
});

describe('books', () => {
  test('await the rate of another currency, and a purchase then uses the rate of its day', async () => {
    const who = await app.register();
    await importCsv(who, inEuros);
    expect((await summary(who, 2025)).issues).toBeGreaterThan(0);
    const waiting = await summary(who, 2025);
    const stored = await give(who, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-09,EUR,1.1\n');
    expect(stored).toMatchObject({ added: 2, books: 1 });
    expect(await lines(who)).toMatchObject([{ proceeds: '1314.50', basis: '1055.25', gain: '259.25' }]);
    const found = await summary(who, 2025);
    expect(found.issues).toBe(0);
    expect(found.revision).not.toBe(waiting.revision);
    const calculated = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {
      body: { dryRun: true },
    });
    expect(calculated.differences).toEqual([]);
  });

  test('match a reversed row by its own currency, imported together or later, before and after a rate arrives', async () => {
    const who = await app.register();
    const header = 'date,type,account,asset,quantity,amount,currency\n';
    const trades = '2025-03-03,buy,Depot,SAP,10,1000,EUR\n2025-03-03,buy,Depot,SAP,4,500,EUR\n';
    const back = '2025-03-05,buy,Depot,SAP,10,-1000,EUR\n';
    const sale = '2025-03-10,sell,Depot,SAP,4,600,EUR\n';
    await give(who, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-05,EUR,1.1\n2025-03-10,EUR,1.2\n');
    await importCsv(who, header + trades + sale);
    await importCsv(who, header + back);
    expect((await summary(who, 2025)).issues).toBe(0);
    expect(await lines(who)).toMatchObject([{ proceeds: '720.00', basis: '550.00', gain: '170.00' }]);
    const calculated = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {
      body: { dryRun: true },
    });
    expect(calculated.differences).toEqual([]);
    const other = await app.register();
    await importCsv(other, header + trades + back + sale);
    await give(other, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-05,EUR,1.1\n2025-03-10,EUR,1.2\n');
    expect(await lines(other)).toMatchObject([{ proceeds: '720.00', basis: '550.00', gain: '170.00' }]);
  });

  test('are restored to the byte when a price is removed or an import is undone', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2025-01-02 1 X @10 #b', 'sell 2025-01-03 1 X @12 #s'));
    const before = await fetchBookContent(who);
    const { id } = await importCsv(who, inEuros);
    const missing = await fetchBookContent(who);
    await give(who, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-09,EUR,1.1\n');
    for (const price of await fetchAll<Price>(who, '/v1/prices')) {
      expect((await who.request('DELETE', `/v1/prices/${price.id}`)).status).toBe(204);
    }
    expect(await fetchBookContent(who)).toBe(missing);
    await give(who, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-09,EUR,1.1\n');
    await who.request('DELETE', `/v1/imports/${id}`);
    expect(await fetchBookContent(who)).toBe(before);
  });

  test('use prices that were stored before their rows', async () => {
    const who = await app.register();
    await give(who, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-10,EUR,1.1\n');
    await importCsv(who, inEuros);
    expect(await lines(who)).toMatchObject([{ proceeds: '1314.50', basis: '1055.25' }]);
  });

  test('value a trade by the units received, or otherwise by the units given, income by its units, and a fee by its own units', async () => {
    const who = await app.register();
    const csv = `date,type,account,asset,quantity,amount,received_asset,received_quantity,fee_asset,fee_quantity
2025-01-02,buy,W,BTC,1,50000,,,,
2025-01-02,buy,W,BNB,1,500,,,,
2025-01-05,trade,W,BTC,0.5,,ETH,10,BNB,0.1
2025-01-06,staking,W,ETH,0.3,,,,,
`;
    await importCsv(who, csv);
    expect((await summary(who, 2025)).issues).toBeGreaterThan(0);
    await give(
      who,
      'date,asset,usd\n2025-01-05,BTC,60000\n2025-01-05,BNB,700\n2025-01-06,ETH,3333.333333333333333333\n',
    );
    const given = await lines(who);
    expect(given.map((line) => line.proceeds).sort()).toEqual(['29930.00', '70.00']);
    await give(who, 'date,asset,usd\n2025-01-05,ETH,3100\n');
    expect((await lines(who)).map((line) => line.proceeds).sort()).toEqual(['30930.00', '70.00']);
    const after = await summary(who, 2025);
    expect(after.issues).toBe(0);
    expect(after.income).toMatchObject([{ amount: '1000.00' }]);
  });

  test('are named in the explanation that uses them', async () => {
    const who = await app.register();
    await importCsv(who, inEuros);
    await give(who, 'date,asset,usd\n2025-03-03,EUR,1.05\n2025-03-09,EUR,1.1\n');
    const [line] = await lines(who);
    const explained = await who.json<{ sources: { role: string; prices: object[] }[] }>(
      'GET',
      `/v1/tax/disposals/${line?.id}/explain`,
    );
    expect(explained.sources.map(({ role, prices }) => [role, prices])).toEqual([
      [
        'disposal',
        [{ figure: 'currency', asset: 'EUR', date: '2025-03-09', usd: '1.1', source: 'own', time: 'as entered' }],
      ],
      [
        'lot',
        [{ figure: 'currency', asset: 'EUR', date: '2025-03-03', usd: '1.05', source: 'own', time: 'as entered' }],
      ],
    ]);
  });

  test('never use a rate that is more than a week old or from a later day', async () => {
    const who = await app.register();
    await importCsv(who, inEuros);
    await give(who, 'date,asset,usd\n2025-02-23,EUR,1.05\n2025-03-11,EUR,1.1\n');
    expect((await summary(who, 2025)).issues).toBeGreaterThan(0);
  });
});
