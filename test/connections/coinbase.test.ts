import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { fetchAll, type ImportResource, importCsv } from '../support/books.ts';
import { connect, listConnections, requestSync, syncDue } from '../support/connections.ts';
import { type CoinbaseStandIn, type CoinbaseTransaction, startCoinbase } from '../support/exchanges.ts';

const clock = testClock('2026-11-20T12:00:00Z');
let coinbase: CoinbaseStandIn;
let app: TestApp;
beforeAll(async () => {
  coinbase = startCoinbase();
  app = await testApp({ env: { COINBASE_SYNC_URL: coinbase.url }, clock });
});
afterAll(async () => {
  await app.close();
  coinbase.close();
});
beforeEach(async () => {
  await app.books.asOwner((sql) => sql`delete from connections`);
  coinbase.wallets = {};
  coinbase.permissions = { can_view: true, can_trade: false, can_transfer: false };
  coinbase.faults.length = 0;
  coinbase.calls.length = 0;
});

let made = 0;

function transaction(
  type: string,
  at: string,
  [amount, currency]: readonly [string, string],
  native: string,
  more: object = {},
): CoinbaseTransaction {
  made += 1;
  const id = `9d1dd3a5-0000-5000-8000-${String(made).padStart(12, '0')}`;
  return {
    ...{ id, type, created_at: `${at}T18:00:00Z`, amount: { amount, currency } },
    native_amount: { amount: native, currency: 'USD' },
    ...more,
  };
}

const usd = (amount: string) => ({ amount, currency: 'USD' });

/** The transactions of the fixture for Coinbase's export, as the API reports them. */
function fixtureWallets(): CoinbaseStandIn['wallets'] {
  const fill = (product: string, side: string, price: string, commission: string) => ({
    advanced_trade_fill: { product_id: product, order_side: side, fill_price: price, commission, order_id: '1' },
  });
  const bought = { buy: { id: 'b', subtotal: usd('8350.00'), total: usd('8400.00'), fee: usd('50.00') } };
  const sold = { sell: { id: 's', subtotal: usd('840.00'), total: usd('831.60'), fee: usd('8.40') } };
  const converted = { trade: { id: 'convert-1' } };
  const solana = fill('SOL-USDC', 'buy', '100', '1.2');
  const ether = fill('ETH-USDC', 'sell', '1800', '2.7');
  return {
    'wallet-usd': {
      currency: 'USD',
      balance: '100.00',
      transactions: [transaction('fiat_deposit', '2025-03-28', ['9000.00', 'USD'], '9000.00')],
    },
    'wallet-btc': {
      ...{ currency: 'BTC', balance: '0.094' },
      transactions: [
        transaction('buy', '2025-03-29', ['0.1', 'BTC'], '8400.00', bought),
        transaction('sell', '2025-03-30', ['-0.01', 'BTC'], '-831.60', sold),
        transaction('send', '2025-03-31', ['-0.005', 'BTC'], '-415.50'),
        transaction('send', '2025-04-01', ['0.02', 'BTC'], '1660.00', { description: 'from an external account' }),
        transaction('trade', '2025-04-05', ['-0.01', 'BTC'], '-820.00', converted),
        transaction('cardspend', '2025-04-09', ['-0.001', 'BTC'], '-80.00'),
      ],
    },
    'wallet-eth': {
      ...{ currency: 'ETH', balance: '0.1' },
      transactions: [
        transaction('staking_reward', '2025-04-03', ['0.0004', 'ETH'], '0.724'),
        transaction('staking_transfer', '2025-04-04', ['-0.1', 'ETH'], '-180.00'),
        transaction('trade', '2025-04-05', ['0.45', 'ETH'], '820.00', converted),
        transaction('advanced_trade_fill', '2025-04-06', ['-0.25', 'ETH'], '-449.80', ether),
      ],
    },
    'wallet-usdc': {
      ...{ currency: 'USDC', balance: '247.6' },
      transactions: [
        transaction('receive', '2025-04-02', ['1.5', 'USDC'], '1.50', { from: { name: 'Coinbase Rewards' } }),
        transaction('advanced_trade_fill', '2025-04-06', ['447.3', 'USDC'], '447.30', ether),
        transaction('advanced_trade_fill', '2025-04-07', ['-201.2', 'USDC'], '-201.20', solana),
      ],
    },
    'wallet-sol': {
      ...{ currency: 'SOL', balance: '2' },
      transactions: [transaction('advanced_trade_fill', '2025-04-07', ['2', 'SOL'], '199.80', solana)],
    },
  };
}

