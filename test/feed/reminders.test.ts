import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, elect, fetchAll, importCsv } from '../support/books.ts';

const day = 86_400_000;
const clock = testClock('2026-06-01T12:00:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});
afterAll(() => app.close());

interface FeedReminder {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

async function fetchReminders(client: TestClient, kind: string, query = ''): Promise<FeedReminder[]> {
  const all = await fetchAll<FeedReminder>(client, `/v1/notifications${query}`);
  return all.filter((one) => one.kind === kind);
}

/** Moves the clock, then uses the books in several requests at once. */
async function nextDay(client: TestClient, days = 1): Promise<void> {
  clock.move(days * day);
  await Promise.all(Array.from({ length: 4 }, () => client.json('GET', '/v1/tax/years')));
}

test('lots that turn long-term within 30 days are announced once each', async () => {
  const ann = await app.register();
  await elect(ann, { accounts: { Roth: { type: 'ira' } } });
  const rows = csvOf(
    'buy 2025-06-02 3 SOON @300 #a',
    'buy 2025-06-02 4 SHELTERED @300 #b !Roth',
    'buy 2025-07-02 5 EDGE @300 #c',
    'buy 2025-07-03 6 LATER @300 #d',
    'buy 2025-05-31 7 LONG @300 #e',
  );
  await importCsv(ann, rows);
  // The date is June 2. SOON turns long-term tomorrow, and EDGE on July 3, in 31 days.
  await nextDay(ann);
  const soon = await fetchReminders(ann, 'long_term_soon');
  expect(soon.map(({ title, link }) => [title, link])).toEqual([
    ['3 SOON: long-term on 2026-06-03', '/v1/tax/lots?asset=SOON'],
  ]);
  expect(soon[0]?.body).toContain('3 SOON in Broker on 2026-06-03');
  await nextDay(ann);
  expect((await fetchReminders(ann, 'long_term_soon')).map(({ title }) => title)).toEqual([
    '5 EDGE: long-term on 2026-07-03',
    '3 SOON: long-term on 2026-06-03',
  ]);
  await importCsv(ann, csvOf('buy 2025-07-01 1 MORE @10 #f', 'buy 2025-06-20 2 MORE @20 #g'));
  await nextDay(ann);
  const [both] = await fetchReminders(ann, 'long_term_soon');
  expect(both?.title).toBe('3 lots become long-term within 30 days');
  expect(both?.body).toContain('2 MORE in Broker on 2026-06-21; 1 MORE in Broker on 2026-07-02; 6 LATER');
  expect(both?.link).toBe('/v1/tax/lots');
  await nextDay(ann);
  await nextDay(ann);
  expect(await fetchReminders(ann, 'long_term_soon')).toHaveLength(3);
});

test('a loss in an open wash sale window is announced once, with the loss that a purchase would still deny', async () => {
  clock.move(Date.parse('2026-09-09T12:00:00Z') - clock.now().getTime());
  const bob = await app.register();
  const rows = csvOf(
    'buy 2026-01-05 10 OPEN @1000 #a',
    'sell 2026-09-01 10 OPEN @750 #b',
    'buy 2026-01-05 10 GAIN @1000 #c',
    'sell 2026-09-01 10 GAIN @1100 #d',
    'buy 2026-01-05 10 WASHED @1000 #e',
    'sell 2026-09-01 10 WASHED @900 #f',
    'buy 2026-09-05 10 WASHED @900 #g',
    'buy 2026-01-05 10 HALF @1000 #h',
    'sell 2026-09-02 10 HALF @900 #i',
    'buy 2026-09-05 5 HALF @450 #j',
    'buy 2026-01-05 10 CLOSED @1000 #k',
    'sell 2026-08-10 10 CLOSED @800 #l',
  );
  await importCsv(bob, rows);
  await nextDay(bob);
  const [both, ...others] = await fetchReminders(bob, 'wash_window');
  expect(others).toEqual([]);
  expect([both?.title, both?.link]).toEqual([
    'Buying back 2 positions within 30 days would cause wash sales',
    '/v1/tax/disposals',
  ]);
  expect(both?.body).toContain('OPEN in Broker, sold on 2026-09-01 at a loss of $250.00: until 2026-10-01; HALF');
  expect(both?.body).toContain('HALF in Broker, sold on 2026-09-02 at a loss of $50.00: until 2026-10-02.');
  await importCsv(bob, csvOf('buy 2026-09-08 1 A&B @100 #x', 'sell 2026-09-10 1 A&B @40 #y'));
  await nextDay(bob);
  const [one] = await fetchReminders(bob, 'wash_window');
  expect([one?.title, one?.link]).toEqual([
    'Buying A&B by 2026-10-10 would cause a wash sale',
    '/v1/tax/disposals?asset=A%26B',
  ]);
  await nextDay(bob, 25);
  expect(await fetchReminders(bob, 'wash_window')).toHaveLength(2);
  // The link leads to the line.
  expect(await fetchAll(bob, one?.link ?? '')).toHaveLength(1);
});

test('only one of several servers sends a reminder, and a disabled kind is never sent, not even later', async () => {
  const [cpa, off] = [await app.register('CPA'), await app.register()];
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Kim' } }, 201);
  const on = new Date(clock.now().getTime() - 3 * day).toISOString().slice(0, 10);
  const rows = csvOf('buy 2026-01-05 1 TWO @100 #a', `sell ${on} 1 TWO @40 #b`);
  await importCsv(cpa, rows, `?client=${id}`);
  await importCsv(off, rows);
  await off.json('PATCH', '/v1/notifications/settings', { body: { kinds: { wash_window: false } } });
  const servers = [1, 2, 3].map(() => app.another().app);
  clock.move(day);
  const ask = (server: (typeof servers)[number]) =>
    server.fetch(new Request(`http://localhost/v1/tax/years?client=${id}`, { headers: { cookie: cpa.cookie } }));
  const answers = await Promise.all(servers.map(ask));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const said = await fetchReminders(cpa, 'wash_window', `?client=${id}`);
  expect(said.map(({ link }) => link)).toEqual([`/v1/tax/disposals?asset=TWO&client=${id}`]);
  expect(await fetchAll(cpa, said[0]?.link ?? '')).toHaveLength(1);
  expect(await fetchReminders(cpa, 'wash_window')).toEqual([]);
  await nextDay(off);
  await off.json('PATCH', '/v1/notifications/settings', { body: { kinds: { wash_window: true } } });
  await nextDay(off);
  expect(await fetchReminders(off, 'wash_window')).toEqual([]);
});

test('the plan limit reminder is sent once, at 80% or above, and never without a limit', async () => {
  const [free, pro] = [await app.register(), await app.register('PRO')];
  const rows = (first: number, count: number) =>
    csvOf(...Array.from({ length: count }, (_, at) => `buy 2020-01-05 1 X @100 #n${first + at}`));
  await importCsv(free, rows(0, 39));
  expect(await fetchReminders(free, 'limit_near')).toEqual([]);
  const body = { type: 'buy', date: '2020-01-06', account: 'Broker', asset: 'X', quantity: '1', amount: '100' };
  await free.json('POST', '/v1/transactions', { body }, 201);
  await importCsv(free, rows(39, 5));
  expect((await fetchReminders(free, 'limit_near')).map(({ title, link }) => [title, link])).toEqual([
    ["You've used 40 of the 50 transactions in your plan", '/v1/plans'],
  ]);
  await importCsv(pro, rows(0, 60));
  expect(await fetchReminders(pro, 'limit_near')).toEqual([]);
});

test('reminders about the last clients and the last questions of a plan are sent once each', async () => {
  const [cpa, free] = [await app.register('CPA'), await app.register()];
  const add = (at: number) => cpa.json('POST', '/v1/clients', { body: { name: `Client ${at}` } }, 201);
  for (let at = 1; at <= 8; at++) await add(at);
  expect(await fetchReminders(cpa, 'limit_near')).toEqual([]);
  await add(9);
  const ninth = await fetchAll<{ id: string }>(cpa, '/v1/clients');
  await add(10);
  await cpa.json('DELETE', `/v1/clients/${ninth.at(-1)?.id}`);
  await add(11);
  const fetchTitles = async (who: TestClient) =>
    (await fetchReminders(who, 'limit_near')).map(({ title }) => title).sort();
  expect(await fetchTitles(cpa)).toEqual([
    "You've used 10 of the 10 clients in your plan",
    "You've used 9 of the 10 clients in your plan",
  ]);
  const ask = () => free.json('POST', '/v1/ai/messages', { body: { content: 'What did I gain in 2024?' } }, 201);
  for (let at = 1; at <= 3; at++) await ask();
  expect(await fetchTitles(free)).toEqual([]);
  await ask();
  await ask();
  expect(await fetchTitles(free)).toEqual(["You've used 4 of 5 questions today"]);
});

test("a sign-in from a new browser appears in that user's feed", async () => {
  const dan = await app.register();
  const body = { email: dan.email, password: dan.password };
  const headers = { 'user-agent': 'Phone <b>' };
  const response = await app.request('POST', '/v1/auth/login', { body, headers });
  const cookie = response.headers
    .getSetCookie()
    .find((line) => line.startsWith('device='))
    ?.split(';')[0];
  await app.request('POST', '/v1/auth/login', { body, headers, cookie: cookie ?? '' });
  const said = await fetchReminders(dan, 'new_sign_in');
  expect(said.map(({ link }) => link)).toEqual(['/v1/auth/sessions']);
  expect(said[0]?.body).toContain('Phone <b>');
});
