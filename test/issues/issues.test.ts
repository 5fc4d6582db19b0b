import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';

interface Issue {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly asset: string;
  readonly account: string;
  readonly detail: string;
  readonly dollars: string | null;
  readonly transactions: string[];
  readonly proposals: {
    action: string;
    detail: string;
    with?: string;
    quantity?: string;
    asset?: string;
    date?: string;
  }[];
  readonly resolution: { action: string; note: string } | null;
}
interface Line {
  readonly quantity: string;
  readonly basis: string;
  readonly acquired: string;
  readonly term: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const issues = (who: TestClient, query = ''): Promise<Issue[]> => fetchAll<Issue>(who, `/v1/tax/issues${query}`);
const lines = (who: TestClient): Promise<Line[]> => fetchAll<Line>(who, '/v1/tax/disposals');
const resolve = (who: TestClient, issue: Issue | undefined, body: object, status = 200): Promise<Issue> =>
  who.json<Issue>('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body }, status);
const reopen = async (who: TestClient, issue: Issue | undefined): Promise<number> =>
  (await who.request('DELETE', `/v1/tax/issues/${issue?.id}/resolution`)).status;
const fetchOpen = async (who: TestClient, year: number): Promise<number> =>
  (await who.json<{ issues: number }>('GET', `/v1/tax/summary?year=${year}`)).issues;
const agrees = async (who: TestClient): Promise<void> => {
  const { differences } = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', {
    body: { dryRun: true },
  });
  expect(differences).toEqual([]);
};

const coins = 'date,type,account,asset,quantity,amount,acquired,basis,asset_class\n';
const moved = `${coins}2025-01-02,buy,A,BTC,2,60000,,,crypto
2025-02-01,withdrawal,A,BTC,1,,,,crypto
2025-03-20,deposit,B,BTC,0.999,,,,crypto
2025-04-01,sell,B,BTC,0.5,45000,,,crypto
`;

describe('the worklist', () => {
  test('lists the issues in pages and by filter, the largest amount at stake first', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('sell 2025-01-05 3 NONE @300 #s1', 'sell 2024-01-05 3 MORE @900 #s2'));
    const found = await issues(who);
    expect(found.map(({ kind, status, asset, dollars }) => [kind, status, asset, dollars])).toEqual([
      ['oversold', 'open', 'MORE', '900.00'],
      ['oversold', 'open', 'NONE', '300.00'],
    ]);
    expect(found[0]?.proposals.map(({ action, quantity }) => [action, quantity])).toEqual([
      ['basis', '3'],
      ['accept', undefined],
    ]);
    expect((await fetchAll<Issue>(who, '/v1/tax/issues', 1)).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
    expect((await issues(who, '?year=2025')).map(({ asset }) => asset)).toEqual(['NONE']);
    expect(await issues(who, '?kind=value_missing')).toEqual([]);
    expect(await issues(who, '?status=accepted')).toEqual([]);
    const stranger = await app.register();
    expect(
      (await stranger.request('POST', `/v1/tax/issues/${found[0]?.id}/resolve`, { body: { action: 'accept' } })).status,
    ).toBe(404);
  });

  test('requests missing fields of an answer, and refuses an answer that does not fit', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('sell 2025-01-05 3 NONE @300 #s1'));
    const [issue] = await issues(who);
    const pointers = async (body: object): Promise<string[]> => {
      const response = await who.request('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body });
      expect(response.status).toBe(422);
      return ((await response.json()) as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    };
    expect(await pointers({ action: 'basis' })).toEqual(['/basis']);
    expect(await pointers({ action: 'basis', basis: '-1', acquired: '2024-01-01' })).toEqual(['/basis']);
    expect(await pointers({ action: 'basis', basis: '1' })).toEqual(['/acquired']);
    expect(await pointers({ action: 'basis', basis: '1', acquired: '2025-01-06' })).toEqual(['/acquired']);
    expect(await pointers({ action: 'basis', basis: '1', acquired: '2024-01-06', quantity: '1' })).toEqual(['']);
    expect(await pointers({ action: 'value', amount: '5' })).toEqual(['/action']);
    expect(await pointers({ action: 'pair', with: issue?.transactions[0] })).toEqual(['/action']);
    const basis = { action: 'basis', basis: '1', acquired: '2024-01-06' };
    for (const quantity of ['20', '0', 'three']) expect(await pointers({ ...basis, quantity })).toEqual(['/quantity']);
    expect(await pointers({ ...basis, with: 'x', amount: '2' })).toEqual(['/with', '/amount']);
    expect(await pointers({ action: 'accept', basis: '1' })).toEqual(['/basis']);
    expect((await issues(who)).map(({ status }) => status)).toEqual(['open']);
  });
});

