import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { accountsToNotify } from '../../src/features/settings/broker-reminder.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { allOf, elect } from '../support/books.ts';

/** December is the last month in which a broker can be told for the year that begins (Notice 2026-20). */
const clock = testClock('2026-11-30T23:59:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

interface Reminder {
  readonly kind: string;
  readonly body: string;
  readonly link: string;
}

async function remindersOf(client: TestClient): Promise<Reminder[]> {
  const all = await allOf<Reminder>(client, '/v1/notifications');
  return all.filter(({ kind }) => kind === 'tell_broker');
}

test('in December, once, and not before; those who need none get none', async () => {
  const [ann, bob] = [await app.register(), await app.register()];
  await elect(ann, {
    methodByAccount: { Exchange: 'HIFO', Bank: 'FIFO' },
    standingOrders: [{ account: 'Desk', method: 'LIFO', madeAt: '2026-01-02' }],
  });
  expect(await remindersOf(ann)).toEqual([]);
  clock.move(120_000);
  await ann.json('GET', '/v1/tax/years');
  const [reminder, ...others] = await remindersOf(ann);
  expect(others).toEqual([]);
  expect(reminder?.body).toContain('From 1 January 2027');
  expect(reminder?.body).toContain('for Desk, Exchange.');
  expect(await remindersOf(bob)).toEqual([]);
  clock.move(5 * 86_400_000);
  await ann.json('GET', '/v1/tax/years');
  expect(await remindersOf(ann)).toHaveLength(1);
});

describe('untold are the accounts', () => {
  test('with another method or an order, unless the broker was told or there is none', () => {
    const orders = [{ account: 'Desk', method: 'LIFO', madeAt: '2026-01-02' }] as const;
    expect(
      accountsToNotify({ methodByAccount: { A: 'HIFO', B: 'FIFO' }, standingOrders: orders }, '2026-12-01'),
    ).toEqual(['A', 'Desk']);
    const notified = { type: 'taxable', form: '1099-DA', toldBroker: '2026-12-01' } as const;
    expect(accountsToNotify({ methodByAccount: { A: 'HIFO' }, accounts: { A: notified } }, '2026-12-01')).toEqual([]);
    expect(accountsToNotify({ methodByAccount: { A: 'HIFO' }, accounts: { A: notified } }, '2026-11-30')).toEqual([
      'A',
    ]);
    expect(
      accountsToNotify(
        { methodByAccount: { A: 'HIFO' }, accounts: { A: { type: 'taxable', form: 'none' } } },
        '2026-12-01',
      ),
    ).toEqual([]);
    expect(accountsToNotify({ standingOrders: [{ ...orders[0], toldBroker: '2026-06-01' }] }, '2026-12-01')).toEqual(
      [],
    );
  });

  test('of the general method, where they have a form', () => {
    const accounts = { A: { type: 'taxable', form: '1099-DA' }, B: { type: 'ira', form: '1099-DA' } } as const;
    expect(accountsToNotify({ method: 'HIFO', accounts }, '2026-12-01')).toEqual(['A']);
    expect(accountsToNotify({ method: 'HIFO', methodByAccount: { A: 'FIFO' }, accounts }, '2026-12-01')).toEqual([]);
  });
});
