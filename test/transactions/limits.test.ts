import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { limits } from '../../src/base/limits.ts';
import { silentLog } from '../../src/deps.ts';
import { memberOf } from '../../src/formats/lotbook-columns.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv, csvOf as lotbookOf } from '../support/books.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

/**
 * Imports, enters and edits rows of every type at and beyond the limits of accepted values. The server must never fail,
 * every list, report and response must work, and stored rows must be removable.
 */
const seed = seedFor('rows at the limits');
const numRuns = draws(1, 10);

let app: TestApp;
const failures: string[] = [];
beforeAll(async () => {
  const log = { ...silentLog, error: (message: string, error: unknown) => void failures.push(`${message}: ${error}`) };
  app = await testApp({ log });
});
afterAll(() => app.close());

type Cells = Record<string, string>;

const fixture = Papa.parse<Cells>(
  readFileSync(join(import.meta.dir, '../fixtures/formats/lotbook.csv'), 'utf8').trim(),
  { header: true },
).data;
const columns = Object.keys(fixture[0] ?? {});

const nines = (count: number): string => '9'.repeat(count);
const mostMoney = `${nines(limits.moneyDigits)}.99999999`;
const mostUnits = `${nines(limits.quantityDigits)}.${nines(18)}`;
const mostRatio = `1${'0'.repeat(limits.ratioDigits)}`;

/** Cells of each kind within the limits, and just beyond them. */
const extremes: Readonly<Record<string, { readonly within: readonly string[]; readonly beyond: readonly string[] }>> = {
  money: { within: [mostMoney, `-${mostMoney}`, '0', '0.00000001', '0.005', '1'], beyond: [`1${mostMoney}`, '1e15'] },
  basis: { within: [mostMoney, '0', '0.00000001'], beyond: [`1${mostMoney}`, '1e15'] },
  units: { within: [mostUnits, '1', '0.000000000000000001', '0.3'], beyond: [`1${mostUnits}`, '1e20', nines(310)] },
  ratio: {
    within: [`${mostRatio}:1`, `1:${mostRatio}`, '0.000000000001', '7:3', '0.1'],
    beyond: [`${mostRatio}0:1`, `1:${mostRatio}0`, '0.0000000000001'],
  },
  day: { within: ['1900-01-01', '2100-12-31', '2023-06-15'], beyond: ['1899-12-31', '2101-01-01'] },
  time: {
    within: ['1900-01-02T00:00:00Z', '2100-12-30T23:59:59.999999Z', '2023-06-15 12:00:00', '2023-12-31T23:59:59-11:00'],
    beyond: ['1900-01-01T00:00:00Z', '2100-12-31T23:00:00-12:00', '1899-12-31T23:00:00-12:00'],
  },
  name: { within: ['N'.repeat(limits.nameCharacters), 'ACME', 'SOL'], beyond: ['N'.repeat(limits.nameCharacters + 1)] },
  note: { within: ['n'.repeat(limits.noteCharacters), '=1+1'], beyond: ['n'.repeat(limits.noteCharacters + 1)] },
  lots: {
    within: [Array.from({ length: limits.lotsOfRow }, (_, at) => `b${at}:1`).join(';'), `b1:${mostUnits}`],
    beyond: [Array.from({ length: limits.lotsOfRow + 1 }, (_, at) => `b${at}:1`).join(';'), `b1:1${mostUnits}`],
  },
  currency: { within: ['EUR', 'JPY', 'USD'], beyond: ['EURO'] },
};

const kindOf: Readonly<Record<string, keyof typeof extremes>> = {
  ...{ amount: 'money', fee: 'money', fee_own: 'money', basis: 'basis', fmv: 'basis', wash: 'basis' },
  ...{ quantity: 'units', received_quantity: 'units', fee_quantity: 'units', shares: 'units', ratio: 'ratio' },
  ...{ acquired: 'day', date: 'day', identified_at: 'time', lots: 'lots', note: 'note', currency: 'currency' },
  ...{ account: 'name', to_account: 'name', asset: 'name', received_asset: 'name', id: 'name' },
};

interface Spoilt {
  readonly cells: Cells;
  readonly isBeyond: boolean;
}

