import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { fetchAll, type ImportResource, importCsv } from '../support/books.ts';
import { connect, listConnections, requestSync, syncDue } from '../support/connections.ts';
import { type KrakenStandIn, type LedgerEntry, startKraken } from '../support/exchanges.ts';

const clock = testClock('2026-11-20T12:00:00Z');
let kraken: KrakenStandIn;
let app: TestApp;
beforeAll(async () => {
  kraken = startKraken();
  app = await testApp({ env: { KRAKEN_SYNC_URL: kraken.url }, clock });
});
afterAll(async () => {
  await app.close();
  kraken.close();
});
beforeEach(async () => {
  await app.books.asOwner((sql) => sql`delete from connections`);
  kraken.entries = [];
  kraken.balances = {};
  kraken.permissions = ['query-funds', 'query-ledger'];
  kraken.faults.length = 0;
  kraken.calls.length = 0;
  kraken.beforePage = () => undefined;
});

const seconds = (text: string): number => Date.parse(text) / 1_000;

/** A purchase of 0.01 BTC for $400 with a fee of $1, as two ledger entries. */
function purchase(number: number, time: number): LedgerEntry[] {
  const id = String(number).padStart(5, '0');
  return [
    { id: `LA${id}`, refid: `T${id}`, time, type: 'trade', asset: 'ZUSD', amount: '-400.0000', fee: '1.0000' },
    { id: `LB${id}`, refid: `T${id}`, time: time + 0.25, type: 'trade', asset: 'XXBT', amount: '0.0100000000' },
  ];
}

const dayBefore = seconds('2026-11-19T12:00:00Z');

interface Row {
  readonly source: { readonly externalId: string };
}

function rowsOf(client: TestClient): Promise<Row[]> {
  return fetchAll<Row>(client, '/v1/transactions');
}

test('a first sync imports the whole ledger, and the next one only what is new', async () => {
  const client = await app.register('PRO');
  kraken.entries = Array.from({ length: 60 }, (_, n) => purchase(n, dayBefore - 86_400 * (60 - n))).flat();
  kraken.balances = { XXBT: '0.4000000000', 'XBT.F': '0.2000000000', ZUSD: '10.0', KFEE: '5' };
  const connection = await connect(client, 'kraken', kraken);
  expect(connection).toMatchObject({ kind: 'kraken', account: 'Kraken', state: 'syncing', lastSyncAt: null });
  await syncDue(app);
  const [synced] = await listConnections(client);
  expect(synced).toMatchObject({
    ...{ state: 'idle', problem: null, progress: null },
    ...{ lastSyncAt: '2026-11-20T12:00:00.000Z', nextSyncAt: '2026-11-21T12:00:00.000Z' },
  });
  expect(kraken.calls).toEqual(['GetApiKeyInfo', 'Balance', 'Ledgers', 'Ledgers', 'Ledgers']);
  const imported = await client.json<ImportResource>('GET', `/v1/imports/${synced?.lastImportId}`);
  expect(imported).toMatchObject({
    format: 'kraken-ledgers',
    rows: 120,
    rejected: 0,
    fileName: 'kraken-ledgers-2026-11-20.csv',
  });
  expect(await rowsOf(client)).toHaveLength(60);
  const balances = await fetchAll<{ asset: string; difference: string; source: string }>(client, '/v1/balances');
  expect(balances).toMatchObject([{ asset: 'BTC', source: 'import', difference: '0' }]);

  kraken.entries.push(...purchase(90, seconds('2026-11-20T12:30:00Z')));
  kraken.balances = { XXBT: '0.41', 'XBT.F': '0.2' };
  kraken.calls.length = 0;
  clock.move(3_600_000);
  await requestSync(client, connection);
  await syncDue(app);
  expect(kraken.calls).toEqual(['Balance', 'Ledgers']);
  expect(await rowsOf(client)).toHaveLength(61);
  const imports = await fetchAll<ImportResource>(client, '/v1/imports');
  expect(imports.map(({ rows, duplicates }) => [rows, duplicates])).toEqual([
    [2, 0],
    [120, 0],
  ]);
  const issues = await fetchAll<{ kind: string }>(client, '/v1/tax/issues');
  expect(issues.filter(({ kind }) => kind === 'balance_differs')).toEqual([]);
  clock.move(3_600_000);
  await requestSync(client, connection);
  await syncDue(app);
  expect(await fetchAll(client, '/v1/imports')).toHaveLength(2);
});

