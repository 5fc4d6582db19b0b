import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { csvOf, fetchBookContent, importCsv, type ListResponse } from '../support/books.ts';

interface Tried {
  readonly status: string;
  readonly method?: string;
  readonly preview?: { years: { year: number; before: Figures | null; after: Figures | null }[] };
}
interface Figures {
  readonly total: { readonly gain: string };
  readonly deductible: string;
  readonly issues: number;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const rows = csvOf('buy 2024-01-02 1 X @100 #b1', 'buy 2024-02-02 1 X @300 #b2', 'sell 2024-05-02 3 X @900 #s1');

describe('an answer as a dry run', () => {
  test('shows the year before and after the answer and stores nothing, and applying the answer has the same result', async () => {
    const who = await app.register();
    await importCsv(who, rows);
    const [issue] = (await who.json<ListResponse<{ id: string }>>('GET', '/v1/tax/issues')).data;
    const before = await fetchBookContent(who);
    const answer = { action: 'basis', basis: '250', acquired: '2023-01-01', note: 'Statement of 2023' };
    const path = `/v1/tax/issues/${issue?.id}/resolve`;
    const tried = await who.json<Tried>('POST', `${path}?dryRun=true`, { body: answer });
    expect(tried.status).toBe('resolved');
    expect(
      tried.preview?.years.map(({ year, before, after }) => [year, before?.total.gain, after?.total.gain]),
    ).toEqual([[2024, '500.00', '250.00']]);
    expect(tried.preview?.years[0]).toMatchObject({ before: { issues: 1 }, after: { issues: 0 } });
    expect(await fetchBookContent(who)).toBe(before);
    expect(await who.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 3 } });
    const resolved = await who.json<Tried>('POST', path, { body: answer });
    expect(resolved.preview).toBeUndefined();
    expect(await who.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '250.00' } });
  });

  test('is refused for the same reasons as when it is applied, and stores nothing either', async () => {
    const who = await app.register();
    await importCsv(who, rows);
    const [issue] = (await who.json<ListResponse<{ id: string }>>('GET', '/v1/tax/issues')).data;
    const before = await fetchBookContent(who);
    const response = await who.request('POST', `/v1/tax/issues/${issue?.id}/resolve?dryRun=true`, {
      body: { action: 'pair' },
    });
    expect(response.status).toBe(422);
    expect(await fetchBookContent(who)).toBe(before);
  });

  test('is never refused because of a plan limit, and neither is the applied answer', async () => {
    const who = await app.register('FREE');
    const buys = Array.from({ length: 49 }, (_, at) => `buy 2024-01-02 1 Y @${at + 1} #y${at}`);
    await importCsv(who, csvOf(...buys, 'sell 2024-05-02 1 X @900 #s1'));
    const [issue] = (await who.json<ListResponse<{ id: string }>>('GET', '/v1/tax/issues')).data;
    const body = { action: 'basis', basis: '250', acquired: '2023-01-01' };
    await who.json('POST', `/v1/tax/issues/${issue?.id}/resolve?dryRun=true`, { body }, 200);
    await who.json('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body }, 200);
    expect(await who.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 51, transactionLimit: 50 } });
    const refused = await who.request('POST', '/v1/transactions', {
      body: { date: '2024-06-01', type: 'buy', asset: 'Z', quantity: '1', amount: '1' },
    });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'plan_limit', used: 51, upgrade: { plan: 'PRO', limit: null } });
  });
});

describe('settings as a dry run', () => {
  test('show the effect of an election in dollars, and store nothing', async () => {
    const who = await app.register();
    await importCsv(
      who,
      csvOf('buy 2024-01-02 1 X @100 #b1', 'buy 2024-02-02 1 X @300 #b2', 'sell 2024-05-02 1 X @400 #s1'),
    );
    const before = await fetchBookContent(who);
    const tried = await who.json<Tried>('PATCH', '/v1/tax/settings?dryRun=true', { body: { method: 'HIFO' } });
    expect(tried.method).toBe('HIFO');
    expect(tried.preview?.years.map(({ before, after }) => [before?.total.gain, after?.total.gain])).toEqual([
      ['300.00', '100.00'],
    ]);
    expect(await fetchBookContent(who)).toBe(before);
    expect(await who.json('GET', '/v1/tax/settings')).toMatchObject({ method: 'FIFO' });
    const married = { filingStatus: 'mfs', carryover: { 2024: { short: '0', long: '4000' } } };
    const [year] =
      (await who.json<Tried>('PATCH', '/v1/tax/settings?dryRun=true', { body: married })).preview?.years ?? [];
    expect([year?.before?.deductible, year?.after?.deductible]).toEqual(['0.00', '1500.00']);
    await who.json('PATCH', '/v1/tax/settings', { body: { method: 'HIFO' } });
    expect(await who.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ total: { gain: '100.00' } });
  });
});

describe('an answer that changes a type, a price or the time zone', () => {
  test('shows the years as a dry run and stores nothing, for the books of a client as well', async () => {
    const who = await app.register('CPA');
    const { id: client } = await who.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Jo' } }, 201);
    const rows = csvOf(
      ...['buy 2024-01-02 2 BTC @200 #b1', 'withdrawal 2024-05-02 1 BTC #w1', 'spend 2024-06-03 1 BTC #p1'],
      ...['buy 2024-07-01T02:00:00Z 1 ETH @10 #y1', 'sell 2025-01-01T03:00:00Z 1 ETH @30 #y2'],
    );
    for (const books of ['', `?client=${client}`]) {
      await importCsv(who, rows, books);
      const dry = `${books === '' ? '?' : `${books}&`}dryRun=true`;
      const effect = async (path: string, method: 'PATCH' | 'POST', request: object) => {
        const response = await who.request(method, `${path}${dry}`, request);
        const { preview } = (await response.json()) as Tried;
        return preview?.years.map(({ year, before, after }) => [year, before?.total.gain, after?.total.gain]);
      };
      const { data } = await who.json<ListResponse<{ id: string; type: string }>>('GET', `/v1/transactions${books}`);
      const withdrawal = data.find(({ type }) => type === 'withdrawal')?.id;
      const sale = { body: { type: 'sell', amount: '350' } };
      expect(await effect(`/v1/transactions/${withdrawal}`, 'PATCH', sale)).toEqual([[2024, '-100.00', '150.00']]);
      const price = { body: 'date,asset,usd\n2024-06-03,BTC,500\n', headers: { 'content-type': 'text/csv' } };
      expect(await effect('/v1/prices', 'POST', price)).toEqual([[2024, '-100.00', '400.00']]);
      const zone = { body: { timeZone: 'America/New_York' } };
      const person = books === '' ? '/v1/account' : `/v1/clients/${client}`;
      const tried = await who.json<Tried>('PATCH', `${person}?dryRun=true`, zone);
      expect(tried.preview?.years.map(({ year, after }) => [year, after?.total.gain])).toEqual([
        [2024, '-80.00'],
        [2025, undefined],
      ]);
      expect(await who.json('GET', person)).toMatchObject({ timeZone: 'UTC' });
      expect((await who.json<ListResponse<unknown>>('GET', `/v1/prices${books}`)).data).toEqual([]);
      const [year] = (await who.json<ListResponse<object>>('GET', `/v1/tax/years${books}`)).data;
      expect(year).toMatchObject({ year: 2024, gain: '-100.00' });
    }
  });
});