/** A row from the fixture with some cells at the limits, and sometimes one beyond. */
const spoilt: fc.Arbitrary<Spoilt> = fc
  .record({
    row: fc.nat(fixture.length - 1),
    changes: fc.array(fc.record({ column: fc.nat(), pick: fc.nat() }), { minLength: 1, maxLength: 4 }),
    isBeyond: fc.nat(7).map((drawn) => drawn === 0),
  })
  .map(({ row, changes, isBeyond }) => {
    const cells = { ...fixture[row] };
    const stated = columns.filter((column) => kindOf[column] !== undefined && cells[column] !== '');
    // Mostly changes fields that the row has, so that most rows are accepted.
    changes.forEach(({ column, pick }, at) => {
      const name = stated[column % stated.length] ?? 'amount';
      const kind = name === 'date' && pick % 2 === 0 ? 'time' : (kindOf[name] ?? 'money');
      const { within, beyond } = extremes[kind] ?? { within: [''], beyond: [''] };
      const values = isBeyond && at === changes.length - 1 ? beyond : within;
      cells[name] = values[pick % values.length] ?? '';
    });
    return { cells, isBeyond };
  });

function csvOf(rows: readonly Spoilt[]): string {
  return Papa.unparse({ fields: columns, data: rows.map(({ cells }) => columns.map((column) => cells[column] ?? '')) });
}

function membersOf(cells: Cells): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap((column) => (cells[column] === '' ? [] : [[memberOf(column), cells[column] ?? '']])),
  );
}

/** Sends a request, and throws if the server fails. */
async function ask(client: TestClient, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await client.request(method, path, body === undefined ? {} : { body });
  if (response.status >= 500) {
    const said = `${method} ${path} ${JSON.stringify(body ?? null).slice(0, 600)}`;
    throw new Error(`${said}: ${response.status} ${(await response.text()).slice(0, 300)} ${failures.join('\n')}`);
  }
  return response;
}

const formats = reportFormats.map(({ id }) => id);
const questions = [
  'How much did I gain in 2023?',
  'What are my largest losses?',
  'Which lots of ACME do I hold?',
  'What did I earn in 2023?',
  'What if I sold 99999999999999999999 ACME at 99999999999999999999?',
  'What should I sell to harvest losses?',
  'What issues are open?',
];

/** Reads everything: lists, summaries, explanations, reports in all file formats, plans and the assistant. */
async function readAll(client: TestClient): Promise<void> {
  for (const list of ['transactions', 'imports', 'prices', 'notifications', 'tax/years', 'tax/lots', 'tax/issues']) {
    expect((await ask(client, 'GET', `/v1/${list}?limit=1000`)).status).toBe(200);
  }
  expect((await ask(client, 'GET', '/v1/transactions/export')).status).toBe(200);
  for (const list of [
    'tax/accounts',
    'tax/assets',
    'tax/holdings',
    'balances',
    'imports/rejects',
    'transactions/edits',
    'status',
  ]) {
    expect([list, (await ask(client, 'GET', `/v1/${list}`)).status]).toEqual([list, 200]);
  }
  expect((await ask(client, 'GET', '/v1/prices/needed')).status).toBe(200);
  expect((await ask(client, 'GET', '/v1/tax/gains?by=asset')).status).toBe(200);
  await ask(client, 'GET', '/v1/tax/allocation?rule=fifo');
  await ask(client, 'GET', '/v1/tax/lots?limit=1000&asOf=2023-12-31');
  await ask(client, 'GET', '/v1/tax/harvest?limit=1000');
  const years = (await fetchAll<{ year: number }>(client, '/v1/tax/years')).map(({ year }) => year);
  for (const year of years) {
    expect((await ask(client, 'GET', `/v1/tax/summary?year=${year}`)).status).toBe(200);
    expect((await ask(client, 'GET', `/v1/tax/disposals?year=${year}&limit=1000`)).status).toBe(200);
    expect((await ask(client, 'GET', `/v1/tax/forms?year=${year}`)).status).toBe(200);
    expect((await ask(client, 'GET', `/v1/tax/opportunity-funds?year=${year}`)).status).toBe(200);
  }
  expect((await ask(client, 'POST', '/v1/tax/calculate', {})).status).toBe(200);
  for (const year of [2023, 2100].filter((one) => years.includes(one))) await readReport(client, year);
  for (const content of questions) await ask(client, 'POST', '/v1/ai/messages', { content });
}

