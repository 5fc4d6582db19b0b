import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { formatDay, parseDay } from '../../src/base/day.ts';
import type { Rules } from '../../src/engine/model.ts';
import { brokerOrders, findLastTradingDay, firstDayIntoJanuary } from '../../src/features/gains/planning/year-end.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { elect, fetchAll, importCsv } from '../support/books.ts';
import { defaultRules } from '../support/golden.ts';

/** December is the last month to notify a broker for the next year (Notice 2026-20). */
const clock = testClock('2026-11-30T23:59:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

interface Reminder {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

async function fetchReminders(client: TestClient, kind: string): Promise<Reminder[]> {
  const all = await fetchAll<Reminder>(client, '/v1/notifications');
  return all.filter((one) => one.kind === kind);
}

interface YearEnd {
  readonly lastTradingDay: string;
  readonly brokers: readonly {
    readonly account: string;
    readonly notified: boolean;
    readonly notifiedOn: string | null;
    readonly notifiedHow: string | null;
    readonly message: string;
  }[];
  readonly funds: readonly object[];
  readonly washWindows: readonly object[];
}

const yearEndOf = (client: TestClient, year = 2026) => client.json<YearEnd>('GET', `/v1/tax/year-end?year=${year}`);

const rows = `date,type,account,asset,quantity,amount,acquired,term,fmv,asset_class
2024-03-01,defer_gain,Fund,12-3456789,100,15000,2024-02-01,long,,stock
2025-03-03,buy,Coins,BTC,1,50000,,,,crypto
2026-01-05,buy,Broker,ACME,20,4000,,,,stock
2026-12-01,sell,Broker,ACME,5,800,,,,stock
2026-12-02,sell,Broker,ACME,5,700,,,,stock
`;

test('in December, reminders about brokers, fund values and the last trading day are sent once each, but not earlier', async () => {
  const [ann, bob] = [await app.register(), await app.register()];
  await elect(ann, { methodByAccount: { Coins: 'HIFO' } });
  await importCsv(ann, rows);
  const kinds = ['tell_broker', 'fund_value', 'year_end'];
  const fetchCounts = async (client: TestClient) => {
    const all = await fetchAll<Reminder>(client, '/v1/notifications');
    return kinds.map((kind) => all.filter((one) => one.kind === kind).length);
  };
  await ann.json('GET', '/v1/tax/years');
  expect(await fetchCounts(ann)).toEqual([0, 0, 0]);
  clock.move(120_000);
  await ann.json('GET', '/v1/tax/years');
  await bob.json('GET', '/v1/tax/years');
  expect(await fetchCounts(ann)).toEqual([1, 1, 1]);
  expect(await fetchCounts(bob)).toEqual([0, 0, 0]);
  const [broker] = await fetchReminders(ann, 'tell_broker');
  expect(broker?.body).toContain('From January 1, 2027');
  expect(broker?.body).toContain('Text to send to Coins:');
  expect(broker?.body).toContain('- All digital assets: highest cost first (HIFO)');
  const [fund] = await fetchReminders(ann, 'fund_value');
  expect(fund?.title).toBe('Get the value of 12-3456789 on December 31, 2026');
  const [last] = await fetchReminders(ann, 'year_end');
  expect(last?.title).toBe('The last trading day of 2026 is December 31, 2026');
  expect(last?.body).toContain('from December 2, 2026 on');
  clock.move(5 * 86_400_000);
  await ann.json('GET', '/v1/tax/years');
  expect(await fetchCounts(ann)).toEqual([1, 1, 1]);
  // An account added later in the month gets its own reminder, once.
  await elect(ann, { methodByAccount: { Coins: 'HIFO', Desk: 'LIFO' } });
  clock.move(86_400_000);
  await ann.json('GET', '/v1/tax/years');
  const [newer] = await fetchReminders(ann, 'tell_broker');
  expect(await fetchCounts(ann)).toEqual([2, 1, 1]);
  expect(newer?.body).toContain('is different for Desk.');
});

test("a broker's confirmation is stored and shown, and ends the reminder", async () => {
  const ann = await app.register();
  await elect(ann, { methodByAccount: { Coins: 'HIFO' } });
  await importCsv(ann, rows);
  expect((await yearEndOf(ann)).brokers).toMatchObject([
    { account: 'Coins', notified: false, notifiedOn: null, notifiedHow: null },
  ]);
  await elect(ann, {
    accounts: {
      Coins: { type: 'taxable', form: '1099-DA', toldBroker: '2026-12-05', toldBrokerHow: 'Chat, ticket 4711' },
    },
  });
  const { brokers } = await yearEndOf(ann);
  expect(brokers).toMatchObject([
    { account: 'Coins', notified: true, notifiedOn: '2026-12-05', notifiedHow: 'Chat, ticket 4711' },
  ]);
  const [kept] = Object.values(
    (await ann.json<{ accounts: Record<string, object> }>('GET', '/v1/tax/settings')).accounts,
  );
  expect(kept).toMatchObject({ toldBroker: '2026-12-05', toldBrokerHow: 'Chat, ticket 4711' });
  const before = (await fetchReminders(ann, 'tell_broker')).length;
  clock.move(86_400_000);
  await ann.json('GET', '/v1/tax/years');
  expect(await fetchReminders(ann, 'tell_broker')).toHaveLength(before);
});

test('the year-end list has fund values, wash sale windows into January and the last trading day', async () => {
  const ann = await app.register();
  await importCsv(ann, rows);
  const found = await yearEndOf(ann);
  expect(found).toMatchObject({ year: 2026, lastTradingDay: '2026-12-31', lastDay: '2026-12-31', brokers: [] });
  expect(found.funds).toEqual([
    { fund: '12-3456789', account: 'Fund', quantity: '100', dueOn: '2026-12-31', included: '15000.00', value: null },
  ]);
  // The window of a sale on December 1 ends on December 31. The window of a sale on December 2 ends on January 1.
  expect(found.washWindows).toEqual([
    { asset: 'ACME', account: 'Broker', sold: '2026-12-02', loss: '300.00', until: '2027-01-01' },
  ]);
  await importCsv(ann, 'date,type,account,asset,fmv,asset_class\n2026-12-31,mark,Fund,12-3456789,11000,stock\n');
  expect((await yearEndOf(ann)).funds).toMatchObject([{ included: '11000.00', value: '11000.00' }]);
  expect((await yearEndOf(ann, 2025)).funds).toEqual([]);
  expect((await yearEndOf(ann, 2027)).lastTradingDay).toBe('2027-12-31');
});

test('the last trading day is the last day on which the exchanges are open', () => {
  // December 31 is a Sunday in 2023, a Saturday in 2022 and 2033, and a weekday in the other years.
  const days = [2022, 2023, 2024, 2026, 2027, 2028, 2033].map((year) => formatDay(findLastTradingDay(year)));
  expect(days).toEqual([
    '2022-12-30',
    '2023-12-29',
    '2024-12-31',
    '2026-12-31',
    '2027-12-31',
    '2028-12-29',
    '2033-12-30',
  ]);
  expect(formatDay(firstDayIntoJanuary(2026))).toBe('2026-12-02');
});

describe('the standing order with a broker', () => {
  const day = (text: string) => parseDay(text) ?? (0 as never);
  const ordersOf = (rules: Partial<Rules>, today = '2026-12-01', accounts: readonly string[] = []) =>
    brokerOrders({ ...defaultRules, ...rules }, accounts, day(today), day(today)).map(
      ({ account, orders, isNotified }) =>
        `${account} ${orders.map(({ asset, method }) => `${asset ?? '*'}:${method}`).join(' ')}${isNotified ? ' told' : ''}`,
    );
  const order = { account: 'Desk', method: 'LIFO', madeAt: '2026-01-02' } as const;
  const notified = { type: 'taxable', form: '1099-DA', toldBroker: '2026-12-01' } as const;

  const cases: readonly (readonly [string, string[], string[]])[] = [
    [
      'is that of the account or its standing order',
      ordersOf({ methodByAccount: { A: 'HIFO', B: 'FIFO' }, standingOrders: [order] }),
      ['A *:HIFO', 'Desk *:LIFO'],
    ],
    [
      'counts as notified from the day of the notice',
      ordersOf({ methodByAccount: { A: 'HIFO' }, accounts: { A: notified } }),
      ['A *:HIFO told'],
    ],
    [
      'does not count as notified the day before',
      ordersOf({ methodByAccount: { A: 'HIFO' }, accounts: { A: notified } }, '2026-11-30'),
      ['A *:HIFO'],
    ],
    [
      'counts as notified if all its orders are',
      ordersOf({ standingOrders: [{ ...order, toldBroker: '2026-06-01' }] }),
      ['Desk *:LIFO told'],
    ],
    [
      'does not count as notified if one of its orders is not',
      ordersOf({
        standingOrders: [
          { ...order, toldBroker: '2026-06-01' },
          { ...order, asset: 'BTC', method: 'HIFO' },
        ],
      }),
      ['Desk *:LIFO BTC:HIFO'],
    ],
    [
      'names a single asset in addition to first in, first out',
      ordersOf({ standingOrders: [{ ...order, asset: 'BTC' }] }),
      ['Desk *:FIFO BTC:LIFO'],
    ],
    [
      'is not needed for an account without a form',
      ordersOf({ methodByAccount: { A: 'HIFO' }, accounts: { A: { type: 'taxable', form: 'none' } } }),
      [],
    ],
    [
      'is not needed for an account with securities only',
      ordersOf({ methodByAccount: { A: 'HIFO' }, accounts: { A: { type: 'taxable', form: '1099-B' } } }),
      [],
    ],
    [
      'uses the general method for every account with digital assets, except an IRA',
      ordersOf({ method: 'HIFO', accounts: { R: { type: 'ira' } } }, '2026-12-01', ['R', 'X', 'Y']),
      ['X *:HIFO', 'Y *:HIFO'],
    ],
    [
      'uses the method of the next year',
      ordersOf({ methodFrom: [{ year: 2027, method: 'HIFO' }] }, '2026-12-01', ['X']),
      ['X *:HIFO'],
    ],
    ['is not needed for first in, first out', ordersOf({}, '2026-12-01', ['X']), []],
    [
      'is not needed for average basis, which crypto does not have',
      ordersOf({ method: 'AVERAGE' }, '2026-12-01', ['X']),
      [],
    ],
  ];
  test.each(cases)('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});
