import { afterAll, beforeAll, expect, test } from 'bun:test';
import { formats } from '../../src/formats/index.ts';
import { formsByFormat } from '../../src/formats/information-returns.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,acquired,basis,box,asset_class\n';
const own = `${header}2024-03-05,buy,Schwab,KO,10,500,,,,stock\n2024-06-04,sell,Schwab,KO,10,600,,,,stock\n`;
const schwab = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"06/03/2024","Sell","IBM","IBM INC","10","$150","","$1500.00"
"03/04/2024","Buy","IBM","IBM INC","10","$140","","-$1400.00"
`;
const line = `${header}2024-07-01,reported_sale,Schwab,XOM,5,750,2024-03-04,700,B,stock\n`;

/** Returns the asset and the box of each line. A full calculation must give the same result and evidence. */
async function fetchBoxes(client: TestClient): Promise<string[]> {
  const fetchRevision = async () =>
    (await client.json<{ revision: string }>('GET', '/v1/tax/summary?year=2024')).revision;
  const revision = await fetchRevision();
  expect(await client.json('POST', '/v1/tax/calculate', { body: {} })).toMatchObject({ differences: [] });
  expect(await fetchRevision()).toBe(revision);
  const { data } = await client.json<{ data: { asset: string; box: string }[] }>('GET', '/v1/tax/disposals');
  return data.map(({ asset, box }) => `${asset} ${box}`).sort();
}

test('the sources of an account determine its form, in any order of imports and undos', async () => {
  for (const files of [
    [own, schwab],
    [schwab, own],
  ]) {
    const client = await app.register('PRO');
    for (const file of files) await importCsv(client, file);
    expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO A']);
  }
  const client = await app.register('PRO');
  await importCsv(client, own);
  expect(await fetchBoxes(client)).toEqual(['KO C']);
  const { revision } = await client.json<{ revision: string }>('GET', '/v1/tax/summary?year=2024');
  const { id } = await importCsv(client, schwab);
  expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO A']);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchBoxes(client)).toEqual(['KO C']);
  expect(await client.json('GET', '/v1/tax/summary?year=2024')).toMatchObject({ revision });
});

test('lines from a form determine the form of an account while they exist, imported or entered manually', async () => {
  const client = await app.register('PRO');
  await importCsv(client, own);
  const { id } = await importCsv(client, line);
  expect(await fetchBoxes(client)).toEqual(['KO A', 'XOM B']);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchBoxes(client)).toEqual(['KO C']);
  const row = { date: '2024-07-01', type: 'reported_sale', account: 'Schwab', asset: 'XOM', quantity: '5' };
  const body = { ...row, amount: '750', acquired: '2024-03-04', basis: '700', box: 'B', assetClass: 'stock' };
  const added = await client.json<{ id: string }>('POST', '/v1/transactions', { body }, 201);
  expect(await fetchBoxes(client)).toEqual(['KO A', 'XOM B']);
  await client.json('PATCH', `/v1/transactions/${added.id}`, { body: { box: 'C' } });
  expect(await fetchBoxes(client)).toEqual(['KO C', 'XOM C']);
  await client.json('DELETE', `/v1/transactions/${added.id}`);
  expect(await fetchBoxes(client)).toEqual(['KO C']);
});

test('a row that moves to another account takes its source along', async () => {
  const client = await app.register('PRO');
  await importCsv(client, schwab);
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/transactions');
  for (const { id } of data) await client.json('PATCH', `/v1/transactions/${id}`, { body: { account: 'Joint' } });
  await importCsv(client, own);
  expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO C']);
  // The file still names the old account, and adds no source.
  expect(await importCsv(client, `\n${schwab}`)).toMatchObject({ imported: 0, duplicates: 2 });
  expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO C']);
});

test('changes outside of the rows keep the evidence, and each removed row removes its own evidence', async () => {
  const client = await app.register('PRO');
  await importCsv(client, own);
  await importCsv(client, `${header}2024-05-01,staking,Wallet,ETH,1,,,,,crypto\n`);
  const { id } = await importCsv(client, schwab);
  const change = async (method: string, path: string, body: object) => {
    await client.json(method, path, { body });
    expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO A']);
  };
  await client.json('POST', '/v1/prices', {
    body: 'date,asset,usd\n2024-05-01,ETH,3000\n',
    headers: { 'content-type': 'text/csv' },
  });
  expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO A']);
  await change('PATCH', '/v1/tax/settings', { method: 'HIFO' });
  await change('PATCH', '/v1/account', { timeZone: 'America/New_York' });
  const { data } = await client.json<{ data: { id: string; asset: string }[] }>('GET', '/v1/transactions');
  const [first, second] = data.filter(({ asset }) => asset === 'IBM');
  await change('PATCH', `/v1/transactions/${first?.id}`, { note: 'Looked at' });
  await client.json('DELETE', `/v1/transactions/${first?.id}`);
  expect(await fetchBoxes(client)).toContain('KO A');
  await client.json('DELETE', `/v1/transactions/${second?.id}`);
  expect(await fetchBoxes(client)).toEqual(['KO C']);
  await importCsv(client, `\n${schwab}`);
  expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO A']);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await fetchBoxes(client)).toEqual(['IBM A', 'KO A']);
});

test('a file that contains only stored rows is a source of those rows', async () => {
  const client = await app.register('PRO');
  await importCsv(client, schwab);
  const again = await importCsv(client, `\n${schwab}`);
  expect(again).toMatchObject({ imported: 0, duplicates: 2 });
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/imports');
  await client.json('DELETE', `/v1/imports/${data.at(-1)?.id}`);
  expect(await fetchBoxes(client)).toEqual(['IBM A']);
});

test('the settings of the account take precedence, and inferred values are not settings', async () => {
  const client = await app.register('PRO');
  await importCsv(client, schwab);
  const body = { accounts: { Schwab: { type: 'taxable', form: 'none' } } };
  await client.json('PATCH', '/v1/tax/settings', { body });
  expect(await fetchBoxes(client)).toEqual(['IBM C']);
  expect(Object.keys(await client.json('GET', '/v1/tax/settings'))).not.toContain('evidence');
  await client.json('PATCH', '/v1/tax/settings', { body: { evidence: {} } }, 422);
  await client.json('PATCH', '/v1/tax/settings', { body: { accounts: null } });
  expect(await fetchBoxes(client)).toEqual(['IBM A']);
});

test('the explanation of the box names its evidence', async () => {
  const client = await app.register('PRO');
  await importCsv(client, schwab);
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/tax/disposals');
  const text = async () => JSON.stringify(await client.json('GET', `/v1/tax/disposals/${data[0]?.id}/explain`));
  expect(await text()).toContain('come from an export of a broker or exchange that issues this form');
  const body = { accounts: { Schwab: { type: 'taxable', form: '1099-B' } } };
  await client.json('PATCH', '/v1/tax/settings', { body });
  expect(await text()).toContain('This comes from the account settings.');
});

test('reports ask for the form of an account with a single notification, and with a warning until it is set', async () => {
  const client = await app.register('PRO');
  await importCsv(client, schwab);
  const asked = async () => {
    const { data } = await client.json<{ data: { kind: string; title: string }[] }>('GET', '/v1/notifications');
    return data.flatMap(({ kind, title }) => (kind === 'confirm_form' ? [title] : []));
  };
  const warned = async () => {
    const { id } = await client.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2024 } }, 201);
    const { warnings } = await client.json<{ warnings: string[] }>('GET', `/v1/tax/reports/${id}/warnings`);
    return warnings.filter((text) => text.startsWith('The boxes of Schwab are assumed'));
  };
  expect(await asked()).toEqual([]);
  expect(await warned()).toHaveLength(1);
  await importCsv(client, own);
  expect(await warned()).toHaveLength(1);
  expect(await asked()).toEqual(['Confirm the tax form of Schwab']);
  const body = { accounts: { Schwab: { type: 'taxable', form: '1099-B' } } };
  await client.json('PATCH', '/v1/tax/settings', { body });
  expect(await warned()).toEqual([]);
});

interface AssumedMember {
  readonly account: string;
  readonly boxes: readonly string[];
  readonly form: string;
  readonly suggestedForm: string | null;
  readonly because: string | null;
}

test('the summary lists each account whose form is assumed, until the form is set, and suggests a form from its name', async () => {
  const client = await app.register('PRO');
  await importCsv(client, own);
  const club = `2024-05-02,buy,Club,KO,5,250,,,,stock\n2024-08-05,sell,Club,KO,5,300,,,,stock\n`;
  await importCsv(client, header + club);
  const assumed = async (year = 2024) => {
    const { assumedForms } = await client.json<{ assumedForms: AssumedMember[] }>(
      'GET',
      `/v1/tax/summary?year=${year}`,
    );
    return assumedForms.map(({ account, boxes, form, suggestedForm, because }) =>
      [account, boxes.join(''), form, suggestedForm, because].join(' '),
    );
  };
  expect(await assumed()).toEqual(['Club C none  ', 'Schwab C none 1099-B name']);
  expect(await assumed(2023)).toEqual([]);
  expect(await fetchBoxes(client)).toEqual(['KO C', 'KO C']);
  const { data } = await client.json<{ data: object[] }>('GET', '/v1/tax/accounts');
  expect(data).toMatchObject([
    { account: 'Club', suggested: { form: null, because: null } },
    { account: 'Schwab', suggested: { form: '1099-B', because: 'name' } },
  ]);
  const state = (account: string, form: string) =>
    client.json('PATCH', '/v1/tax/settings', { body: { accounts: { [account]: { type: 'taxable', form } } } });
  await state('Club', 'none');
  expect(await assumed()).toEqual(['Schwab C none 1099-B name']);
  await state('Schwab', '1099-B');
  expect(await assumed()).toEqual([]);
  expect(await fetchBoxes(client)).toEqual(['KO A', 'KO C']);
  await client.json('PATCH', '/v1/tax/settings', { body: { accounts: { Schwab: { form: null } } } });
  expect(await assumed()).toEqual(['Schwab C none 1099-B name']);
  const { id } = await importCsv(client, schwab);
  expect(await assumed()).toEqual(['Schwab A 1099-B 1099-B source']);
  await client.json('DELETE', `/v1/imports/${id}`);
  expect(await assumed()).toEqual(['Schwab C none 1099-B name']);
});

test('a report notifies about an account whose name suggests a form, but not about one without a suggestion', async () => {
  const client = await app.register('PRO');
  await importCsv(client, own + own.slice(header.length).replaceAll('Schwab', 'Club'));
  const { id } = await client.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2024 } }, 201);
  const { warnings } = await client.json<{ warnings: string[] }>('GET', `/v1/tax/reports/${id}/warnings`);
  expect(warnings.filter((text) => text.startsWith('The boxes of'))).toHaveLength(2);
  const { data } = await client.json<{ data: { kind: string; title: string }[] }>('GET', '/v1/notifications');
  const titles = data.flatMap(({ kind, title }) => (kind === 'confirm_form' ? [title] : []));
  expect(titles).toEqual(['Confirm the tax form of Schwab']);
});

test('every source in the table is a format', () => {
  const known = new Set(formats.map(({ id }) => id));
  expect([...formsByFormat.keys()].filter((id) => !known.has(id))).toEqual([]);
});
