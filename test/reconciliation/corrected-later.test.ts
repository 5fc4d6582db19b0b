import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { elect, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ log: { info: () => {}, warn: console.log, error: console.log } });
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,acquired,basis,box,asset_class,id';
const history = `${header}\n2026-01-05,buy,Exchange,BTC,2,100000,,,,crypto,b1\n2026-03-05,sell,Exchange,BTC,1,60000,,,,crypto,s1\n`;
const original = `${header}\n2026-03-05,reported_sale,Exchange,BTC,1,66000,2026-01-05,50000,G,crypto,f1\n`;
const corrected = `${header}\n2026-03-05,reported_sale,Exchange,BTC,1,60000,2026-01-05,50000,G,crypto,f1/corrected\n`;

test('a corrected form that comes later, comes first or is undone leaves books that equal a full calculation', async () => {
  const [later, first] = [await app.register('PRO'), await app.register('PRO')];
  for (const file of [history, original]) await importCsv(later, file);
  const before = await fetchBookContent(later);
  const { id } = await importCsv(later, corrected);
  for (const file of [corrected, original, history]) await importCsv(first, file);
  for (const who of [later, first]) {
    const { differences } = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
    expect(differences).toEqual([]);
    const entries = await fetchAll<{ kind: string; lines: unknown[] }>(who, '/v1/tax/forms?year=2026');
    expect(entries.map(({ kind, lines }) => `${kind} ${lines.length}`).sort()).toEqual(['matched 1', 'replaced 0']);
    expect(await fetchAll(who, '/v1/tax/issues?status=open')).toEqual([]);
  }
  await later.request('DELETE', `/v1/imports/${id}`);
  expect(await fetchBookContent(later)).toBe(before);
});

test('the second page of the 1099 check continues the first, and only the requested entries are listed', async () => {
  const who = await app.register('PRO');
  for (const file of [history, original, corrected]) await importCsv(who, file);
  const all = await fetchAll<{ id: string }>(who, '/v1/tax/forms?year=2026', 1);
  expect(new Set(all.map(({ id }) => id)).size).toBe(2);
  expect(await fetchAll(who, '/v1/tax/forms?year=2026&show=questions')).toEqual([]);
  expect((await who.request('GET', '/v1/tax/forms')).status).toBe(422);
  expect(await who.json('GET', '/v1/tax/forms?year=2019')).toMatchObject({
    year: 2019,
    forms: [],
    data: [],
    hasMore: false,
  });
});

test('an account marked as a payment processor needs no form for up to $600 a year', async () => {
  const who = await app.register('PRO');
  const paid = '2026-01-02,buy,Exchange,LTC,1,100,,,,crypto,p1\n2026-05-02,spend,Exchange,LTC,1,600,,,,crypto,p2\n';
  for (const file of [history, corrected, `${header}\n${paid}`]) await importCsv(who, file);
  const found = async () => {
    const entries = await fetchAll<{ asset: string; kind: string; detail: string }>(who, '/v1/tax/forms?year=2026');
    return entries.find(({ asset }) => asset === 'LTC');
  };
  expect((await found())?.kind).toBe('not_on_form');
  await elect(who, { accounts: { Exchange: { type: 'taxable', paymentProcessor: true } } });
  const entry = await found();
  expect(entry?.kind).toBe('not_expected');
  expect(JSON.stringify(entry)).toContain('Without a form they are in box I or L.');
});
