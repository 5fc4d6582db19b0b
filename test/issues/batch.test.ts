import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly asset: string;
  readonly account: string;
}
interface Resolved {
  readonly resolved: number;
  readonly ids: readonly string[];
  readonly preview?: { readonly years: readonly { readonly after: { readonly total: { readonly gain: string } } }[] };
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const open = (who: TestClient): Promise<Issue[]> => fetchAll<Issue>(who, '/v1/tax/issues?status=open');
const resolve = (who: TestClient, body: object, query = ''): Promise<Resolved> =>
  who.json('POST', `/v1/tax/issues/resolve${query}`, { body });
const refused = async (who: TestClient, body: object, status = 422): Promise<{ detail: string }> =>
  who.json('POST', '/v1/tax/issues/resolve', { body }, status);
const fetchGain = async (who: TestClient): Promise<string> =>
  (await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024')).total.gain;

const unexplained = csvOf(
  'sell 2024-01-05 3 A @300 #s1',
  'sell 2024-02-05 3 B @600 #s2',
  'sell 2024-03-05 3 A @900 #s3',
);

test('one answer resolves all issues of a kind, as a dry run or applied, and is undone as a whole', async () => {
  const who = await app.register();
  await importCsv(who, unexplained);
  const before = await fetchBookContent(who);
  const answer = { action: 'basis', basis: '100', acquired: '2023-01-01', note: 'About as much each' };
  const filter = { kind: 'oversold' };
  const tried = await resolve(who, { filter, ...answer }, '?dryRun=true');
  expect(tried).toMatchObject({ resolved: 3, preview: { years: [{ after: { total: { gain: '1500.00' } } }] } });
  expect(await fetchBookContent(who)).toBe(before);
  const { ids } = await resolve(who, { filter, ...answer });
  expect(await open(who)).toEqual([]);
  expect(await fetchGain(who)).toBe('1500.00');
  await who.json('POST', '/v1/tax/issues/reopen', { body: { ids } });
  expect((await open(who)).length).toBe(3);
  expect(await fetchBookContent(who)).toBe(before);
});

test('a filter limits which issues get the answer, and so does a list of issues', async () => {
  const who = await app.register();
  await importCsv(who, unexplained);
  const note = { action: 'accept', note: 'Small' };
  expect(await resolve(who, { filter: { kind: 'oversold', asset: 'B' }, ...note })).toMatchObject({ resolved: 1 });
  const [first] = await open(who);
  expect(await resolve(who, { ids: [first?.id], ...note })).toEqual({ resolved: 1, ids: [first?.id ?? ''] });
  expect((await open(who)).length).toBe(1);
  expect(await resolve(who, { filter: { kind: 'oversold', year: 2020 }, ...note })).toEqual({ resolved: 0, ids: [] });
});

test('each leg is paired once, with its only counterpart', async () => {
  const who = await app.register();
  const coins = 'date,type,account,asset,quantity,amount,asset_class\n';
  const legs = ['A,2025-02-01,1', 'B,2025-05-01,0.5'].flatMap((leg) => {
    const [account, day, quantity] = leg.split(',');
    const later = day?.replace(/01$/, '20');
    return [`${day},withdrawal,${account},BTC,${quantity},,crypto`, `${later},deposit,Cold,BTC,${quantity},,crypto`];
  });
  const bought = ['2025-01-02,buy,A,BTC,1,30000,crypto', '2025-01-02,buy,B,BTC,0.5,15000,crypto'];
  await importCsv(who, `${coins}${[...bought, ...legs].join('\n')}\n`);
  expect((await open(who)).map(({ kind }) => kind)).toEqual(Array(4).fill('transfer_unpaired'));
  expect(await resolve(who, { filter: { kind: 'transfer_unpaired' }, action: 'pair' })).toMatchObject({ resolved: 2 });
  expect(await open(who)).toEqual([]);
});

test('the whole batch is refused if an issue does not accept the answer, does not exist, or is of another kind', async () => {
  const who = await app.register();
  await importCsv(who, `${unexplained}2024-04-01,gift_in,Broker,G,2,,,g1\n`);
  const before = await fetchBookContent(who);
  const issues = await open(who);
  const idOf = (asset: string) => issues.find((one) => one.asset === asset)?.id;
  const late = { action: 'basis', basis: '100', acquired: '2024-02-01' };
  expect((await refused(who, { filter: { kind: 'oversold' }, ...late })).detail).toStartWith('A, 2024-01-05, Broker: ');
  expect((await refused(who, { ids: [idOf('A'), idOf('G')], action: 'accept', note: 'x' })).detail).toContain('kinds');
  await refused(who, { ids: [idOf('A')], filter: { kind: 'oversold' }, action: 'accept', note: 'x' });
  await refused(who, { ids: [idOf('A'), 'bm9ib2R5'], action: 'accept', note: 'x' }, 404);
  expect(await fetchBookContent(who)).toBe(before);
  expect((await open(who)).length).toBe(issues.length);
});