async function readReport(client: TestClient, year: number): Promise<void> {
  const lines = await fetchAll<{ id: string }>(client, `/v1/tax/disposals?year=${year}`);
  for (const { id } of lines.slice(0, 10)) {
    expect((await ask(client, 'GET', `/v1/tax/disposals/${encodeURIComponent(id)}/explain`)).status).toBe(200);
  }
  const created = await ask(client, 'POST', '/v1/tax/reports', { year });
  expect(created.ok).toBe(true);
  const { id } = (await created.json()) as { id: string };
  await ask(client, 'GET', `/v1/tax/reports/${id}/warnings`);
  for (const format of formats) {
    const response = await ask(client, 'GET', `/v1/tax/reports/${id}/download?format=${format}`);
    await response.bytes();
  }
}

async function plan(client: TestClient): Promise<void> {
  const lots = await fetchAll<{ asset: string; account: string; quantity: string }>(client, '/v1/tax/lots');
  for (const { asset, account, quantity } of lots.slice(0, 4)) {
    for (const price of ['99999999999999999999', '0.000000000000000001', '1']) {
      const sale = { asset, account, date: '2024-05-05', price };
      await ask(client, 'POST', '/v1/tax/what-if', { sales: [{ ...sale, quantity }] });
      await ask(client, 'POST', '/v1/tax/what-if', { sales: [{ ...sale, quantity: '0.000000000000000001' }] });
    }
  }
  const days = ['1900-01-01', '2023-06-15', '2100-12-31'];
  const prices = ['EUR', 'JPY', 'SOL', 'JUP', 'ETH'].flatMap((asset, at) =>
    days.map((day) => [day, asset, at] as const),
  );
  const values = [nines(20), '0.000000000000000001', '1', `1${nines(20)}`, '0'];
  const lines = prices.map(([day, asset, at]) => `${day},${asset},${values[at % values.length]}`);
  const headers = { 'content-type': 'text/csv' };
  const response = await client.request('POST', '/v1/prices', {
    body: `date,asset,usd\n${lines.join('\n')}\n`,
    headers,
  });
  expect(response.status).toBeLessThan(500);
}

async function answerIssues(client: TestClient): Promise<void> {
  const issues = await fetchAll<{ id: string; proposals: { action: string }[] }>(client, '/v1/tax/issues');
  const amounts = [mostMoney, '0', '0.00000001', `1${mostMoney}`, 'x'];
  for (const [at, { id, proposals }] of issues.slice(0, 25).entries()) {
    const [amount = ''] = amounts.slice(at % amounts.length);
    const body = {
      action: proposals[0]?.action ?? 'accept',
      basis: amount,
      amount,
      fee: amount,
      acquired: '1900-01-01',
    };
    await ask(client, 'POST', `/v1/tax/issues/${encodeURIComponent(id)}/resolve`, body);
    await ask(client, 'POST', `/v1/tax/issues/${encodeURIComponent(id)}/resolve`, {
      action: body.action,
      basis: amount,
    });
  }
}

test('an import, answers, prices and elections can all be read and undone', async () => {
  const property = fc.asyncProperty(fc.array(spoilt, { minLength: 100, maxLength: 120 }), async (rows) => {
    const client = await app.register('PRO');
    const { id, rejected, rows: count } = await importCsv(client, csvOf(rows));
    expect(count).toBe(rows.length);
    expect(rejected).toBeGreaterThanOrEqual(rows.filter(({ isBeyond }) => isBeyond).length);
    await readAll(client);
    await plan(client);
    await answerIssues(client);
    await ask(client, 'PATCH', '/v1/tax/settings', { method: 'HIFO', taxableIncome: { 2023: nines(15) } });
    await ask(client, 'PATCH', '/v1/account', { timeZone: 'Pacific/Kiritimati' });
    await readAll(client);
    await ask(client, 'PATCH', '/v1/account', { timeZone: 'America/New_York' });
    expect((await ask(client, 'DELETE', `/v1/imports/${id}`)).ok).toBe(true);
    for (const left of await fetchAll<{ id: string }>(client, '/v1/transactions')) {
      expect((await ask(client, 'DELETE', `/v1/transactions/${left.id}`)).ok).toBe(true);
    }
    expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
    await readAll(client);
  });
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  expect(failures).toEqual([]);
});

