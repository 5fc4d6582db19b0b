import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

interface Balance {
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  readonly on: string;
  readonly quantity: string;
  readonly source: string;
  readonly books: string;
  readonly difference: string;
}
interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly date: string;
  readonly transactions: string[];
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount\n';
const bought = `${header}2025-01-10,buy,Schwab,KO,60,3600\n2025-02-10,buy,Schwab,KO,40,2500\n`;
const state = (who: TestClient, on: string, quantity: string, asset = 'KO', status = 201) =>
  who.json<Balance>('POST', '/v1/balances', { body: { account: 'Schwab', asset, on, quantity } }, status);
const give = <T>(who: TestClient, csv: string, query = '', status = 201) =>
  who.json<T>('POST', `/v1/balances/import${query}`, { body: csv, headers: { 'content-type': 'text/csv' } }, status);
const issues = (who: TestClient) => fetchAll<Issue>(who, '/v1/tax/issues?status=open');
const summary = (who: TestClient) => who.json<{ issues: number; revision: string }>('GET', '/v1/tax/summary?year=2025');

describe('a manually entered balance', () => {
  test('shows the units in the books, replaces an earlier one for the same day, and can be deleted', async () => {
    const who = await app.register();
    await importCsv(who, bought);
    const before = await fetchBookContent(who);
    const first = await state(who, '2025-01-31', '60.0');
    expect(first).toMatchObject({ quantity: '60', source: 'hand', books: '60', difference: '0' });
    const other = await state(who, '2025-01-31', '65');
    expect(other).toMatchObject({ id: first.id, books: '60', difference: '5' });
    expect(await issues(who)).toMatchObject([{ kind: 'balance_differs', date: '2025-01-31' }]);
    expect((await who.request('DELETE', `/v1/balances/${first.id}`)).status).toBe(204);
    expect((await who.request('DELETE', `/v1/balances/${first.id}`)).status).toBe(404);
    expect(await issues(who)).toEqual([]);
    expect(await fetchBookContent(who)).toBe(before);
  });

  test('is refused with a pointer to the invalid field', async () => {
    const who = await app.register();
    const refused = async (on: string, quantity: string, asset: string) =>
      (await state(who, on, quantity, asset, 422)) as unknown as { errors: { pointer: string }[] };
    expect((await refused('2025-02-30', '1', 'KO')).errors[0]?.pointer).toBe('/on');
    expect((await refused('2025-02-28', '1e3', 'KO')).errors[0]?.pointer).toBe('/quantity');
    expect((await refused('2025-02-28', '1', 'EUR')).errors[0]?.pointer).toBe('/asset');
    expect(await fetchAll(who, '/v1/balances')).toEqual([]);
  });

  test('changes the revision, and the stored figures equal the calculated ones', async () => {
    const who = await app.register();
    await importCsv(who, bought);
    const before = await summary(who);
    await state(who, '2025-03-31', '120');
    const after = await summary(who);
    expect([before.issues, after.issues]).toEqual([0, 1]);
    expect(after.revision).not.toBe(before.revision);
    const { differences } = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
    expect(differences).toEqual([]);
  });

  test('is invisible to other users', async () => {
    const [who, other] = [await app.register(), await app.register()];
    const { id } = await state(who, '2025-03-31', '120');
    expect(await fetchAll(other, '/v1/balances')).toEqual([]);
    expect((await other.request('DELETE', `/v1/balances/${id}`)).status).toBe(404);
    expect(await fetchAll(who, '/v1/balances')).toHaveLength(1);
  });
});

describe('a difference', () => {
  test('names its first day and the rows around it, and disappears once the missing file is imported', async () => {
    const who = await app.register();
    await importCsv(who, bought);
    await importCsv(who, `${header}2025-06-10,buy,Schwab,KO,1,60\n2025-07-10,buy,Schwab,KO,1,60\n`);
    for (const [on, quantity] of [
      ['2025-02-28', '100'],
      ['2025-04-30', '125'],
      ['2025-05-31', '125'],
    ] as const)
      await state(who, on, quantity);
    const [issue, ...others] = await issues(who);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ kind: 'balance_differs', date: '2025-04-30' });
    const rows = await fetchAll<{ id: string; date: string }>(who, '/v1/transactions');
    const around = issue?.transactions.map((id) => rows.find((row) => row.id === id)?.date);
    expect(around).toEqual(['2025-01-10', '2025-02-10', '2025-06-10']);
    const missing = await importCsv(who, `${header}2025-03-10,buy,Schwab,KO,25,1500\n`);
    expect(await issues(who)).toEqual([]);
    await who.request('DELETE', `/v1/imports/${missing.id}`);
    expect(await issues(who)).toMatchObject([{ date: '2025-04-30' }]);
  });

  test('can be accepted with a note, and reopens if it grows', async () => {
    const who = await app.register();
    await importCsv(who, bought);
    const { id } = await state(who, '2025-02-28', '99');
    const [issue] = await issues(who);
    const answer = { body: { action: 'accept', note: 'Lent to a friend.' } };
    await who.json('POST', `/v1/tax/issues/${issue?.id}/resolve`, answer, 200);
    expect(await issues(who)).toEqual([]);
    expect((await summary(who)).issues).toBe(0);
    await importCsv(who, `${header}2025-02-11,buy,Schwab,KO,5,300\n`);
    expect(await issues(who)).toHaveLength(1);
    expect((await who.request('DELETE', `/v1/balances/${id}`)).status).toBe(204);
    expect(await issues(who)).toEqual([]);
  });

  test('cannot be accepted without any rows nearby', async () => {
    const who = await app.register();
    await state(who, '2025-02-28', '10');
    const [issue] = await issues(who);
    expect(issue?.transactions).toEqual([]);
    const answer = { body: { action: 'accept', note: 'Known.' } };
    await who.json('POST', `/v1/tax/issues/${issue?.id}/resolve`, answer, 422);
  });
});

