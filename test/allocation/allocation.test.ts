import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { elect, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';

interface Share {
  readonly wallet: string;
  readonly quantity: string;
  readonly basis: string | null;
}
interface Allocation {
  readonly scope: string;
  readonly assets: {
    asset: string;
    units: string;
    difference: string;
    firstUse: string | null;
    wallets: { wallet: string; units: string }[];
    lots: { lotId: string; acquired: string; quantity: string; basis: string | null; wallets: Share[] }[];
  }[];
  readonly frozen: {
    at: string;
    hash: string;
    method: string;
    statement: string;
    stale: boolean;
    lots: Share[];
    transactions: string[];
  } | null;
}
interface Lot {
  readonly account: string;
  readonly quantity: string;
  readonly basis: string;
  readonly acquired: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: testClock('2025-10-01T10:00:00Z') });
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

const header = 'date,type,account,asset,quantity,amount,to_account,asset_class\n';
const until2024 = `${header}2021-01-01,buy,A,BTC,1,30000,,crypto
2022-01-01,buy,A,BTC,2,40000,,crypto
2023-01-01,transfer,A,BTC,1.5,,B,crypto
2023-06-01,buy,C,BTC,1,25000,,crypto
`;
const later = `${header}2025-06-01,sell,B,BTC,1,100000,,crypto\n`;

const pooled = async (...files: readonly string[]): Promise<TestClient> => {
  const who = await app.register();
  await elect(who, { digitalAssetScopeBefore2025: 'universal' });
  for (const file of files) await importCsv(who, file);
  return who;
};
const read = (who: TestClient, query = ''): Promise<Allocation> =>
  who.json<Allocation>('GET', `/v1/tax/allocation${query}`);
const freeze = (who: TestClient, body: object): Promise<Allocation> =>
  who.json<Allocation>('POST', '/v1/tax/allocation', { body }, 201);
const lots = async (who: TestClient): Promise<string[]> =>
  (await fetchAll<Lot>(who, '/v1/tax/lots'))
    .map((lot) => `${lot.account} ${lot.quantity} ${lot.basis} ${lot.acquired}`)
    .sort();

/** Checks that the stored books equal those of a full calculation. */
const agrees = async (who: TestClient): Promise<void> => {
  const { differences } = await who.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(differences).toEqual([]);
};
const fetchIssues = async (who: TestClient): Promise<string[]> =>
  (await fetchAll<{ kind: string; dollars: string }>(who, '/v1/tax/issues?status=open')).map(
    ({ kind, dollars }) => `${kind} ${dollars}`,
  );

describe('a proposal', () => {
  test('assigns the lots of the pool to the wallets by rule, and shows the first use of the units', async () => {
    const who = await pooled(until2024, later);
    const { assets, frozen } = await read(who);
    expect(frozen).toBeNull();
    expect(assets[0]).toMatchObject({ asset: 'BTC', units: '4', difference: '0', firstUse: '2025-06-01' });
    expect(assets[0]?.wallets).toEqual([
      { wallet: 'A', units: '1.5' },
      { wallet: 'B', units: '1.5' },
      { wallet: 'C', units: '1' },
    ]);
    expect(
      assets[0]?.lots.map((lot) => [
        lot.acquired,
        lot.wallets.map(({ wallet, quantity, basis }) => `${wallet} ${quantity} ${basis}`),
      ]),
    ).toEqual([
      ['2021-01-01', ['A 1 30000.00']],
      ['2022-01-01', ['A 0.5 10000.00', 'B 1.5 30000.00']],
      ['2023-06-01', ['C 1 25000.00']],
    ]);
    const highest = await read(who, '?rule=HIFO');
    expect(
      highest.assets[0]?.lots.map((lot) => lot.wallets.map(({ wallet, quantity }) => `${wallet} ${quantity}`)),
    ).toEqual([['A 1'], ['B 1', 'C 1'], ['A 0.5', 'B 0.5']]);
  });

  test('is empty if lots were already tracked by wallet', async () => {
    const who = await app.register();
    await importCsv(who, until2024);
    expect(await read(who)).toMatchObject({ scope: 'per_wallet', assets: [], frozen: null });
    expect((await who.request('POST', '/v1/tax/allocation', { body: {} })).status).toBe(422);
  });
});