test('a sync after an import of the same ledger adds no row twice', async () => {
  const client = await app.register('PRO');
  const text = readFileSync(join(import.meta.dir, '../fixtures/formats/kraken-ledgers.csv'), 'utf8');
  await importCsv(client, text);
  const before = await rowsOf(client);
  const lines = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
  const [head = [], ...rows] = lines;
  const of = (row: readonly string[], name: string): string => row[head.indexOf(name)] ?? '';
  kraken.entries = rows
    .filter((row) => of(row, 'txid') !== '')
    .map((row) => ({
      ...{ id: of(row, 'txid'), refid: of(row, 'refid'), type: of(row, 'type'), subtype: of(row, 'subtype') },
      ...{ asset: of(row, 'asset'), amount: of(row, 'amount'), fee: of(row, 'fee'), balance: of(row, 'balance') },
      time: seconds(`${of(row, 'time').replace(' ', 'T')}Z`) + 0.1234,
    }));
  await connect(client, 'kraken', kraken);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'idle', problem: null }]);
  expect(await rowsOf(client)).toHaveLength(before.length);
  const issues = await fetchAll<{ kind: string }>(client, '/v1/tax/issues');
  expect(issues.filter(({ kind }) => kind === 'row_differs')).toEqual([]);
  expect(await fetchAll(client, '/v1/imports/possible-duplicates')).toEqual([]);
  // Without the file, its rows come from Kraken.
  const [file] = (await fetchAll<ImportResource & { fileName: string | null }>(client, '/v1/imports')).filter(
    ({ fileName }) => fileName === null,
  );
  await client.json('DELETE', `/v1/imports/${file?.id}`);
  expect((await rowsOf(client)).length).toBeLessThan(before.length);
  clock.move(86_400_000 + 1_000);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'idle', problem: null }]);
  expect(await rowsOf(client)).toHaveLength(before.length);
});

test('a row without a value is not a correction of the same row with one', async () => {
  const client = await app.register('PRO');
  await importCsv(
    client,
    `"txid","refid","time","type","subtype","aclass","asset","wallet","amount","fee","balance","amountusd"
"LR1","RR1","2026-10-01 10:00:00","earn","reward","currency","ADA","earn / flexible",5,0,5,2.50
`,
  );
  kraken.entries = [
    {
      id: 'LR1',
      refid: 'RR1',
      time: seconds('2026-10-01T10:00:00Z'),
      type: 'earn',
      subtype: 'reward',
      asset: 'ADA',
      amount: '5',
      balance: '5',
    },
    {
      id: 'LR2',
      refid: 'RR2',
      time: seconds('2026-10-02T10:00:00Z'),
      type: 'earn',
      subtype: 'reward',
      asset: 'ADA',
      amount: '6',
      balance: '11',
    },
  ];
  await connect(client, 'kraken', kraken);
  await syncDue(app);
  expect((await rowsOf(client)).map(({ source }) => source.externalId).toSorted()).toEqual(['LR1', 'LR2']);
  const issues = await fetchAll<{ kind: string }>(client, '/v1/tax/issues');
  expect(issues.filter(({ kind }) => kind === 'row_differs')).toEqual([]);
});

test('rows that arrive late while the pages are read are neither lost nor doubled', async () => {
  const client = await app.register('PRO');
  kraken.entries = Array.from({ length: 55 }, (_, n) => purchase(n, dayBefore - 3_600 * n)).flat();
  let isLate = true;
  kraken.beforePage = (offset) => {
    if (offset === 0 || !isLate) return;
    isLate = false;
    kraken.entries.push(...purchase(99, dayBefore - 60));
  };
  await connect(client, 'kraken', kraken);
  await syncDue(app);
  const ids = (await rowsOf(client)).map(({ source }) => source.externalId);
  expect(new Set(ids).size).toBe(56);
  expect(ids).toHaveLength(56);
});

test('a trade whose legs lie on both sides of the end of a sync is read once, as a whole', async () => {
  const client = await app.register('PRO');
  // A sync ends 30 seconds before it begins.
  kraken.entries = purchase(1, Math.floor(clock.now().getTime() / 1_000) - 30);
  const connection = await connect(client, 'kraken', kraken);
  await syncDue(app);
  expect(await rowsOf(client)).toHaveLength(1);
  clock.move(86_400_000);
  await syncDue(app);
  expect(await rowsOf(client)).toHaveLength(1);
  expect(await listConnections(client)).toMatchObject([{ id: connection.id, state: 'idle' }]);
});

