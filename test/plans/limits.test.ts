import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import {
  isPlan,
  type Plan,
  releaseTransactions,
  reserveTransactions,
  setPlan,
} from '../../src/features/people/plans.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function fetchBooks(who: TestClient): Promise<string> {
  const [row] = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${who.email}`,
  );
  return row?.id ?? '';
}
const take = (id: string, plan: Plan, added: number) =>
  app.deps.database.asTaxpayer(id, (sql) => reserveTransactions(sql, { id, plan }, added));
const usedBy = async (who: TestClient) =>
  (await who.json<{ usage: { transactions: number } }>('GET', '/v1/account')).usage.transactions;

describe('the transaction limit', () => {
  test('is 50 for the FREE plan, even under 80 parallel requests', async () => {
    const who = await app.register();
    const id = await fetchBooks(who);
    const taken = await Promise.allSettled(Array.from({ length: 80 }, () => take(id, 'FREE', 1)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(await usedBy(who)).toBe(50);
  });

  test('refuses a request as a whole, with the requested number, and uses up nothing', async () => {
    const who = await app.register();
    const id = await fetchBooks(who);
    await take(id, 'FREE', 49);
    const refusal = await take(id, 'FREE', 2).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    if (!(refusal instanceof Refusal)) return;
    expect(refusal.code).toBe('plan_limit');
    expect(refusal.more.members).toEqual({
      ...{ plan: 'FREE', limit: 50, used: 49, requested: 2 },
      upgrade: { plan: 'PRO', limit: null },
    });
    expect(await usedBy(who)).toBe(49);
  });

  test('is freed by deletions, and a rolled back transaction uses none of it', async () => {
    const who = await app.register();
    const id = await fetchBooks(who);
    await take(id, 'FREE', 50);
    await app.deps.database.asTaxpayer(id, (sql) => releaseTransactions(sql, id, 20));
    const failing = app.deps.database.asTaxpayer(id, async (sql) => {
      await reserveTransactions(sql, { id, plan: 'FREE' }, 20);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(await usedBy(who)).toBe(30);
  });

  test('is unlimited for the other plans', async () => {
    const id = await fetchBooks(await app.register('PRO'));
    await take(id, 'PRO', 1_000_000);
    await take(id, 'CPA', 1);
  });
});

describe('a plan', () => {
  test('is set by the operator and takes effect at once', async () => {
    const who = await app.register();
    expect(await setPlan(app.deps.database, ` ${who.email.toUpperCase()} `, 'PRO')).toBe(true);
    expect(await who.json('GET', '/v1/account')).toMatchObject({ plan: 'PRO', usage: { transactionLimit: null } });
    expect(await setPlan(app.deps.database, 'nobody@example.com', 'PRO')).toBe(false);
    expect([isPlan('CPA'), isPlan('GOLD')]).toEqual([true, false]);
  });

  test('the list is public and shows prices and limits', async () => {
    const { data } = await (await app.request('GET', '/v1/plans')).json();
    expect(data).toEqual([
      {
        plan: 'FREE',
        price: null,
        transactionLimit: 50,
        aiMessagesPerDay: 5,
        clientLimit: 0,
        importBytesLimit: 20_000_000,
        importLimit: 200,
      },
      {
        plan: 'PRO',
        price: { amount: '49.00', currency: 'USD', interval: 'month' },
        transactionLimit: null,
        aiMessagesPerDay: null,
        clientLimit: 0,
        importBytesLimit: 4_000_000_000,
        importLimit: 10_000,
      },
      {
        plan: 'CPA',
        price: { amount: '499.00', currency: 'USD', interval: 'year' },
        transactionLimit: null,
        aiMessagesPerDay: null,
        clientLimit: 10,
        importBytesLimit: 4_000_000_000,
        importLimit: 10_000,
      },
    ]);
  });
});