interface Row {
  readonly type: string;
  readonly asset: string;
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly receivedAsset: string | null;
  readonly receivedQuantity: string | null;
  readonly date: string;
}

function rowsOf(client: TestClient): Promise<Row[]> {
  return fetchAll<Row>(client, '/v1/transactions');
}

const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats/coinbase.csv'), 'utf8');
const meaning = (rows: readonly Row[]): string[] =>
  rows
    .map(({ type, asset, quantity, amount, fee, receivedAsset, receivedQuantity }) =>
      [type, asset, quantity, amount, fee, receivedAsset, receivedQuantity].join(' '),
    )
    .toSorted();

test("a sync brings the same transactions as Coinbase's own export", async () => {
  const [byFile, bySync] = [await app.register('PRO'), await app.register('PRO')];
  await importCsv(byFile, fixture);
  coinbase.wallets = fixtureWallets();
  await connect(bySync, 'coinbase', coinbase);
  await syncDue(app);
  const [connection] = await listConnections(bySync);
  expect(connection).toMatchObject({ state: 'idle', problem: null });
  const imported = await bySync.json<ImportResource>('GET', `/v1/imports/${connection?.lastImportId}`);
  expect(imported).toMatchObject({ format: 'coinbase', rejected: 0 });
  expect(meaning(await rowsOf(bySync))).toEqual(meaning(await rowsOf(byFile)));
});

test('a sync after an import of the same account, and a file after a sync, add no row twice', async () => {
  for (const isFileFirst of [true, false]) {
    const client = await app.register('PRO');
    coinbase.wallets = fixtureWallets();
    if (isFileFirst) await importCsv(client, fixture);
    await connect(client, 'coinbase', coinbase);
    await syncDue(app);
    const count = (await rowsOf(client)).length;
    if (!isFileFirst) await importCsv(client, fixture);
    expect(await rowsOf(client)).toHaveLength(count);
    expect(count).toBe(10);
    expect(await fetchAll(client, '/v1/imports/possible-duplicates')).toEqual([]);
    await app.books.asOwner((sql) => sql`delete from connections`);
  }
});

test('the next sync reads only what is new, and balances are compared', async () => {
  const client = await app.register('PRO');
  const buys = Array.from({ length: 230 }, (_, n) =>
    transaction(
      'buy',
      `2025-0${1 + Math.floor(n / 28)}-${String(1 + (n % 28)).padStart(2, '0')}`,
      ['0.01', 'BTC'],
      '100.00',
    ),
  );
  coinbase.wallets = { w1: { currency: 'BTC', balance: '2.30', transactions: buys } };
  const connection = await connect(client, 'coinbase', coinbase);
  await syncDue(app);
  expect(await rowsOf(client)).toHaveLength(230);
  coinbase.calls.length = 0;
  coinbase.wallets = {
    w1: {
      currency: 'BTC',
      balance: '2.35',
      transactions: [...buys, transaction('buy', '2026-11-20', ['0.01', 'BTC'], '100.00')],
    },
  };
  clock.move(86_400_000);
  await syncDue(app);
  expect(coinbase.calls).toEqual([
    '/v2/accounts?limit=100&order=asc',
    `/v2/accounts/w1/transactions?limit=100&order=asc&starting_after=${buys.at(-1)?.id}`,
  ]);
  expect(await rowsOf(client)).toHaveLength(231);
  const balances = await fetchAll<{ difference: string }>(client, '/v1/balances');
  expect(balances.map(({ difference }) => difference)).toEqual(['0.04', '0']);
  expect(await requestSync(client, connection)).toMatchObject({ state: 'syncing' });
});

