import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { elect, fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  await app.close();
});

const interest = {
  fund: 'QOF',
  account: 'Fund',
  invested: '2024-03-01',
  includedOn: null,
  term: 'long',
  deferred: '15000.00',
  included: null,
  quantity: '100',
  value: null,
  adjustment: null,
  basis: null,
};

test('rows of another asset that reach 2027 include a deferred gain, and undoing them removes it', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    'date,type,account,asset,quantity,amount,acquired,term,asset_class\n2024-03-01,defer_gain,Fund,QOF,100,15000,2024-02-01,long,stock\n',
  );
  const state = async () => {
    const lots = await fetchAll<{ asset: string; basis: string }>(client, '/v1/tax/lots');
    const lines = await fetchAll<{ code: string; gain: string }>(client, '/v1/tax/disposals');
    const { differences } = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {});
    return {
      basis: lots.find(({ asset }) => asset === 'QOF')?.basis,
      lines: lines.map(({ code, gain }) => `${code} ${gain}`).sort(),
      differences,
    };
  };
  const deferred = { basis: '0.00', lines: ['Y 15000.00', 'Z -15000.00'], differences: [] };
  expect(await state()).toEqual(deferred);
  const { id } = await importCsv(
    client,
    'date,type,account,asset,quantity,amount,asset_class\n2027-01-04,buy,Broker,XYZ,1,1,stock\n',
  );
  expect(await state()).toEqual({ ...deferred, basis: '15000.00' });
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await state()).toEqual(deferred);
  await importCsv(client, 'date,type,account,asset,fmv,asset_class\n2026-12-31,mark,Fund,QOF,9000,stock\n');
  const interests = (year: number) => fetchAll<object>(client, `/v1/tax/opportunity-funds?year=${year}`, 1);
  expect(await interests(2026)).toEqual([
    { ...interest, part: 'I' },
    {
      ...{ ...interest, part: 'III B', includedOn: '2026-12-31' },
      ...{ included: '9000.00', value: '9000.00', adjustment: '0.00' },
    },
    { ...interest, part: 'V', deferred: '0.00', basis: '9000.00' },
  ]);
  expect(await interests(2027)).toEqual([{ ...interest, part: 'V', deferred: '0.00', basis: '9000.00' }]);
  const list = (year: number) =>
    client.json<{ preview: string | null }>('GET', `/v1/tax/opportunity-funds?year=${year}`);
  expect((await list(2025)).preview).toBeNull();
  expect((await list(2026)).preview).toContain('Preview, not for filing');
  expect(await state()).toEqual({ basis: '9000.00', lines: ['Y 9000.00', 'Z -15000.00'], differences: [] });
});

test('rows of another asset include a gain invested in 2027 once they reach its sixth year', async () => {
  const client = await app.register('PRO');
  await elect(client, { assets: { QOF: { ruralFund: true } } });
  await importCsv(
    client,
    'date,type,account,asset,quantity,amount,acquired,term,asset_class\n2027-02-10,defer_gain,Fund,QOF,100,15000,2026-12-20,long,stock\n',
  );
  const state = async () => {
    const lots = await fetchAll<{ asset: string; basis: string }>(client, '/v1/tax/lots');
    const lines = await fetchAll<{ code: string; gain: string; sold: string }>(client, '/v1/tax/disposals');
    const { differences } = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {});
    const basis = lots.find(({ asset }) => asset === 'QOF')?.basis;
    return { basis, lines: lines.map(({ code, gain, sold }) => `${code} ${gain} ${sold}`).sort(), differences };
  };
  const lines = ['Y 10500.00 2032-02-10', 'Z -15000.00 2027-02-10'];
  expect(await state()).toEqual({ basis: '0.00', lines, differences: [] });
  const buy = (day: string) =>
    importCsv(client, `date,type,account,asset,quantity,amount,asset_class\n${day},buy,Broker,XYZ,1,1,stock\n`);
  await buy('2032-02-10');
  expect(await state()).toEqual({ basis: '0.00', lines, differences: [] });
  const { id } = await buy('2032-02-11');
  expect(await state()).toEqual({ basis: '15000.00', lines, differences: [] });
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await state()).toEqual({ basis: '0.00', lines, differences: [] });
});
