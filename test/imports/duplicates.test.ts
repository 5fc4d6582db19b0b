import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import {
  csvOf,
  elect,
  fetchAll,
  fetchBookContent,
  type ImportResource,
  importCsv,
  type ListResponse,
} from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Row {
  readonly id: string;
  readonly type: string;
  readonly source: { readonly importId: string | null; readonly line: number | null };
  readonly review: readonly { readonly kind: string }[];
}

interface Pair {
  readonly id: string;
  readonly transactionId: string;
  readonly otherId: string;
}

type Counted = ImportResource & { readonly possibleDuplicates: number };

const send = async (client: TestClient, csv: string, query = ''): Promise<Counted> =>
  (await importCsv(client, csv, query)) as Counted;
const fetchRows = (client: TestClient, query = ''): Promise<Row[]> => fetchAll<Row>(client, `/v1/transactions${query}`);
const fetchPairs = async (client: TestClient): Promise<Pair[]> =>
  (await client.json<ListResponse<Pair>>('GET', '/v1/imports/possible-duplicates')).data;

const ledgers = (...rows: readonly string[]): string =>
  ['"txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"', ...rows, ''].join('\n');
const bought = (refid: string, time: string): string[] => [
  `"${refid}a","${refid}","${time}","trade","","currency","ZUSD",-100.0000,0.2600,0`,
  `"${refid}b","${refid}","${time}","trade","","currency","XXBT",0.0025,0,`,
];
const trades = (...rows: readonly string[]): string =>
  [
    '"txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"',
    ...rows,
    '',
  ].join('\n');
const fill = (id: string, time: string, cost = '100.00000', vol = '0.00250000'): string =>
  `"${id}","O${id}","XXBTZUSD","${time}","buy","limit",40000.0,${cost},0.26000,${vol},0.0,"","x"`;

describe('the same trades in a different kind of file', () => {
  const ledger = ledgers(...bought('T1', '2024-01-05 10:00:00'), ...bought('T2', '2024-01-06 11:30:00'));
  const history = trades(fill('T1', '2024-01-05 10:00:00.1234'), fill('T2', '2024-01-06 11:30:00.9876'));

  test('are duplicates if time, units and value agree', async () => {
    const client = await app.register('PRO');
    expect(await send(client, ledger)).toMatchObject({ imported: 4, duplicates: 0 });
    const before = await fetchBookContent(client);
    expect(await send(client, history)).toMatchObject({ imported: 0, duplicates: 2, possibleDuplicates: 0 });
    expect(await fetchBookContent(client)).toBe(before);
    expect(await send(client, history)).toMatchObject({ imported: 0, duplicates: 2 });
    expect(await send(client, ledger)).toMatchObject({ imported: 0, duplicates: 4 });
    expect(await fetchRows(client)).toHaveLength(2);
  });

  test('stay while one of the two files is imported, and are removed with the last one', async () => {
    const client = await app.register('PRO');
    const first = await send(client, ledger);
    const second = await send(client, history);
    expect((await client.request('DELETE', `/v1/imports/${first.id}`)).status).toBe(204);
    expect((await fetchRows(client)).map(({ source }) => source.importId)).toEqual([second.id, second.id]);
    expect(await send(client, history)).toMatchObject({ imported: 0, duplicates: 2 });
    expect((await client.request('DELETE', `/v1/imports/${second.id}`)).status).toBe(204);
    const again = await client.json<ListResponse<ImportResource>>('GET', '/v1/imports');
    for (const { id } of again.data) await client.request('DELETE', `/v1/imports/${id}`);
    expect(await fetchRows(client)).toEqual([]);
    expect(await send(client, history)).toMatchObject({ imported: 2, duplicates: 0 });
  });

  test('are as many as in the file with more: two equal fills against one are a duplicate and a new row', async () => {
    const client = await app.register('PRO');
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00')));
    const two = trades(fill('T1', '2024-01-05 10:00:00.1'), fill('T9', '2024-01-05 10:00:00.2'));
    expect(await send(client, two)).toMatchObject({ imported: 1, duplicates: 1 });
    expect(await fetchRows(client)).toHaveLength(2);
  });

  test('are two if the second file of that kind names another trade', async () => {
    const client = await app.register('PRO');
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00')));
    const [one, two] = [fill('T1', '2024-01-05 10:00:00.1'), fill('T9', '2024-01-05 10:00:00.1')];
    expect(await send(client, trades(one))).toMatchObject({ duplicates: 1 });
    expect(await send(client, trades(two))).toMatchObject({ imported: 1, duplicates: 0 });
    expect(await send(client, trades(one, two))).toMatchObject({ imported: 0, duplicates: 2 });
    expect(await fetchRows(client)).toHaveLength(2);
  });

  test('are separate rows if the value, the time or the account differs', async () => {
    const client = await app.register('PRO');
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00')));
    const others = trades(
      fill('T2', '2024-01-05 10:00:00', '101.00000'),
      fill('T3', '2024-01-05 10:00:00', '100.00000', '0.00260000'),
      fill('T4', '2024-02-05 10:00:00'),
    );
    expect(await send(client, others)).toMatchObject({ imported: 3, duplicates: 0, possibleDuplicates: 0 });
  });

  test('await review on the same day at another time', async () => {
    const client = await app.register('PRO');
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00')));
    const answer = await send(client, trades(fill('T1', '2024-01-05 15:00:00')));
    expect(answer).toMatchObject({ imported: 1, duplicates: 0, possibleDuplicates: 1 });
    const rows = await fetchRows(client, '?needsReview=true');
    expect(rows.map(({ review }) => review.map(({ kind }) => kind))).toEqual([
      ['possible_duplicate'],
      ['possible_duplicate'],
    ]);
    const { data } = await client.json<ListResponse<{ kind: string; body: string }>>('GET', '/v1/notifications');
    expect(data.find(({ kind }) => kind === 'review_needed')?.body).toContain('1 possible duplicate');
  });

  test('await review if the files have different numbers of rows with the same totals', async () => {
    const client = await app.register('PRO');
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00')));
    const halves = trades(
      fill('T1', '2024-01-05 10:00:00', '40.00000', '0.00100000'),
      fill('T2', '2024-01-05 10:00:01', '60.00000', '0.00150000'),
    );
    expect(await send(client, halves)).toMatchObject({ imported: 2, duplicates: 0, possibleDuplicates: 1 });
  });
});