test('a pending transaction is read when it is completed, and later ones do not wait for it', async () => {
  const client = await app.register('PRO');
  const [first, pending, later] = ['2026-11-17', '2026-11-18', '2026-11-19'].map((day) =>
    transaction('receive', day, ['1', 'SOL'], '100.00'),
  ) as [CoinbaseTransaction, CoinbaseTransaction, CoinbaseTransaction];
  coinbase.wallets = {
    w: { currency: 'SOL', balance: '2', transactions: [first, { ...pending, status: 'pending' }, later] },
  };
  const connection = await connect(client, 'coinbase', coinbase);
  await syncDue(app);
  expect(await rowsOf(client)).toHaveLength(2);
  coinbase.wallets = { w: { currency: 'SOL', balance: '3', transactions: [first, pending, later] } };
  await requestSync(client, connection);
  await syncDue(app);
  expect(await rowsOf(client)).toHaveLength(3);
});

test('a half of a conversion without the other one is listed as rejected', async () => {
  const client = await app.register('PRO');
  const half = transaction('trade', '2025-04-05', ['-0.01', 'BTC'], '-820.00', { trade: { id: 'lost' } });
  coinbase.wallets = { w: { currency: 'BTC', balance: '0', transactions: [half] } };
  await connect(client, 'coinbase', coinbase);
  await syncDue(app);
  expect(await fetchAll<ImportResource>(client, '/v1/imports')).toMatchObject([{ rows: 1, rejected: 1 }]);
});

test('a key in Ed25519 signs as well', async () => {
  const other = startCoinbase('ed25519');
  const own = await testApp({ env: { COINBASE_SYNC_URL: other.url } });
  try {
    expect(await connect(await own.register(), 'coinbase', other)).toMatchObject({ kind: 'coinbase' });
  } finally {
    await own.close();
    other.close();
  }
});

describe('keys', () => {
  const create = (client: TestClient, more: object = {}) =>
    client.request('POST', '/v1/connections', {
      body: { kind: 'coinbase', key: coinbase.key, secret: coinbase.secret, ...more },
    });

  test.each([[{ can_trade: true }], [{ can_transfer: true }], [{ can_view: false }]])(
    'that may do more than view, or not even that, are refused (%p)',
    async (more) => {
      const client = await app.register();
      coinbase.permissions = { ...coinbase.permissions, ...more };
      const response = await create(client);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ errors: [{ pointer: '/key' }] });
      expect(await listConnections(client)).toEqual([]);
    },
  );

  test('that Coinbase does not know, and private keys of others, are refused', async () => {
    const client = await app.register();
    const other = startCoinbase();
    other.close();
    for (const more of [{ key: 'organizations/9/apiKeys/9' }, { secret: other.secret }]) {
      expect(await (await create(client, more)).json()).toMatchObject({ errors: [{ pointer: '/key' }] });
    }
    expect(await (await create(client, { secret: 'no key' })).json()).toMatchObject({
      errors: [{ pointer: '/secret' }],
    });
  });
});

test.each([
  ['a rate limit', () => new Response('', { status: 429, headers: { 'retry-after': '120' } }), 'waiting', 121],
  ['half an answer', () => new Response('{"data":[{"id":"1"'), 'failed', 301],
  ['an answer without a list', () => Response.json({ pagination: {} }), 'failed', 301],
] as const)('%s stops the sync, which continues later', async (_what, fault, state, seconds) => {
  const client = await app.register('PRO');
  coinbase.wallets = fixtureWallets();
  await connect(client, 'coinbase', coinbase);
  coinbase.faults.push(null, null, null, fault);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state }]);
  clock.move((seconds - 30) * 1_000);
  const calls = coinbase.calls.length;
  await syncDue(app);
  expect(coinbase.calls).toHaveLength(calls);
  clock.move(31_000);
  await syncDue(app);
  expect(await listConnections(client)).toMatchObject([{ state: 'idle', problem: null }]);
  expect(await rowsOf(client)).toHaveLength(10);
});