test('manual rows are stored, or refused with the field named, and can be edited and deleted', async () => {
  const property = fc.asyncProperty(fc.array(spoilt, { minLength: 40, maxLength: 50 }), spoilt, async (rows, other) => {
    const client = await app.register('PRO');
    for (const { cells, isBeyond } of rows) {
      const response = await ask(client, 'POST', '/v1/transactions', membersOf(cells));
      if (isBeyond) expect([response.status, membersOf(cells)]).toEqual([422, expect.anything()]);
    }
    const stored = await fetchAll<{ id: string; type: string }>(client, '/v1/transactions');
    expect(stored.length).toBeGreaterThan(5);
    for (const { id } of stored.slice(0, 10)) {
      const { type: _type, date: _date, ...members } = membersOf(other.cells);
      await ask(client, 'PATCH', `/v1/transactions/${id}`, members);
      expect((await ask(client, 'GET', `/v1/transactions/${id}`)).status).toBe(200);
    }
    await readAll(client);
    for (const { id } of stored) expect((await ask(client, 'DELETE', `/v1/transactions/${id}`)).ok).toBe(true);
    expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
  expect(failures).toEqual([]);
});

test('the row from the bug report, with an amount above the limit, is refused with line, column and reason', async () => {
  const client = await app.register();
  const header = 'date,type,account,asset,quantity,amount';
  const sale = `2024-01-02,sell,Home,ACME,1,${nines(20)}.99999999`;
  const { id, rejected } = await importCsv(client, `${header}\n2024-01-01,buy,Home,ACME,1,${mostMoney}\n${sale}\n`);
  expect(rejected).toBe(1);
  const rejects = await (await client.request('GET', `/v1/imports/${id}/rejects`)).text();
  const [reject] = Papa.parse<Cells>(rejects.trim(), { header: true }).data;
  expect(reject).toMatchObject({ line: '3', column: 'amount' });
  expect(reject?.reason).toContain('at most 15 digits');
  await readAll(client);
});

test('rows stored before the limits can still be read, calculated, edited, deleted and undone', async () => {
  const client = await app.register('PRO');
  const rows = ['buy 2023-01-02 3 ACME @30 #b1', 'sell 2023-05-02 1 ACME @20 #s1', 'dividend 2023-06-02 - ACME @5 #d1'];
  const { id } = await importCsv(client, lotbookOf(...rows));
  await app.books.asOwner(async (sql) => {
    // Citus accepts one statement at a time.
    await sql`alter table transactions no force row level security`;
    await sql.unsafe(`
      update transactions set amount = ${nines(40)}.99999999, fee = ${nines(38)}
      where taxpayer_id = (select taxpayer_id from imports where id = '${id}')`);
    await sql`alter table transactions force row level security`;
  });
  expect((await ask(client, 'POST', '/v1/tax/calculate', {})).status).toBe(200);
  // The summaries were stored before the rows changed.
  expect(failures.splice(0).every((one) => one.startsWith('stored summaries differ'))).toBe(true);
  await readAll(client);
  const [first, second] = await fetchAll<{ id: string }>(client, '/v1/transactions');
  expect((await ask(client, 'PATCH', `/v1/transactions/${first?.id}`, { amount: '30', fee: '0' })).status).toBe(200);
  expect((await ask(client, 'DELETE', `/v1/transactions/${second?.id}`)).ok).toBe(true);
  await readAll(client);
  expect((await ask(client, 'DELETE', `/v1/imports/${id}`)).ok).toBe(true);
  for (const left of await fetchAll<{ id: string }>(client, '/v1/transactions'))
    expect((await ask(client, 'DELETE', `/v1/transactions/${left.id}`)).ok).toBe(true);
  await readAll(client);
  expect(failures).toEqual([]);
});
