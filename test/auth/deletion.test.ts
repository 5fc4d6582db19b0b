import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { eraseNow } from '../support/erasure.ts';

const rows = (from: number): string =>
  ['date,type,account,asset,quantity,amount']
    .concat(
      Array.from({ length: 40 }, (_, at) => `2024-0${1 + (at % 9)}-03,${at % 2 ? 'sell' : 'buy'},B,X,1,${from + at}`),
    )
    .join('\n');
const buy = { date: '2024-05-01', type: 'buy', account: 'B', asset: 'X', quantity: '1', amount: '7' };

/** Deletes an account while requests of every kind are in progress. */
const underWay: readonly ((who: TestClient, turn: number) => Promise<Response>)[] = [
  (who, turn) => who.request('POST', '/v1/clients', { body: { name: `Client ${turn}`, tin: '123-45-6789' } }),
  (who, turn) =>
    who.request('POST', '/v1/transactions/import', { body: rows(turn), headers: { 'content-type': 'text/csv' } }),
  (who) => who.request('POST', '/v1/transactions', { body: buy }),
  (who) => who.request('POST', '/v1/tax/calculate', { body: {} }),
  (who) => who.request('POST', '/v1/tax/reports', { body: { year: 2024 } }),
  (who) => who.request('PATCH', '/v1/tax/settings', { body: { method: 'HIFO' } }),
  (who) => who.request('PATCH', '/v1/account', { body: { timeZone: 'America/New_York' } }),
  (who) => who.request('POST', '/v1/ai/messages', { body: { content: 'What is my gain of 2024?' } }),
  (who) =>
    who.request('POST', '/v1/prices', {
      body: 'date,asset,usd\n2024-01-01,X,1',
      headers: { 'content-type': 'text/csv' },
    }),
  (who) => who.request('POST', '/v1/tax/years/2024/lock'),
  (who) => who.request('POST', '/v1/auth/tokens', { body: { name: 'Late', scopes: ['read'], days: 30 } }),
  (who) =>
    who.request('POST', '/v1/invitations', { body: { kind: 'request', email: 'a@example.org', role: 'viewer' } }),
  (who) => who.request('GET', '/v1/tax/harvest'),
  (who) => who.request('GET', '/v1/tax/summary?year=2024'),
  // From another browser, because a sign-in ends the session of its own one.
  (who) => who.request('POST', '/v1/auth/login', { cookie: '', body: { email: who.email, password: who.password } }),
];

describe.each([
  ['at once', '0'],
  ['after a grace period', '14'],
])('an account that is erased %s', (_when, days) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({ env: { DELETION_GRACE_DAYS: days } });
  });
  afterAll(() => app.close());

  test('is deleted during requests of every kind without a 500 or leftovers', async () => {
    const faults: string[] = [];
    for (let round = 0; round < 5; round++) {
      const who = await app.register('CPA');
      await who.request('POST', '/v1/transactions/import', { body: rows(1), headers: { 'content-type': 'text/csv' } });
      const asked = underWay.map(async (ask, turn) => {
        await Bun.sleep(((turn * 7 + round * 3) % 13) * 4);
        const response = await ask(who, turn);
        const text = await response.text();
        if (response.status >= 500 && response.status !== 503) faults.push(`${turn}: ${response.status} ${text}`);
      });
      await Bun.sleep(round * 6);
      const deletion = { body: { password: who.password } };
      const deleted = await who.request('DELETE', '/v1/account', deletion);
      await Promise.all(asked);
      expect([204, 503]).toContain(deleted.status);
      if (deleted.status === 503) await who.request('DELETE', '/v1/account', deletion);
    }
    expect(faults).toEqual([]);
    expect([...(await usable(app))]).toEqual([]);
    await letTimePass(app, 15 * 86_400);
    // Two servers that share a database.
    await Promise.all([eraseNow(app), eraseNow(app)]);
    expect(await orphans(app)).toEqual([]);
    expect(await usersLeft(app)).toBe(0);
  });
});

/** Returns everything that could still give access to a deleted account. */
function usable({ books }: TestApp) {
  return books.asOwner(
    (sql) => sql<{ what: string; id: string }[]>`
      select 'session' as what, id from sessions union all select 'token', id from access_tokens
      union all select 'grant', user_id::text from memberships where role not in ('owner', 'manager')`,
  );
}

async function usersLeft({ books }: TestApp): Promise<number> {
  const [row] = await books.asOwner((sql) => sql<{ count: number }[]>`select count(*)::integer as count from users`);
  return row?.count ?? -1;
}

/** Returns taxpayers that no user can access, and rows of taxpayers that no longer exist. */
async function orphans({ books }: TestApp): Promise<string[]> {
  return books.asOwner(async (sql) => {
    // Uses separate queries: on a cluster, memberships and books are on different servers.
    const books = (await sql<{ id: string }[]>`select id from taxpayers`).map(({ id }) => id);
    const reached = await sql<{ id: string }[]>`select taxpayer_id as id from memberships`;
    const unreached = books.filter((id) => !reached.some((one) => one.id === id));
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'taxpayer_id'`;
    const found = unreached.map((id) => `taxpayers ${id}`);
    for (const { name } of tables) {
      const left = await sql`
        select 1 from ${sql(name)} r where r.taxpayer_id <> all(${books}::uuid[]) limit 1`;
      if (left.length > 0) found.push(name);
    }
    return found;
  });
}