describe('two layouts of one format', () => {
  const older = [
    'Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price Currency,Spot Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes',
    '2024-01-05T12:00:00Z,Buy,BTC,0.01000000,USD,90000.00,900.00,910.00,10.00,Bought 0.01 BTC',
    '2024-02-10T09:30:00Z,Rewards Income,BTC,0.00010000,USD,95000.00,9.50,9.50,0.00,Reward',
    '2024-03-15T15:00:00Z,Sell,BTC,0.00500000,USD,80000.00,400.00,396.00,4.00,Sold some',
    '',
  ].join('\n');
  const newer = [
    'ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes',
    'a1,2024-01-05 12:00:00 UTC,Buy,BTC,0.01,USD,$90000.00,$900.00,$910.00,$10.00,Bought 0.01 BTC',
    'a2,2024-02-10 09:30:00 UTC,Reward Income,BTC,0.0001,USD,$95000.00,$9.50,$9.50,$0.00,Reward',
    'a3,2024-03-15 15:00:00 UTC,Sell,BTC,-0.005,USD,$80000.00,$400.00,$396.00,$4.00,Sold some',
    'a4,2024-04-15 15:00:00 UTC,Sell,BTC,-0.001,EUR,€80000.00,€80.00,€79.00,€1.00,Sold some',
    '',
  ].join('\n');
  const fetchGain = async (client: TestClient): Promise<unknown> =>
    (await client.json<{ total: unknown }>('GET', '/v1/tax/summary?year=2024')).total;

  test('produce one history, in either order', async () => {
    const [client, other] = [await app.register('PRO'), await app.register('PRO')];
    expect(await send(client, older)).toMatchObject({ imported: 3 });
    expect(await send(client, newer)).toMatchObject({ imported: 1, duplicates: 3, possibleDuplicates: 0 });
    expect(await send(other, newer)).toMatchObject({ imported: 4 });
    expect(await send(other, older)).toMatchObject({ imported: 0, duplicates: 3, possibleDuplicates: 0 });
    expect(await fetchGain(client)).toEqual(await fetchGain(other));
  });
});

