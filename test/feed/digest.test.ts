import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import { createDeps } from '../../src/deps.ts';
import { type DigestWork, periodAt, sendDigests, UnsubscribeTokens } from '../../src/features/answers/feed/digest.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';

const day = 86_400_000;
/** This is a Wednesday. */
const clock = testClock('2026-06-03T12:00:00Z');
let app: TestApp;
beforeAll(async () => {
  const env = { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'lotbook@example.com', BASE_URL: 'http://localhost' };
  app = await testApp({ clock, env });
});
afterAll(() => app.close());

const digests = async (client: TestClient) =>
  (await app.mails()).filter(({ to, subject }) => to === client.email && subject.startsWith('Lotbook: '));

async function choose(client: TestClient, digest: string, query = '', status = 200) {
  return client.json('PATCH', `/v1/notifications/settings${query}`, { body: { digest } }, status);
}

async function confirmed(client: TestClient): Promise<TestClient> {
  await app.books.asOwner((sql) => sql`update users set email_verified_at = now() where email = ${client.email}`);
  return client;
}

/** Runs the digests on several servers at once. */
async function sendOn(servers: number): Promise<void> {
  const send = async () => {
    const deps = createDeps({ ...app.deps });
    createApp(deps);
    const work: DigestWork = { tokens: new UnsubscribeTokens(deps), remind: async () => {} };
    await sendDigests(deps, work, AbortSignal.timeout(60_000));
    await deps.jobs.stop(5);
  };
  await Promise.all(Array.from({ length: servers }, send));
}

test("periods start at 7 AM in the taxpayer's time zone, and weeks on Monday", () => {
  expect(periodAt(new Date('2026-06-03T06:59:00Z'), 'UTC', 'daily')).toBe('2026-06-02');
  expect(periodAt(new Date('2026-06-03T07:00:00Z'), 'UTC', 'daily')).toBe('2026-06-03');
  expect(periodAt(new Date('2026-06-03T13:59:00Z'), 'America/Los_Angeles', 'daily')).toBe('2026-06-02');
  expect(periodAt(new Date('2026-06-07T12:00:00Z'), 'UTC', 'weekly')).toBe('2026-06-01');
  expect(periodAt(new Date('2026-06-08T07:00:00Z'), 'UTC', 'weekly')).toBe('2026-06-08');
});

test('a confirmed address gets one email a day about new unread notifications, from only one of the servers', async () => {
  const ann = await app.register('FREE', { isVerified: false });
  expect(await ann.json<object>('GET', '/v1/notifications/settings')).toMatchObject({ digest: 'off' });
  expect(await choose(ann, 'daily', '', 409)).toMatchObject({ code: 'conflict' });
  await confirmed(ann);
  await importCsv(ann, csvOf('buy 2026-01-05 1 OLD @100 #a'));
  expect(await choose(ann, 'daily')).toMatchObject({ digest: 'daily' });
  await sendOn(3);
  expect(await digests(ann)).toHaveLength(0);

  await importCsv(ann, csvOf('buy 2026-01-06 1 <NEW> @100 #b', 'buy nonsense 1 X @1'));
  clock.move(day);
  await sendOn(3);
  const [mail, ...others] = await digests(ann);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Lotbook: 1 new notification');
  expect(mail?.text).toContain('Import finished: items to review\nYour file: 1 new transaction');
  expect(mail?.text).toContain('http://localhost/notifications\n');
  expect(mail?.html).toContain('<strong>Import finished: items to review</strong>');
  // The next day has nothing new, and the digest excludes notifications that were read.
  clock.move(day);
  await sendOn(1);
  await importCsv(ann, csvOf('buy 2026-01-07 1 READ @100 #c'));
  await ann.json('POST', '/v1/notifications/read');
  clock.move(day);
  await sendOn(1);
  expect(await digests(ann)).toHaveLength(1);
});