describe('units sold without a lot', () => {
  test('get a lot from a basis and a date, and undoing the answer restores the books', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2025-01-02 1 GONE @100 #b1', 'sell 2025-01-05 3 GONE @900 #s1'));
    const before = await fetchBookContent(who);
    const [issue] = await issues(who);
    const answered = await resolve(who, issue, {
      action: 'basis',
      basis: '250',
      acquired: '2020-05-05',
      note: 'Old statement',
    });
    expect(answered).toMatchObject({
      status: 'resolved',
      resolution: { action: 'basis', note: 'Old statement', basis: '250', quantity: '2' },
    });
    expect((await lines(who)).map(({ quantity, basis, acquired, term }) => [quantity, basis, acquired, term])).toEqual([
      ['2', '250.00', '2020-05-05', 'long'],
      ['1', '100.00', '2025-01-02', 'short'],
    ]);
    expect(await fetchOpen(who, 2025)).toBe(0);
    await agrees(who);
    expect(
      (await who.request('POST', `/v1/tax/issues/${issue?.id}/resolve`, { body: { action: 'accept' } })).status,
    ).toBe(409);
    expect(await reopen(who, issue)).toBe(204);
    expect(await fetchBookContent(who)).toBe(before);
    expect(await reopen(who, issue)).toBe(404);
  });
});

describe('several shortfalls of one asset, account and day', () => {
  const fee = `${coins.trimEnd()},fee_asset,fee_quantity,price
2025-06-10,withdrawal,Kraken,LTC,0.9212,,,,crypto,LTC,0.002,100
`;
  const sales = `${coins}2025-06-10T10:00:00Z,sell,Kraken,LTC,3,300,,,crypto
2025-06-10T15:00:00Z,sell,Kraken,LTC,2,220,,,crypto
2025-06-11T09:00:00Z,sell,Kraken,LTC,1,120,,,crypto
`;
  test.each([
    ['a withdrawal, accepted, and its fee', fee, ['0.9212', '0.002'], true, '0.9232'],
    ['a withdrawal, open, and its fee', fee, ['0.9212', '0.002'], false, '0.9232'],
    ['two sales, the first accepted', sales, ['3', '2'], true, '5'],
    ['two sales, the first open', sales, ['3', '2'], false, '5'],
  ] as const)('one cost resolves %s', async (_name, file, [first, second], isAccepted, both) => {
    const who = await app.register();
    await importCsv(who, file);
    const oversold = async () =>
      (await issues(who, '?status=open&kind=oversold')).filter(({ status }) => status === 'open');
    const ofUnits = async (units: string) => (await oversold()).find(({ detail }) => detail.startsWith(`${units} LTC`));
    const earlier = await ofUnits(first);
    expect(earlier?.proposals[0]?.quantity).toBe(first);
    if (isAccepted) await resolve(who, earlier, { action: 'accept', note: 'Given away' });
    const later = await ofUnits(second);
    expect(later?.proposals[0]?.quantity).toBe(both);
    await resolve(who, later, { action: 'basis', basis: '100.00', acquired: '2020-01-15', quantity: both });
    expect(await ofUnits(first)).toBeUndefined();
    expect(await ofUnits(second)).toBeUndefined();
    await agrees(who);
  });
});