describe('a file of positions', () => {
  test("is read under the broker's names, with the account and day from the request, and a repeated upload changes nothing", async () => {
    const who = await app.register();
    await importCsv(who, bought);
    const csv = `"Positions of your account"

"Symbol","Description","Quantity","Last Price"
"KO","COCA-COLA","1,100.000","60.10"
"USD","CASH","12.00","1"
"","","",""
`;
    const query = '?account=Schwab&on=2025-02-28';
    const stored = await give<{ rejects: object[] }>(who, csv, query);
    expect(stored).toMatchObject({ rows: 2, added: 1, updated: 0, rejected: 1, differing: 1 });
    expect(stored.rejects).toEqual([{ line: 5, column: 'asset', reason: 'balances of money are not tracked' }]);
    expect(await give<object>(who, csv, query)).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
    expect(await fetchAll<Balance>(who, '/v1/balances')).toMatchObject([
      { account: 'Schwab', asset: 'KO', on: '2025-02-28', quantity: '1100', source: 'file', difference: '1000' },
    ]);
  });

  test('may be a Kraken ledger, in which the last balances of a day over all wallets reveal the missing line', async () => {
    const who = await app.register();
    const header = '"txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance"';
    const rows = [
      '"L1","RA","2025-01-03 10:00:00","trade","","currency","XXBT","spot / main",0.5,0,0.5',
      '"L2","RA","2025-01-03 10:00:00","trade","","currency","ZUSD","spot / main",-40000,0,100',
      '"L3","RB","2025-01-03 11:00:00","trade","","currency","XXBT","spot / main",0.25,0,0.75',
      '"L4","RB","2025-01-03 11:00:00","trade","","currency","ZUSD","spot / main",-20000,0,80',
      '"L5","RC","2025-02-03 11:00:00","transfer","spottostaking","currency","XXBT","spot / main",-0.5,0,0.25',
      '"L6","RC","2025-02-03 11:00:00","transfer","stakingfromspot","currency","XBT.M","earn / flexible",0.5,0,0.5',
      '"L7","RD","2025-03-03 11:00:00","trade","","currency","XXBT","spot / main",-0.125,0,0.125',
      '"L8","RD","2025-03-03 11:00:00","trade","","currency","ZUSD","spot / main",12000,0,12080',
    ];
    const ledger = [header, ...rows].join('\n');
    await importCsv(who, `${ledger}\n`);
    const given = (csv: string) => give<object>(who, csv, '?account=Kraken');
    expect(await given(`${ledger}\n`)).toMatchObject({ rows: 8, added: 3, rejected: 0, differing: 0 });
    const newestFirst = [header, ...rows.toReversed()].join('\n');
    expect(await given(`${newestFirst}\n`)).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
    const partly = await app.register();
    await importCsv(partly, `${[header, ...rows.slice(2)].join('\n')}\n`);
    const found = await give<object>(partly, `${ledger}\n`, '?account=Kraken');
    expect(found).toMatchObject({ added: 3, differing: 3 });
    expect(await issues(partly)).toMatchObject([{ kind: 'balance_differs', date: '2025-01-03' }]);
    await give(who, `${ledger}\n`, '', 422);
  });

  test('is refused if the account, the day or the columns are unknown, or if no line has a balance', async () => {
    const who = await app.register();
    expect(await give<object>(who, 'symbol,quantity\nKO,1\n', '?account=A', 422)).toMatchObject({ code: 'invalid' });
    expect(await give<object>(who, 'symbol,quantity\nKO,1\n', '?on=2025-01-01', 422)).toMatchObject({
      code: 'invalid',
    });
    expect(await give<object>(who, 'a,b\n1,2\n', '', 422)).toMatchObject({ code: 'unknown_format' });
    const bad = 'account,asset,on,quantity\nA,KO,2025-02-30,1\n';
    expect(await give<object>(who, bad, '', 422)).toMatchObject({ errors: [{ line: 2, column: 'on' }] });
    const twice = 'account,asset,on,quantity\nA,KO,2025-02-28,1\nA,KO,2025-02-28,2\n';
    expect(await give<object>(who, twice)).toMatchObject({
      added: 1,
      rejects: [{ line: 3, column: 'quantity', reason: 'line 2 has a different balance, 1, for the same day' }],
    });
  });

  test('is listed in pages, newest first, and can be filtered by account and asset', async () => {
    const who = await app.register();
    const rows = ['A,KO,2025-01-31,1', 'B,KO,2025-01-31,1', 'A,PEP,2025-02-28,1', 'A,KO,2025-03-31,1'];
    await give(who, `account,asset,on,quantity\n${rows.join('\n')}\n`);
    const names = async (query: string) =>
      (await fetchAll<Balance>(who, `/v1/balances${query}`, 1)).map(
        ({ account, asset, on }) => `${account} ${asset} ${on}`,
      );
    expect(await names('')).toEqual(['A KO 2025-03-31', 'A PEP 2025-02-28', 'A KO 2025-01-31', 'B KO 2025-01-31']);
    expect(await names('?account=A&asset=KO')).toEqual(['A KO 2025-03-31', 'A KO 2025-01-31']);
  });
});