test('a weekly digest waits for Monday, and is sent later if the server dies before it hands over the email', async () => {
  const bob = await app.register();
  clock.move(Date.parse('2026-06-10T12:00:00Z') - clock.now().getTime());
  await choose(bob, 'weekly');
  await importCsv(bob, csvOf('buy 2026-01-05 1 X @100 #a'));
  clock.move(4 * day);
  await sendOn(1);
  expect(await digests(bob)).toHaveLength(0);
  clock.move(day);
  const dying = createDeps(app.deps);
  dying.jobs.sendMail = () => Promise.reject(new Error('gone'));
  const work: DigestWork = { tokens: new UnsubscribeTokens(dying), remind: async () => {} };
  await sendDigests(dying, work, AbortSignal.timeout(60_000));
  expect(await digests(bob)).toHaveLength(0);
  await sendOn(2);
  await sendOn(1);
  expect((await digests(bob)).map(({ text }) => text.includes('since the last weekly email'))).toEqual([true]);
});

test('an email about a client names the books and links to them, and its unsubscribe links work without a session', async () => {
  const cpa = await confirmed(await app.register('CPA'));
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Kim & Lee' } }, 201);
  await choose(cpa, 'daily', `?client=${id}`);
  expect(await cpa.json<object>('GET', '/v1/notifications/settings')).toMatchObject({ digest: 'off' });
  await importCsv(cpa, csvOf('buy 2026-01-05 1 X @100 #a'), `?client=${id}`);
  clock.move(day);
  await sendOn(1);
  const [mail] = await digests(cpa);
  expect(mail?.subject).toBe('Lotbook: 1 new notification for Kim & Lee');
  expect(mail?.text).toContain(`http://localhost/notifications?client=${id}`);
  const stop = new URL(mail?.unsubscribeUrl ?? '');
  expect(mail?.text).toContain(`http://localhost/unsubscribe#${stop.searchParams.get('token')}`);

  const path = stop.pathname + stop.search;
  const post = async (address: string) =>
    (await app.request('POST', address, { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })).status;
  expect((await app.request('GET', path)).status).toBe(405);
  expect(await post(`${path.slice(0, -4)}AAAA`)).toBe(422);
  expect(await post(path.replace(/token=.*/, 'token=x'))).toBe(422);
  expect(await cpa.json<object>('GET', `/v1/notifications/settings?client=${id}`)).toMatchObject({ digest: 'daily' });
  expect(await post(path)).toBe(204);
  expect(await post(path)).toBe(204);
  expect(await cpa.json<object>('GET', `/v1/notifications/settings?client=${id}`)).toMatchObject({ digest: 'off' });
});

test('servers share one schedule, and one of them runs each job with its reminders', async () => {
  const dan = await app.register();
  await choose(dan, 'daily');
  const sold = clock.now().toISOString().slice(0, 10);
  clock.move(day);
  await importCsv(dan, csvOf('buy 2026-01-05 1 LOSS @100 #a', `sell ${sold} 1 LOSS @40 #b`));
  await dan.json('POST', '/v1/notifications/read');
  clock.move(day);
  // These jobs were queued while no server was running.
  await app.books.asOwner((sql) => sql`insert into jobs.job (name, policy) values ('digests', 'exclusive')`);
  const servers = [1, 2].map(() => createDeps({ ...app.deps }));
  for (const deps of servers) {
    createApp(deps);
    await deps.jobs.start();
  }
  const schedules = await app.books.asOwner(
    (sql) => sql<{ name: string; cron: string }[]>`select name, cron from jobs.schedule order by name`,
  );
  expect([...schedules]).toEqual([
    { name: 'digests', cron: '5 * * * *' },
    { name: 'erasures', cron: '35 * * * *' },
  ]);
  const until = Date.now() + 60_000;
  while ((await digests(dan)).length === 0 && Date.now() < until) await Bun.sleep(50);
  expect((await digests(dan)).map(({ text }) => text.includes('Buying LOSS by'))).toEqual([true]);
  await Promise.all(servers.map((deps) => deps.jobs.stop(5)));
});