test.each(['merger', 'return_of_capital'])(
  'a %s of units that were not held is resolved by their cost and date',
  async (type) => {
    const who = await app.register();
    await importCsv(
      who,
      `date,type,account,asset,amount,asset_class\n2025-11-17,${type},Brokerage,LSEGY,1250.00,stock\n`,
    );
    const [issue] = await issues(who);
    expect([issue?.kind, issue?.dollars]).toEqual(['unreconciled', '1250.00']);
    expect(issue?.proposals.map(({ action, quantity }) => [action, quantity])).toEqual([
      ['basis', undefined],
      ['accept', undefined],
    ]);
    const cost = { action: 'basis', basis: '1000.00', acquired: '2020-01-15' };
    await resolve(who, issue, cost, 422);
    await resolve(who, issue, { ...cost, acquired: '2025-11-17', quantity: '10' }, 422);
    await resolve(who, issue, { ...cost, quantity: '10' });
    expect(await issues(who, '?status=open')).toEqual([]);
    const { total } = await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2025');
    expect(total.gain).toBe('250.00');
    await agrees(who);
  },
);

test.each([
  ['merger', '2:1', '', 'NEW 20'],
  ['spinoff', '1:5', '4', 'NEW 4'],
])('a %s of units that were not held gives new units after their cost is entered', async (type, ratio, units, held) => {
  const who = await app.register();
  const row = `2025-11-17,${type},Brokerage,OLD,NEW,${ratio},${units},stock`;
  await importCsv(who, `date,type,account,asset,received_asset,ratio,received_quantity,asset_class\n${row}\n`);
  const [issue] = await issues(who);
  expect(issue?.proposals.map(({ action }) => action)).toEqual(['basis', 'accept']);
  await resolve(who, issue, { action: 'basis', basis: '1000.00', acquired: '2020-01-15', quantity: '10' });
  expect(await issues(who, '?status=open')).toEqual([]);
  const lots = await fetchAll<{ asset: string; quantity: string }>(who, '/v1/tax/lots');
  expect(lots.map(({ asset, quantity }) => `${asset} ${quantity}`)).toContain(held);
  await agrees(who);
});

describe('a transfer whose legs are not paired', () => {
  test('can be paired manually: basis and date move along, and the missing units count as a network fee', async () => {
    const who = await app.register();
    await importCsv(who, moved);
    const found = await issues(who);
    expect(found.map(({ kind }) => kind).sort()).toEqual(['basis_missing', 'transfer_unpaired', 'transfer_unpaired']);
    const before = await fetchBookContent(who);
    const arrival = found.find(
      ({ kind, proposals }) => kind === 'transfer_unpaired' && proposals.some(({ action }) => action === 'basis'),
    );
    const pair = arrival?.proposals.find(({ action }) => action === 'pair');
    await resolve(who, arrival, { action: 'pair', with: pair?.with });
    const sold = (await lines(who)).find(({ quantity }) => quantity === '0.5');
    expect(sold).toMatchObject({ basis: '15000.00', acquired: '2025-01-02' });
    expect((await issues(who, '?status=open')).map(({ kind }) => kind)).toEqual(['value_missing']);
    await agrees(who);
    expect(await reopen(who, arrival)).toBe(204);
    expect(await fetchBookContent(who)).toBe(before);
  });

  test('stays paired when an import is undone and repeated, and its export gives the same books in another account', async () => {
    const who = await app.register();
    const [header, buy, left, came, sold] = moved.split('\n');
    const first = await importCsv(who, `${header}\n${buy}\n${left}\n`);
    const second = await importCsv(who, `${header}\n${came}\n${sold}\n`);
    const arrival = (await issues(who)).find(({ proposals }) => proposals.some(({ action }) => action === 'pair'));
    await resolve(who, arrival, { action: 'pair', with: arrival?.proposals[0]?.with });
    const paired = await fetchBookContent(who);
    for (const [id, rows] of [
      [second.id, `${header}\n${came}\n${sold}\n`],
      [first.id, `${header}\n${buy}\n${left}\n`],
    ] as const) {
      await who.request('DELETE', `/v1/imports/${id}`);
      await agrees(who);
      await importCsv(who, rows);
      await agrees(who);
      expect(await fetchBookContent(who)).toBe(paired);
    }
    const other = await app.register();
    await importCsv(other, await (await who.request('GET', '/v1/transactions/export')).text());
    expect((await lines(other)).map(({ basis }) => basis)).toEqual((await lines(who)).map(({ basis }) => basis));
  });

  test('can be marked as received from elsewhere, with a basis', async () => {
    const who = await app.register();
    await importCsv(who, `${coins}2025-03-20,deposit,B,BTC,1,,,,crypto\n2025-04-01,sell,B,BTC,1,45000,,,crypto\n`);
    const unpaired = (await issues(who)).find(({ kind }) => kind === 'transfer_unpaired');
    await resolve(who, unpaired, { action: 'basis', basis: '20000', acquired: '2022-02-02' });
    expect(await lines(who)).toMatchObject([{ basis: '20000.00', acquired: '2022-02-02', term: 'long' }]);
    expect(await issues(who, '?status=open')).toEqual([]);
    await agrees(who);
  });
});