describe('keys', () => {
  const create = (client: TestClient, more: object) =>
    client.request('POST', '/v1/connections', {
      body: { kind: 'kraken', key: kraken.key, secret: kraken.secret, ...more },
    });

  test.each([['modify-trades'], ['withdraw-funds'], ['earn-funds'], ['a-new-permission']])(
    'that may do more than read are refused (%s)',
    async (permission) => {
      const client = await app.register();
      kraken.permissions = ['query-funds', 'query-ledger', permission];
      const response = await create(client, {});
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        errors: [{ pointer: '/key', detail: expect.stringContaining('can do more than read') }],
      });
      expect(await listConnections(client)).toEqual([]);
    },
  );

  test('with a mistake are refused at their field, and never repeated', async () => {
    const client = await app.register();
    kraken.permissions = ['query-funds'];
    expect(await (await create(client, {})).json()).toMatchObject({ errors: [{ pointer: '/key' }] });
    kraken.permissions = ['query-funds', 'query-ledger'];
    expect(await (await create(client, { key: 'wrong' })).json()).toMatchObject({ errors: [{ pointer: '/key' }] });
    const other = Buffer.from('another key'.repeat(6)).toString('base64');
    for (const secret of [other, 'not base64 at all']) {
      const text = await (await create(client, { secret })).text();
      expect(JSON.parse(text)).toMatchObject({ errors: [{ pointer: '/secret' }] });
      expect(text).not.toContain(secret);
    }
  });

  test('are stored encrypted, and are in no response', async () => {
    const client = await app.register();
    const connection = await connect(client, 'kraken', kraken);
    const rows = await app.books.asOwner(
      (sql) => sql<{ text: string }[]>`select c::text as text from connections c where id = ${connection.id}`,
    );
    const archive = Buffer.from(await (await client.request('GET', '/v1/account/export')).arrayBuffer()).toString(
      'latin1',
    );
    expect(archive).toContain('tables/imports.jsonl');
    expect(archive).not.toContain('tables/connection');
    const stored = `${rows[0]?.text} ${JSON.stringify(await listConnections(client))} ${archive}`;
    const hex = (text: string): string => Buffer.from(text).toString('hex');
    for (const key of [kraken.key, kraken.secret]) {
      expect(stored).not.toContain(key);
      expect(stored).not.toContain(hex(key));
    }
  });
});

describe('a service that refuses', () => {
  const ratesLimited = () => Response.json({ error: ['EAPI:Rate limit exceeded'] });

  test('is asked again only after the wait, and the sync continues where it was', async () => {
    const client = await app.register('PRO');
    kraken.entries = Array.from({ length: 60 }, (_, n) => purchase(n, dayBefore - 60 * n)).flat();
    const connection = await connect(client, 'kraken', kraken);
    kraken.calls.length = 0;
    kraken.faults.push(null, null, ratesLimited);
    await syncDue(app);
    expect(kraken.calls).toEqual(['Balance', 'Ledgers']);
    const [waiting] = await listConnections(client);
    expect(waiting).toMatchObject({ state: 'waiting', progress: { pages: 1 }, problem: { code: 'busy' } });
    // "Sync now" does not hammer it.
    expect(await requestSync(client, connection)).toMatchObject({ state: 'waiting', nextSyncAt: waiting?.nextSyncAt });
    await syncDue(app);
    expect(kraken.calls).toHaveLength(2);
    clock.move(61_000);
    await syncDue(app);
    expect(kraken.calls).toEqual(['Balance', 'Ledgers', 'Ledgers', 'Ledgers']);
    expect(await rowsOf(client)).toHaveLength(60);
  });

  test.each([
    ['an answer that ends early', () => new Response('{"error":[],"result":{"count":120,"ledger":{"LA0000')],
    ['a page without its rows', () => Response.json({ error: [], result: { count: 120, ledger: {} } })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://example.com/' } })],
    ['an error of the server', () => new Response('', { status: 502 })],
    ['a nonce that is too small', () => Response.json({ error: ['EAPI:Invalid nonce'] })],
  ])('by %s is asked again later', async (_what, fault) => {
    const client = await app.register('PRO');
    kraken.entries = Array.from({ length: 60 }, (_, n) => purchase(n, dayBefore - 60 * n)).flat();
    await connect(client, 'kraken', kraken);
    kraken.faults.push(null, null, fault);
    await syncDue(app);
    expect(await listConnections(client)).toMatchObject([{ state: 'failed', problem: { code: 'failed' } }]);
    expect(await rowsOf(client)).toEqual([]);
    clock.move(301_000);
    await syncDue(app);
    expect(await listConnections(client)).toMatchObject([{ state: 'idle', problem: null }]);
    expect(await rowsOf(client)).toHaveLength(60);
  });

  test('a key that expired stops the sync until the user acts', async () => {
    const client = await app.register('PRO');
    const connection = await connect(client, 'kraken', kraken);
    kraken.faults.push(() => Response.json({ error: ['EAPI:Invalid key'] }));
    await syncDue(app);
    const [failed] = await listConnections(client);
    expect(failed).toMatchObject({ state: 'failed', nextSyncAt: null, problem: { code: 'keys_refused' } });
    const [note] = await fetchAll<{ title: string }>(client, '/v1/notifications');
    expect(note?.title).toBe('Kraken is no longer synced');
    clock.move(30 * 86_400_000);
    await syncDue(app);
    expect(kraken.calls).toEqual(['GetApiKeyInfo']);
    await requestSync(client, connection);
    await syncDue(app);
    expect(await listConnections(client)).toMatchObject([{ state: 'idle' }]);
  });

  test('causes no notification if the user disconnects it during the sync', async () => {
    const client = await app.register('PRO');
    const { id } = await connect(client, 'kraken', kraken);
    kraken.faults.push(async () => {
      await client.json('DELETE', `/v1/connections/${id}`, {}, 204);
      return Response.json({ error: ['EAPI:Invalid key'] });
    });
    await syncDue(app);
    expect(await fetchAll(client, '/v1/notifications')).toEqual([]);
  });

  test('while connecting, nothing is stored', async () => {
    const client = await app.register();
    kraken.faults.push(ratesLimited);
    const body = { kind: 'kraken', key: kraken.key, secret: kraken.secret };
    const response = await client.request('POST', '/v1/connections', { body });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ type: expect.stringContaining('exchange_failed') });
    expect(await listConnections(client)).toEqual([]);
  });
});