describe('an allocation', () => {
  const wide = 'date,type,account,asset,quantity,amount,acquired,basis,fmv,to_account,lots,id\n';
  const same: readonly (readonly [string, string])[] = [
    ['a gift with two bases', '2023-01-02,gift_in,W,BTC,1,,2021-11-01,60000,17000\n2025-03-01,sell,W,BTC,1,15000\n'],
    [
      'units in transit at the end of 2024',
      '2024-01-02,buy,W,BTC,1,20000\n2024-12-30,withdrawal,W,BTC,0.4\n2025-01-02,deposit,X,BTC,0.4\n' +
        '2025-02-01,sell,X,BTC,0.4,50000\n2025-02-01,sell,W,BTC,0.6,50000\n',
    ],
    [
      'a withdrawal that never arrived',
      '2024-01-02,buy,W,BTC,1,20000\n2024-12-30,withdrawal,W,BTC,0.4\n2025-02-01,sell,W,BTC,0.6,50000\n',
    ],
    [
      'lots that a sale identifies in time, by the id of their row',
      '2023-01-02,buy,W,BTC,1,20000,,,,,,b1\n2023-02-02,buy,W,BTC,1,23000,,,,,,b2\n' +
        '2025-03-01,sell,W,BTC,1,95000,,,,,b2:1,s1\n',
    ],
    [
      'rows with equal ids, or an id that cannot be referenced',
      '2023-01-02,buy,W,BTC,1,20000,,,,,,b\n2023-02-02,buy,W,BTC,1,23000,,,,,,b\n2023-03-02,buy,W,BTC,1,24000,,,,,,x;y\n' +
        '2025-03-01,sell,W,BTC,2,95000\n',
    ],
    [
      'thirds of a lot',
      '2023-01-02,buy,A,BTC,1,100\n2023-02-02,transfer,A,BTC,0.333,,,,,B\n2023-02-02,transfer,A,BTC,0.333,,,,,C\n' +
        '2023-03-02,sell,C,BTC,0.001,9\n2025-03-01,sell,A,BTC,0.334,50\n2025-03-02,sell,B,BTC,0.333,50\n2025-03-03,sell,C,BTC,0.332,50\n',
    ],
  ];
  test.each(same)('does not change any figures for %s', async (_, rows) => {
    const who = await pooled(`${wide}${rows}`);
    const before = await fetchAll<{ issue: unknown }>(who, '/v1/tax/disposals');
    const { frozen } = await freeze(who, { rule: 'FIFO' });
    const found = (lines: readonly object[]) => lines.map((line) => ({ ...line, id: '', lotId: '', identified: '' }));
    expect(found(await fetchAll<object>(who, '/v1/tax/disposals'))).toEqual(found(before));
    expect((await fetchIssues(who)).filter((issue) => !issue.startsWith('transfer_unpaired'))).toEqual([]);
    expect((await lots(who)).filter((lot) => lot.startsWith('UNIVERSAL') || lot.startsWith('IN TRANSIT'))).toEqual([]);
    expect(frozen?.stale).toBe(false);
    const other = await pooled(await (await who.request('GET', '/v1/transactions/export')).text());
    expect(found(await fetchAll<object>(other, '/v1/tax/disposals'))).toEqual(found(before));
    expect(await lots(other)).toEqual(await lots(who));
  });

  test('is marked as a record unless the books were created in time', async () => {
    const [late, early] = [await pooled(until2024, later), await pooled(until2024, later)];
    const { frozen: record } = await freeze(late, { rule: 'FIFO' });
    expect(record).toMatchObject({ safeHarbor: false, booksMadeOn: null });
    expect(record?.statement).toContain('is a record and not the safe harbor');
    const { frozen: harbor } = await freeze(early, { rule: 'FIFO', booksMadeOn: '2024-12-20' });
    expect(harbor).toMatchObject({ safeHarbor: true, booksMadeOn: '2024-12-20' });
    expect(harbor?.statement).toContain('the books described the rule on 2024-12-20');
    const who = await pooled(until2024);
    const refused = await who.request('POST', '/v1/tax/allocation', {
      body: { rule: 'FIFO', booksMadeOn: '2024-02-30' },
    });
    expect(refused.status).toBe(422);
  });

  test('moves the lots into the wallets once, at the start of 2025, if it is frozen by rule', async () => {
    const who = await pooled(until2024, later);
    const issues = (): Promise<{ kind: string }[]> => fetchAll<{ kind: string }>(who, '/v1/tax/issues?status=open');
    expect((await issues()).map(({ kind }) => kind)).toEqual(['unreconciled']);
    const { frozen } = await freeze(who, { rule: 'FIFO' });
    expect(frozen).toMatchObject({ at: '2025-10-01T10:00:00Z', method: 'rule', stale: false });
    expect(frozen?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(frozen?.statement).toContain('1.5 units acquired 2022-01-01, basis $30000.00');
    expect(await issues()).toEqual([]);
    expect(await lots(who)).toEqual([
      'A 0.5 10000.00 2022-01-01',
      'A 1 30000.00 2021-01-01',
      'B 0.5 10000.00 2022-01-01',
      'C 1 25000.00 2023-06-01',
    ]);
    expect(await fetchAll<object>(who, '/v1/tax/disposals')).toMatchObject([
      { basis: '20000.00', acquired: '2022-01-01', term: 'long' },
    ]);
    expect((await who.request('POST', '/v1/tax/allocation', { body: {} })).status).toBe(409);
    await agrees(who);
    const other = await pooled(await (await who.request('GET', '/v1/transactions/export')).text());
    expect(await lots(other)).toEqual(await lots(who));
    await importCsv(who, `${header}2024-06-01,buy,C,BTC,1,60000,,crypto\n`);
    expect((await read(who)).frozen?.stale).toBe(true);
  });

  test('assigns every lot to a wallet with enough units, or is refused, if it assigns unit by unit', async () => {
    const who = await pooled(until2024);
    const [first, second, third] = (await read(who)).assets[0]?.lots ?? [];
    const before = await fetchBookContent(who);
    const given = (...shares: readonly [string | undefined, string, string][]) => ({
      lots: shares.map(([lotId, wallet, quantity]) => ({ lotId, wallet, quantity })),
    });
    const refused = async (body: object): Promise<string[]> => {
      const response = await who.request('POST', '/v1/tax/allocation', { body });
      expect(response.status).toBe(422);
      return ((await response.json()) as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    };
    expect(await refused(given([first?.lotId, 'A', '1']))).toContain('/lots');
    expect(await refused(given([first?.lotId, 'A', '1'], [second?.lotId, 'A', '2'], [third?.lotId, 'C', '1']))).toEqual(
      ['/wallets', '/wallets'],
    );
    expect(await refused(given(['nothing', 'A', '1']))).toEqual(['/lots/0/lotId']);
    expect(await fetchBookContent(who)).toBe(before);
    await freeze(
      who,
      given(
        [first?.lotId, 'B', '1'],
        [second?.lotId, 'A', '1.5'],
        [second?.lotId, 'C', '0.5'],
        [third?.lotId, 'B', '0.5'],
        [third?.lotId, 'C', '0.5'],
      ),
    );
    expect(await lots(who)).toEqual([
      'A 1.5 30000.00 2022-01-01',
      'B 0.5 12500.00 2023-06-01',
      'B 1 30000.00 2021-01-01',
      'C 0.5 10000.00 2022-01-01',
      'C 0.5 12500.00 2023-06-01',
    ]);
  });

  test('survives an export unchanged for manual rows, whose ids differ in another account', async () => {
    const who = await pooled();
    for (const amount of ['30000', '40000']) {
      const body = { date: '2022-01-01', type: 'buy', account: 'A', asset: 'BTC', quantity: '1', amount };
      await who.json('POST', '/v1/transactions', { body: { ...body, assetClass: 'crypto' } }, 201);
    }
    await importCsv(who, `${header}2023-01-01,transfer,A,BTC,1.5,,B,crypto\n`);
    await freeze(who, { rule: 'HIFO' });
    expect(await lots(who)).toEqual([
      'A 0.5 20000.00 2022-01-01',
      'B 0.5 20000.00 2022-01-01',
      'B 1 30000.00 2022-01-01',
    ]);
    const other = await pooled(await (await who.request('GET', '/v1/transactions/export')).text());
    expect(await lots(other)).toEqual(await lots(who));
    expect(await fetchIssues(other)).toEqual([]);
  });

  test('accepts corrections to the units in a wallet', async () => {
    const who = await pooled(until2024);
    const pool = [{ asset: 'BTC', wallet: 'UNIVERSAL', quantity: '1' }];
    const refused = await who.request('POST', '/v1/tax/allocation', { body: { rule: 'FIFO', wallets: pool } });
    expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/wallets/0/wallet' }] });
    const wallets = [
      { asset: 'BTC', wallet: 'C', quantity: '0' },
      { asset: 'BTC', wallet: 'Ledger', quantity: '1' },
    ];
    const { frozen } = await freeze(who, { rule: 'FIFO', wallets });
    expect(frozen?.lots.map(({ wallet, quantity }) => `${wallet} ${quantity}`)).toEqual([
      'A 1',
      'A 0.5',
      'B 1.5',
      'Ledger 1',
    ]);
  });

  test('is never frozen by default', async () => {
    const who = await pooled(until2024);
    for (const body of [{}, { lots: [] }, { wallets: [{ asset: 'BTC', wallet: 'A', quantity: '1.5' }] }]) {
      const refused = await who.request('POST', '/v1/tax/allocation', { body });
      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/rule', code: 'required' }] });
    }
    expect((await read(who)).frozen).toBeNull();
  });

  test('cannot be changed by its rows or by its election once it is frozen', async () => {
    const who = await pooled(until2024);
    const { frozen } = await freeze(who, { rule: 'FIFO' });
    const before = await fetchBookContent(who);
    for (const id of frozen?.transactions ?? []) {
      const path = `/v1/transactions/${id}`;
      expect((await who.request('PATCH', path, { body: { basis: '99999' } })).status).toBe(409);
      expect((await who.request('DELETE', path)).status).toBe(409);
    }
    for (const digitalAssetScopeBefore2025 of ['per_wallet', null]) {
      const body = { digitalAssetScopeBefore2025 };
      expect((await who.request('PATCH', '/v1/tax/settings', { body })).status).toBe(409);
    }
    await elect(who, { method: 'HIFO' });
    await elect(who, { method: null });
    expect(await fetchBookContent(who)).toBe(before);
    expect((await read(who)).frozen).toEqual(frozen);
  });

  test('has a hash that can be recalculated from its lots', async () => {
    const who = await pooled(until2024);
    const { frozen } = await freeze(who, { rule: 'HIFO' });
    const lotsByName = frozen?.lots.map((lot) =>
      Object.fromEntries(Object.entries(lot).sort(([a], [b]) => (a < b ? -1 : 1))),
    );
    expect(hash('sha256', JSON.stringify(lotsByName), 'hex')).toBe(frozen?.hash ?? '');
    expect(frozen?.statement).toContain(frozen?.hash ?? '');
    expect((await read(who)).frozen).toEqual(frozen);
  });

  test('reports later changes to the records through 2024, with the basis at stake', async () => {
    const who = await pooled(`${until2024}2023-07-01,sell,C,BTC,0.5,20000,,crypto\n`);
    await freeze(who, { rule: 'FIFO' });
    const before = await fetchBookContent(who);
    const changes: readonly (readonly [string, readonly string[]])[] = [
      ['2020-01-01,buy,A,BTC,1,5000,,crypto', ['unreconciled 17500.00']],
      ['2024-06-01,sell,C,BTC,1,60000,,crypto', ['unreconciled 15000.00', 'unreconciled 10000.00']],
    ];
    for (const [row, issues] of changes) {
      const { id } = await importCsv(who, `${header}${row}\n`);
      expect((await read(who)).frozen?.stale).toBe(true);
      expect(await fetchIssues(who)).toEqual([...issues]);
      await agrees(who);
      await who.request('DELETE', `/v1/imports/${id}`);
      expect(await fetchBookContent(who)).toBe(before);
      expect((await read(who)).frozen?.stale).toBe(false);
    }
    const bought = await fetchAll<{ id: string; type: string; account: string }>(who, '/v1/transactions');
    const ofC = bought.find(({ type, account }) => type === 'buy' && account === 'C');
    await who.json('PATCH', `/v1/transactions/${ofC?.id}`, { body: { amount: '45000' } });
    expect((await read(who)).frozen?.stale).toBe(true);
    expect(await fetchIssues(who)).toEqual(['unreconciled 10000.00', 'unreconciled 10000.00']);
    expect(await lots(who)).toContain('C 0.5 22500.00 2023-06-01');
  });
});
