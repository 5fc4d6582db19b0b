import { afterAll, beforeAll, expect, test } from 'bun:test';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { mailedToken } from '../support/one-time-tokens.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const verify = (token: string) => app.request('POST', '/v1/auth/email/verify', { body: { token } });
const tokenTo = (email: string) => mailedToken(app, email, '/email/verify');
const isVerified = async (who: TestClient) =>
  (await who.json<{ emailVerified: boolean }>('GET', '/v1/account')).emailVerified;

test('a new account can be used at once, and gets an emailed link that confirms its address once', async () => {
  const who = await app.register('FREE', { isVerified: false });
  expect(await isVerified(who)).toBe(false);
  const token = await tokenTo(who.email);
  expect((await verify(token)).status).toBe(204);
  expect(await isVerified(who)).toBe(true);
  const again = await verify(token);
  expect([again.status, (await again.json()).errors[0].pointer]).toEqual([422, '/token']);
  expect(JSON.stringify(await app.books.asOwner((sql) => sql`select t::text from one_time_tokens t`))).not.toContain(
    token,
  );
});

test('the link expires after three days, can be sent again, and confirms no other address', async () => {
  const who = await app.register('FREE', { isVerified: false });
  const first = await tokenTo(who.email);
  await letTimePass(app, 3 * 86_400);
  expect((await verify(first)).status).toBe(422);
  const proof = await who.request('POST', '/v1/auth/email/verification');
  expect(proof.status).toBe(202);
  const token = await tokenTo(who.email);
  await app.books.asOwner((sql) => sql`update users set email = 'moved@example.com' where email = ${who.email}`);
  expect((await verify(token)).status).toBe(422);
  expect(await isVerified(who)).toBe(false);
});

test('a link that sets a password confirms the address too', async () => {
  const who = await app.register('FREE', { isVerified: false });
  await app.request('POST', '/v1/auth/password/reset', { body: { email: who.email } });
  while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
  const [, token] = /\/reset\/confirm#([a-z2-7]{32})\n/.exec((await app.mails()).at(-1)?.text ?? '') ?? [];
  const body = { token, password: 'a sentence that I remember' };
  expect((await app.request('POST', '/v1/auth/password/reset/confirm', { body })).status).toBe(204);
  const rows = await app.books.asOwner(
    (sql) => sql`select email_verified_at is not null as verified from users where email = ${who.email}`,
  );
  expect([...rows]).toEqual([{ verified: true }]);
});
