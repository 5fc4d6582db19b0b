import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { fetchAll, type ImportResource } from '../support/books.ts';
import { connect, listConnections, requestSync, syncDue } from '../support/connections.ts';
import { type FlexStandIn, flexError, flexStatement, startFlex } from '../support/exchanges.ts';

const clock = testClock('2026-11-20T12:00:00Z');
let flex: FlexStandIn;
let app: TestApp;
beforeAll(async () => {
  flex = startFlex();
  app = await testApp({ env: { IBKR_FLEX_SYNC_URL: flex.url }, clock });
});
afterAll(async () => {
  await app.close();
  flex.close();
});
beforeEach(async () => {
  await app.books.asOwner((sql) => sql`delete from connections`);
  flex.statement = flexStatement(1);
  flex.waits = 0;
  flex.faults.length = 0;
  flex.calls.length = 0;
});

const countRows = async (client: TestClient): Promise<number> => (await fetchAll(client, '/v1/transactions')).length;

test('a statement is requested, awaited and imported, and again a day later', async () => {
  const client = await app.register('PRO');
  await connect(client, 'ibkr_flex', flex);
  flex.calls.length = 0;
  flex.waits = 2;
  await syncDue(app);
  expect(flex.calls).toEqual(['SendRequest', 'GetStatement', 'GetStatement', 'GetStatement']);
  const [connection] = await listConnections(client);
  expect(connection).toMatchObject({ state: 'idle', problem: null, nextSyncAt: '2026-11-21T12:00:00.000Z' });
  const imported = await client.json<ImportResource>('GET', `/v1/imports/${connection?.lastImportId}`);
  expect(imported).toMatchObject({ format: 'ibkr-flex', fileName: 'flex-2026-11-20.xml', rejected: 0, imported: 1 });
  expect(await countRows(client)).toBe(1);

  clock.move(86_400_000);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'idle', lastImportId: connection?.lastImportId }]);
  expect(await fetchAll(client, '/v1/imports')).toHaveLength(1);

  flex.statement = flexStatement(2);
  clock.move(86_400_000);
  await syncDue(app);
  expect(await countRows(client)).toBe(2);
  expect(await fetchAll<ImportResource>(client, '/v1/imports')).toMatchObject([{ duplicates: 1 }, { duplicates: 0 }]);
});

test.each([
  ['1012', '/secret'],
  ['1013', '/secret'],
  ['1014', '/key'],
  ['1015', '/secret'],
])('a token or query that the service refuses is shown at its field (%s)', async (code, pointer) => {
  const client = await app.register();
  flex.faults.push(() => flexError(code));
  const response = await client.request('POST', '/v1/connections', {
    body: { kind: 'ibkr_flex', key: flex.key, secret: flex.secret },
  });
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ errors: [{ pointer }] });
  expect(text).not.toContain(flex.secret);
});

test.each([
  ['too many requests', () => flexError('1018'), 'waiting'],
  ['a busy server', () => flexError('1009'), 'failed'],
  ['half a statement', () => new Response(flexStatement(1).slice(0, 300)), 'failed'],
  ['no answer', () => new Response('', { status: 503 }), 'failed'],
] as const)('after %s it is tried again later', async (_what, fault, state) => {
  const client = await app.register('PRO');
  const connection = await connect(client, 'ibkr_flex', flex);
  flex.faults.push(null, fault);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state }]);
  expect(await countRows(client)).toBe(0);
  clock.move(3_600_000);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'idle', problem: null }]);
  expect(await countRows(client)).toBe(1);
  expect(await requestSync(client, connection)).toMatchObject({ state: 'syncing' });
});

test('a statement that Interactive Brokers no longer keeps is requested again', async () => {
  const client = await app.register('PRO');
  await connect(client, 'ibkr_flex', flex);
  flex.calls.length = 0;
  flex.faults.push(null, () => flexError('1017'));
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'failed' }]);
  clock.move(3_600_000);
  await syncDue(app);
  expect(flex.calls).toEqual(['SendRequest', 'GetStatement', 'SendRequest', 'GetStatement']);
  expect(await countRows(client)).toBe(1);
});
