import { afterAll, beforeAll, expect, test } from 'bun:test';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { mailedToken } from '../support/one-time-tokens.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const ask = (who: TestClient, email: string, password = who.password) =>
  who.request('POST', '/v1/auth/email', { body: { email, password } });
const confirm = (token: string) => app.request('POST', '/v1/auth/email/confirm', { body: { token } });
const tokenTo = (email: string) => mailedToken(app, email, '/email/confirm');

test('an address changes once, when its owner confirms it, and the old address is notified before and after', async () => {
  const who = await app.register();
  expect((await ask(who, 'New1@Example.com', 'wrong horse')).status).toBe(401);
  expect((await ask(who, 'New1@Example.com')).status).toBe(202);
  expect(await who.json('GET', '/v1/account')).toMatchObject({ email: who.email });
  const token = await tokenTo('new1@example.com');
  expect((await confirm(token)).status).toBe(204);
  expect((await confirm(token)).status).toBe(422);
  expect(await who.json('GET', '/v1/account')).toMatchObject({ email: 'new1@example.com' });
  expect((await app.mails()).filter(({ to }) => to === who.email).map(({ subject }) => subject)).toEqual([
    'Confirm your email address for Lotbook',
    'A new email address for your Lotbook account',
    'The email address of your Lotbook account was changed',
  ]);
});

test('a link expires after an hour or when a newer one is sent', async () => {
  const who = await app.register();
  await ask(who, 'new2@example.com');
  const first = await tokenTo('new2@example.com');
  await ask(who, 'new3@example.com');
  expect((await confirm(first)).status).toBe(422);
  await letTimePass(app, 3600);
  expect((await confirm(await tokenTo('new3@example.com'))).status).toBe(422);
});

test('an address in use gets the same response but no link, and one that is registered in the meantime is refused', async () => {
  const [mine, theirs] = [await app.register(), await app.register()];
  const before = (await app.mails()).length;
  expect((await ask(mine, theirs.email)).status).toBe(202);
  expect((await app.mails()).slice(before).map(({ to }) => to)).toEqual([mine.email]);
  await ask(mine, 'late@example.com');
  const body = { email: 'late@example.com', password: 'correct horse battery' };
  expect((await app.request('POST', '/v1/auth/register', { body })).status).toBe(201);
  expect((await confirm(await tokenTo('late@example.com'))).status).toBe(409);
  expect((await ask(mine, 'a@b')).status).toBe(422);
});