test('an import of a sync can be undone, and only "Sync now" brings its rows back', async () => {
  const client = await app.register('PRO');
  kraken.entries = purchase(1, dayBefore);
  const connection = await connect(client, 'kraken', kraken);
  await syncDue(app);
  const [synced] = await listConnections(client);
  await client.json('DELETE', `/v1/imports/${synced?.lastImportId}`);
  expect(await rowsOf(client)).toEqual([]);
  clock.move(86_400_000 + 1_000);
  await syncDue(app);
  expect(await rowsOf(client)).toEqual([]);
  expect(await listConnections(client)).toMatchObject([{ state: 'failed', automatic: false, nextSyncAt: null }]);
  await requestSync(client, connection);
  await syncDue(app);
  expect(await rowsOf(client)).toHaveLength(1);
});

test("the plan's limit stops the import, and nothing is read twice after an upgrade", async () => {
  const client = await app.register('FREE');
  kraken.entries = Array.from({ length: 60 }, (_, n) => purchase(n, dayBefore - 60 * n)).flat();
  const connection = await connect(client, 'kraken', kraken);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'failed', problem: { code: 'plan_limit' } }]);
  expect(await rowsOf(client)).toEqual([]);
  await app.books.asOwner((sql) => sql`update users set plan = 'PRO' where email = ${client.email}`);
  kraken.calls.length = 0;
  await requestSync(client, connection);
  await syncDue(app);
  expect(kraken.calls).toEqual([]);
  expect(await rowsOf(client)).toHaveLength(60);
});

test('of two servers that look at the same time, one syncs', async () => {
  const client = await app.register('PRO');
  kraken.entries = Array.from({ length: 60 }, (_, n) => purchase(n, dayBefore - 60 * n)).flat();
  await connect(client, 'kraken', kraken);
  kraken.calls.length = 0;
  await Promise.all([syncDue(app), syncDue(app.another()), syncDue(app.another())]);
  expect(kraken.calls).toEqual(['Balance', 'Ledgers', 'Ledgers', 'Ledgers']);
  expect(await fetchAll(client, '/v1/imports')).toHaveLength(1);
});

test('the connections of a deleted account are not read, although its books can be restored for some days', async () => {
  const client = await app.register('PRO');
  await connect(client, 'kraken', kraken);
  await syncDue(app);
  await client.json('DELETE', '/v1/account', { body: { password: client.password } }, 204);
  kraken.calls.length = 0;
  clock.move(86_400_000 + 1_000);
  await syncDue(app);
  expect(kraken.calls).toEqual([]);
});

test('a connection is private to its books, and disconnecting keeps the rows', async () => {
  const [client, other] = [await app.register('PRO'), await app.register('PRO')];
  kraken.entries = purchase(1, dayBefore);
  const { id } = await connect(client, 'kraken', kraken);
  await syncDue(app);
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/sync'],
  ] as const) {
    const given = method === 'PATCH' ? { body: { automatic: false } } : {};
    expect((await other.request(method, `/v1/connections/${id}${path}`, given)).status).toBe(404);
  }
  expect(await listConnections(other)).toEqual([]);
  expect(await client.json('PATCH', `/v1/connections/${id}`, { body: { automatic: false } })).toMatchObject({
    ...{ automatic: false, nextSyncAt: null },
  });
  await client.json('DELETE', `/v1/connections/${id}`, {}, 204);
  expect(await listConnections(client)).toEqual([]);
  expect(await rowsOf(client)).toHaveLength(1);
});

test('a server without the address offers no connection', async () => {
  const plain = await testApp();
  try {
    const client = await plain.register();
    const body = { kind: 'kraken', key: 'a', secret: 'b' };
    expect((await client.request('POST', '/v1/connections', { body })).status).toBe(503);
    expect(await client.json('GET', '/v1/config')).toMatchObject({ exchanges: [] });
  } finally {
    await plain.close();
  }
});