describe('a missing basis or value', () => {
  test('can be entered if the row that opened the lot is known', async () => {
    const who = await app.register();
    await importCsv(
      who,
      `${coins}2025-03-20,opening_lot,B,OLD,1,,2020-01-01,,stock\n2025-04-01,sell,B,OLD,1,45,,,stock\n`,
    );
    const missing = await issues(who, '?kind=basis_missing');
    expect(missing.length).toBeGreaterThan(0);
    await resolve(who, missing[0], { action: 'basis', basis: '12.34', note: 'Found it' });
    expect(await lines(who)).toMatchObject([{ basis: '12.34', acquired: '2020-01-01' }]);
    expect(await issues(who, '?status=open')).toEqual([]);
    await agrees(who);
  });

  test('names the missing price, and can be resolved manually or by that price', async () => {
    const who = await app.register();
    await importCsv(who, `${coins}2025-03-20,staking,B,ETH,2,,,,crypto\n`);
    const [issue] = await issues(who);
    expect(issue).toMatchObject({ kind: 'value_missing', asset: 'ETH' });
    expect(issue?.proposals[0]).toMatchObject({ action: 'price', asset: 'ETH', date: '2025-03-20' });
    await resolve(who, issue, { action: 'value', amount: '4000' });
    expect(await fetchOpen(who, 2025)).toBe(0);
    const lots = await fetchAll<{ basis: string }>(who, '/v1/tax/lots');
    expect(lots).toMatchObject([{ basis: '4000.00' }]);
    await reopen(who, issue);
    const given = { body: 'date,asset,usd\n2025-03-20,ETH,2100\n', headers: { 'content-type': 'text/csv' } };
    await who.json('POST', '/v1/prices', given);
    expect(await fetchAll<object>(who, '/v1/tax/lots')).toMatchObject([{ basis: '4200.00' }]);
    expect(await issues(who)).toEqual([]);
    await agrees(who);
  });
});

test('an issue accepted with a note stays in the list but no longer counts', async () => {
  const who = await app.register();
  const { id } = await importCsv(who, csvOf('sell 2025-01-05 3 NONE @300 #s1', 'sell 2025-02-05 3 NONE @400 #s2'));
  const found = await issues(who);
  expect(await fetchOpen(who, 2025)).toBe(2);
  await resolve(who, found[1], { action: 'accept', note: 'Basis is zero indeed' });
  expect(await fetchOpen(who, 2025)).toBe(1);
  expect((await issues(who)).map(({ status, resolution }) => [status, resolution?.note])).toEqual([
    ['open', undefined],
    ['accepted', 'Basis is zero indeed'],
  ]);
  await agrees(who);
  await who.json('POST', '/v1/tax/calculate', { body: {} });
  expect(await fetchOpen(who, 2025)).toBe(1);
  await who.request('DELETE', `/v1/imports/${id}`);
  expect(await issues(who)).toEqual([]);
  await importCsv(who, csvOf('sell 2025-01-05 3 NONE @300 #s1', 'sell 2025-02-05 3 NONE @400 #s2'));
  expect((await issues(who)).map(({ status }) => status)).toEqual(['open', 'accepted']);
  expect(await reopen(who, found[1])).toBe(204);
  expect(await fetchOpen(who, 2025)).toBe(2);
});