test('changing the asset class of an account between two imports of a file keeps its matches', async () => {
  const client = await app.register('PRO');
  const ledger = ledgers(...bought('T1', '2024-01-05 10:00:00'));
  const history = trades(fill('T1', '2024-01-05 10:00:00.1234'));
  await send(client, ledger);
  await send(client, history);
  await elect(client, { accounts: { Kraken: { type: 'taxable', assetClass: 'stock' } } });
  expect(await send(client, history)).toMatchObject({ imported: 0 });
  expect(await send(client, ledger)).toMatchObject({ imported: 0 });
  expect(await fetchRows(client)).toHaveLength(1);
});

describe('a possible duplicate', () => {
  test('is settled by removing a row, or by confirming both', async () => {
    const client = await app.register('PRO');
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00'), ...bought('T2', '2024-02-05 10:00:00')));
    await send(client, trades(fill('T1', '2024-01-05 15:00:00'), fill('T2', '2024-02-05 15:00:00')));
    const [first, second] = await fetchPairs(client);
    expect((await client.request('DELETE', `/v1/transactions/${first?.transactionId}`)).status).toBe(204);
    expect(await fetchPairs(client)).toHaveLength(1);
    const one = `/v1/imports/possible-duplicates/${second?.id}`;
    expect((await client.request('DELETE', one)).status).toBe(204);
    expect((await client.request('DELETE', one)).status).toBe(404);
    expect(await fetchPairs(client)).toEqual([]);
    expect(await fetchRows(client, '?needsReview=true')).toEqual([]);
  });

  test('can be neither seen nor settled by other users', async () => {
    const [client, other] = [await app.register('PRO'), await app.register('PRO')];
    await send(client, ledgers(...bought('T1', '2024-01-05 10:00:00')));
    await send(client, trades(fill('T1', '2024-01-05 15:00:00')));
    const [pair] = await fetchPairs(client);
    expect(await fetchPairs(other)).toEqual([]);
    expect((await other.request('DELETE', `/v1/imports/possible-duplicates/${pair?.id}`)).status).toBe(404);
  });
});

describe('a ledger and the trades that it lists leg by leg', () => {
  test('are one history for Bitfinex, including transfers', async () => {
    const client = await app.register('PRO');
    const answer = await send(
      client,
      [
        '#,DESCRIPTION,CURRENCY,AMOUNT,BALANCE,DATE,WALLET',
        '5,Bitcoin Withdrawal #31 on wallet exchange,BTC,-0.25,0.249,16-06-21 09:30:00,exchange',
        '4,Trading fees for 0.5 BTC (BTCUSD) @ 30000.0 on BFX (0.2%) on wallet exchange,BTC,-0.001,0.499,14-06-21 09:30:00,exchange',
        '3,Exchange 0.5 BTC for USD @ 30000.0 on wallet exchange,BTC,0.5,0.5,14-06-21 09:30:00,exchange',
        '2,Exchange 0.5 BTC for USD @ 30000.0 on wallet exchange,USD,-15000,0,14-06-21 09:30:00,exchange',
        '',
      ].join('\n'),
    );
    expect(answer).toMatchObject({ format: 'bitfinex-ledger', imported: 4, rejected: 0 });
    const fills = '#,PAIR,AMOUNT,PRICE,FEE,FEE PERC,FEE CURRENCY,DATE,ORDER ID\n';
    const trade = `${fills}501,BTC/USD,0.5,30000,-0.001,0.2,BTC,14-06-21 09:30:00,9001\n`;
    expect(await send(client, trade)).toMatchObject({ imported: 0, duplicates: 1, possibleDuplicates: 0 });
    const moved = '#,DATE,CURRENCY,STATUS,AMOUNT,FEES,DESCRIPTION,TRANSACTION ID\n';
    const withdrawal = `${moved}1,16-06-21 09:30:00,BTC,COMPLETED,-0.25,0,to me,t1\n`;
    expect(await send(client, withdrawal)).toMatchObject({ imported: 0, duplicates: 1 });
    expect(await fetchRows(client)).toHaveLength(2);
  });
});

describe('overlapping files of one kind', () => {
  test('contain the rows of their shared days once', async () => {
    const client = await app.register('PRO');
    const [january, february, march] = [
      'buy 2024-01-02 10 X @1000',
      'buy 2024-02-02 10 X @1100',
      'sell 2024-03-02 5 X @900',
    ] as const;
    expect(await send(client, csvOf(january, february))).toMatchObject({ imported: 2 });
    expect(await send(client, csvOf(february, march))).toMatchObject({ imported: 1, duplicates: 1 });
    expect(await send(client, csvOf(january, february, march))).toMatchObject({ imported: 0, duplicates: 3 });
  });
});
