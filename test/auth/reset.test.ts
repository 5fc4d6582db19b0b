import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { resetLink } from '../../src/features/people/auth/reset.routes.ts';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { BASE_URL: 'https://lotbook.example' } });
});
afterAll(() => app.close());

const ask = (email: string) => app.request('POST', '/v1/auth/password/reset', { body: { email } });
const confirm = (token: string, password = 'a better horse') =>
  app.request('POST', '/v1/auth/password/reset/confirm', { body: { token, password } });
const login = (email: string, password: string) => app.request('POST', '/v1/auth/login', { body: { email, password } });

/** Waits for all background work. */
async function settled(): Promise<void> {
  while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
}

async function mailedToken(who: TestClient): Promise<string> {
  await ask(who.email);
  await settled();
  const mail = (await app.mails()).findLast(({ to, text }) => to === who.email && text.includes('#'));
  return /https:\/\/lotbook\.example\/reset\/confirm#([a-z2-7]{32})\n/.exec(mail?.text ?? '')?.[1] ?? '';
}

describe('a password reset', () => {
  test('sets the new password with the emailed link, ends all sessions, and sends an email about it', async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    expect((await confirm(token)).status).toBe(204);
    expect((await who.request('GET', '/v1/account')).status).toBe(401);
    expect((await login(who.email, who.password)).status).toBe(401);
    expect((await login(who.email, 'a better horse')).status).toBe(200);
    await settled();
    const subjects = (await app.mails()).filter(({ to }) => to === who.email).map(({ subject }) => subject);
    expect(subjects).toContain('Your Lotbook password was changed');
  });

  test('works once, even if two people use the link at the same time', async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    const statuses = await Promise.all([confirm(token), confirm(token), confirm(token)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 422, 422]);
    const again = await confirm(token);
    expect([again.status, (await again.json()).errors[0].pointer]).toEqual([422, '/token']);
  });

  test('expires after thirty minutes', async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    await letTimePass(app, 30 * 60);
    expect((await confirm(token)).status).toBe(422);
    expect((await who.request('GET', '/v1/account')).status).toBe(200);
  });

  test('leaves the link valid after a new password of the wrong length is refused', async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    expect((await confirm(token, 'short')).status).toBe(422);
    expect((await confirm(token)).status).toBe(204);
  });

  test('becomes invalid when the password changes', async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    const body = { current: who.password, password: 'another horse' };
    expect((await who.request('POST', '/v1/auth/password', { body })).status).toBe(204);
    expect((await confirm(token)).status).toBe(422);
  });

  test('returns the same response with and without an account, and sends email only to account owners', async () => {
    const who = await app.register();
    const before = (await app.mails()).length;
    for (const email of [who.email, 'nobody@example.com', 'no address', '']) {
      const response = await ask(email);
      expect([email, response.status, await response.text()]).toEqual([email, 202, '']);
    }
    await settled();
    expect((await app.mails()).slice(before).map(({ to }) => to)).toEqual([who.email]);
  });

  test("cannot fill a mailbox or invalidate the owner's link when others request it", async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    for (let turn = 0; turn < 10; turn += 1) await ask(who.email);
    await settled();
    const mails = (await app.mails()).filter(({ to, text }) => to === who.email && text.includes('/reset/confirm'));
    expect(mails).toHaveLength(3);
    expect((await confirm(token)).status).toBe(204);
  });

  test('stores no token, and does not apply to demo books', async () => {
    const who = await app.register();
    const token = await mailedToken(who);
    const rows = await app.books.asOwner((sql) => sql`select t::text as text from one_time_tokens t`);
    expect(JSON.stringify(rows)).not.toContain(token);
    await app.books.asOwner((sql) => sql`update users set is_demo = true where email = ${who.email}`);
    expect(await resetLink({ database: app.books.database, config: app.deps.config }, who.email)).toBeUndefined();
  });

  test("the operator's link works in the same way, even for an account that has reached its limit of links", async () => {
    const who = await app.register();
    for (let turn = 0; turn < 3; turn += 1) await mailedToken(who);
    const link = await resetLink(
      { database: app.books.database, config: app.deps.config },
      ` ${who.email.toUpperCase()} `,
    );
    expect(link).toStartWith('https://lotbook.example/reset/confirm#');
    expect((await confirm(link?.split('#')[1] ?? '')).status).toBe(204);
    expect(
      await resetLink({ database: app.books.database, config: app.deps.config }, 'no@example.com'),
    ).toBeUndefined();
  });
});