describe('an unlimited amount at stake', () => {
  const files = csvOf(
    'sell 2025-01-05 3 MORE @900 !Stocks #s1',
    'withdrawal 2025-02-01 1 BTC in A',
    'withdrawal 2025-02-02 1 ETH in A',
    'buy 2025-03-01 1 ZZZ @1 !Stocks',
  );

  test('is null and comes first, in each list and on each page', async () => {
    const who = await app.register();
    await importCsv(who, files);
    const stakes = (list: { asset: string; dollars: string | null }[]) =>
      list.map(({ asset, dollars }) => [asset, dollars]);
    const inOrder: [string, string | null][] = [
      ['BTC', null],
      ['BTC', null],
      ['ETH', null],
      ['ETH', null],
      ['MORE', '900.00'],
    ];
    const all = await issues(who);
    expect(stakes(all)).toEqual(inOrder);
    const paged: Issue[] = [];
    for (let cursor = ''; ; ) {
      const page = await who.json<{ data: Issue[]; nextCursor: string | null }>(
        'GET',
        `/v1/tax/issues?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...page.data);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const forged = btoa(JSON.stringify(['many', '2025-01-01', 'x'])).replaceAll('=', '');
    await who.json('GET', `/v1/tax/issues?cursor=${forged}`, {}, 400);
  });

  test('stays null when the issue is accepted', async () => {
    const who = await app.register();
    await importCsv(who, files);
    const [first] = await issues(who);
    const accepted = await resolve(who, first, { action: 'accept', note: 'mine' });
    expect([accepted.status, accepted.dollars]).toEqual(['accepted', null]);
    await agrees(who);
  });

  test('appears in the warnings and in the file name of each download', async () => {
    const who = await app.register();
    await importCsv(who, files);
    const { id } = await who.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2025 } }, 201);
    for (const format of ['8949', 'txf', 'pdf', 'csv', 'turbotax', 'taxact', 'fdx', 'json']) {
      const file = await who.json<{ fileName: string; warnings: string[] }>(
        'GET',
        `/v1/tax/reports/${id}/warnings?format=${format}`,
      );
      expect([format, file.warnings[0]]).toEqual([format, 'DRAFT: 5 open issues for 2025. Resolve before filing.']);
      expect(file.fileName).toContain('2025-draft-5-open-issues');
    }
  });
});

describe('a tax year that depends on the time zone', () => {
  const files = `date,type,account,asset,quantity,amount,asset_class
2024-02-01T15:00:00Z,buy,Exchange,BTC,2,50000,crypto
2024-12-31T15:00:00Z,sell,Exchange,BTC,1,60000,crypto
2025-01-01T03:00:00Z,sell,Exchange,BTC,1,60000,crypto
`;
  const kinds = async (who: TestClient): Promise<string[]> =>
    (await issues(who)).map(({ kind, dollars }) => `${kind} ${dollars}`);

  test('raises an issue until the taxpayer sets a zone, and again if the zone is removed', async () => {
    const who = await app.register();
    await importCsv(who, files);
    expect(await kinds(who)).toEqual(['tax_year_by_zone 70000.00']);
    for (const timeZone of ['America/New_York', 'UTC', 'Etc/UTC']) {
      await who.json('PATCH', '/v1/account', { body: { timeZone } });
      expect(await kinds(who)).toEqual([]);
      await agrees(who);
    }
    await who.json('PATCH', '/v1/account', { body: { timeZone: null } });
    expect(await kinds(who)).toHaveLength(1);
    await agrees(who);
  });

  test('raises one issue, even for several accounts, as long as its only row exists', async () => {
    const who = await app.register();
    await importCsv(who, files.split('\n').slice(0, 2).join('\n'));
    expect(await kinds(who)).toEqual([]);
    const other = `date,type,account,asset,quantity,amount,asset_class
2025-01-01T01:00:00Z,staking,Wallet,ETH,0.1,30,crypto
`;
    const { id } = await importCsv(who, other);
    const [issue] = await issues(who);
    expect(issue).toMatchObject({
      kind: 'tax_year_by_zone',
      year: 2025,
      otherYears: [2024],
      account: 'Wallet',
      asset: 'ETH',
      dollars: '30.00',
    });
    for (const year of [2024, 2025]) {
      expect(await fetchAll<{ id: string }>(who, `/v1/tax/issues?year=${year}`)).toMatchObject([{ id: issue?.id }]);
      const { issues: count } = await who.json<{ issues: number }>('GET', `/v1/tax/summary?year=${year}`);
      expect([year, count]).toEqual([year, 1]);
    }
    await agrees(who);
    await importCsv(who, files);
    expect(await kinds(who)).toEqual(['tax_year_by_zone 70030.00']);
    await agrees(who);
    await who.json('DELETE', `/v1/imports/${id}`, {}, 204);
    expect(await kinds(who)).toEqual(['tax_year_by_zone 70000.00']);
    await agrees(who);
  });

  test('appears in the report for each year that may gain or lose a row', async () => {
    const who = await app.register();
    await importCsv(who, files);
    for (const year of [2024, 2025]) {
      const { id } = await who.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year } }, 201);
      const { fileName } = await who.json<{ fileName: string }>('GET', `/v1/tax/reports/${id}/warnings?format=8949`);
      expect(fileName).toContain(`${year}-draft-1-open-issue`);
    }
  });

  test('proposes the zones of the taxpayer and of each import with such a row', async () => {
    const who = await app.register();
    const { id } = await importCsv(who, files);
    const [issue] = await issues(who);
    expect(issue?.proposals).toMatchObject([
      { action: 'zone' },
      { action: 'zone_of_import', importId: id },
      { action: 'accept' },
    ]);
    const body = { timeZone: 'America/New_York', apply: true };
    await who.json('POST', `/v1/imports/${id}/reread`, { body });
    expect(await kinds(who)).toEqual([]);
    const [sale] = await fetchAll<{ day: string }>(who, '/v1/transactions?type=sell&year=2024');
    expect(sale?.day).toBe('2024-12-31');
    await agrees(who);
  });

  test('raises no issue if the import has a zone', async () => {
    const who = await app.register();
    const response = await who.request('POST', '/v1/transactions/import?timeZone=America/New_York', {
      body: files,
      headers: { 'content-type': 'text/csv' },
    });
    expect(response.status).toBe(201);
    expect(await kinds(who)).toEqual([]);
    await agrees(who);
  });
});

describe('a wash sale window that is open after the last row', () => {
  const sold = 'buy 2024-01-05 100 XYZ @1000 #b\nsell 2025-12-20 100 XYZ @600 #s'.split('\n');
  const kinds = async (who: TestClient): Promise<string[]> => (await issues(who)).map(({ kind }) => kind);

  test('closes with a row of another asset, and reopens without it', async () => {
    const who = await app.register();
    await importCsv(who, csvOf(...sold));
    expect(await kinds(who)).toEqual(['wash_window_open']);
    const { id } = await importCsv(who, csvOf('buy 2026-01-20 1 OTHER @5 #o'));
    expect(await kinds(who)).toEqual([]);
    await agrees(who);
    await who.json('DELETE', `/v1/imports/${id}`);
    expect(await kinds(who)).toEqual(['wash_window_open']);
    await agrees(who);
  });

  test('shows the end of the window, and requires a confirmation after it', async () => {
    for (const [year, said] of [
      ['2090', 'Do not buy any until 2091-01-19. Then import the transactions up to that day.'],
      ['2019', '2020-01-19 has passed: confirm that you bought nothing until then, or import the purchases.'],
    ] as const) {
      const who = await app.register();
      await importCsv(who, csvOf('buy 2018-01-05 100 XYZ @1000', `sell ${year}-12-20 100 XYZ @600`));
      const [issue] = await issues(who, '?kind=wash_window_open');
      expect(issue?.proposals.map(({ detail }) => detail)).toEqual([said]);
    }
  });

  test('is confirmed with a note, and the year is no longer a draft', async () => {
    const who = await app.register();
    await importCsv(who, csvOf(...sold));
    const [issue] = await issues(who);
    expect(issue?.proposals.map(({ action, detail }) => [action, detail])).toEqual([
      ['accept', expect.stringContaining('2026-01-19')],
    ]);
    expect((await resolve(who, issue, { action: 'accept', note: 'Nothing was bought.' })).status).toBe('accepted');
    expect(await fetchOpen(who, 2025)).toBe(0);
    await agrees(who);
  });
});

describe('a loss carried from a joint return to a separate one', () => {
  test('raises an issue until the share is entered, and can be accepted', async () => {
    const who = await app.register();
    await importCsv(
      who,
      csvOf('buy 2023-01-05 10 XYZ @10000', 'sell 2023-06-05 10 XYZ @2000', 'buy 2024-02-05 1 OTHER @5'),
    );
    const set = (body: object): Promise<unknown> => who.json('PATCH', '/v1/tax/settings', { body });
    await set({ filingStatus: 'mfj', filingStatusByYear: { 2024: 'mfs' } });
    const asked = async () => (await issues(who, '?year=2024')).map(({ kind, dollars }) => [kind, dollars]);
    expect(await asked()).toEqual([['carryover_to_divide', '5000.00']]);
    await agrees(who);
    await set({ carryover: { 2024: { short: '1250', long: '0' } } });
    expect(await asked()).toEqual([]);
    const summary = await who.json<{ carryover: unknown }>('GET', '/v1/tax/summary?year=2024');
    expect(summary.carryover).toMatchObject({ in: { short: '1250.00', long: '0.00' } });
    await set({ carryover: null });
    expect(await fetchOpen(who, 2024)).toBe(1);
    const [issue] = await issues(who);
    await resolve(who, issue, { action: 'accept', note: 'All of it is mine.' });
    expect(await fetchOpen(who, 2024)).toBe(0);
    await agrees(who);
  });
});

describe('a tax-free account', () => {
  test('raises an issue because of its name until the settings contain its type', async () => {
    const who = await app.register();
    await importCsv(who, csvOf('buy 2024-01-05 10 XYZ @100 !ROTH', 'sell 2024-06-05 10 XYZ @300 !ROTH'));
    const kinds = async (): Promise<string[]> => (await issues(who)).map(({ kind, account }) => `${kind} ${account}`);
    expect(await kinds()).toEqual(['account_type_unknown ROTH']);
    // One issue covers all assets in the year.
    const { id } = await importCsv(who, csvOf('buy 2024-01-05 1 ABC @40 !ROTH', 'sell 2024-07-05 1 ABC @50 !ROTH'));
    expect((await issues(who)).map(({ dollars }) => dollars)).toEqual(['210.00']);
    await agrees(who);
    await who.json('DELETE', `/v1/imports/${id}`);
    expect((await issues(who)).map(({ dollars }) => dollars)).toEqual(['200.00']);
    for (const type of ['taxable', 'roth_ira']) {
      await who.json('PATCH', '/v1/tax/settings', { body: { accounts: { ROTH: { type } } } });
      expect(await kinds()).toEqual([]);
      await agrees(who);
    }
    expect(await lines(who)).toEqual([]);
  });

  test('an asset distributed in kind without a value gets its basis from the answer', async () => {
    const who = await app.register();
    await who.json('PATCH', '/v1/tax/settings', { body: { accounts: { Plan: { type: '401k' } } } });
    const head = 'date,type,account,asset,quantity,amount,to_account,asset_class\n';
    await importCsv(
      who,
      `${head}2020-03-02,buy,Plan,XYZ,100,1000,,stock\n2024-05-01,transfer,Plan,XYZ,100,,Broker,stock\n2025-03-03,sell,Broker,XYZ,100,6000,,stock\n`,
    );
    const asked = (await issues(who)).find(({ kind }) => kind === 'value_missing');
    expect(asked?.proposals.map(({ action }) => action)).toEqual(['price', 'value', 'accept']);
    await resolve(who, asked, { action: 'value', amount: '5000' });
    expect((await lines(who)).map(({ basis, acquired, term }) => [basis, acquired, term])).toEqual([
      ['5000.00', '2024-05-01', 'short'],
    ]);
    expect(await fetchOpen(who, 2025)).toBe(0);
    await agrees(who);
  });
});
