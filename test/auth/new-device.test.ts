import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, testApp, testClock } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: testClock('2026-02-01T12:34:56Z') });
});
afterAll(() => app.close());

const credentials = { email: 'ann@example.com', password: 'correct horse battery' };

/** Omits the email to a new account. */
const mails = async () => (await app.mails()).filter(({ subject }) => !subject.startsWith('Confirm your'));

async function signIn(verb: 'register' | 'login', device: string, cookie = '', body: object = credentials) {
  const response = await app.request('POST', `/v1/auth/${verb}`, { body, cookie, headers: { 'user-agent': device } });
  while (app.deps.lifecycle.inFlight > 0) await Bun.sleep(2);
  const line = response.headers.getSetCookie().find((each) => each.startsWith('device='));
  return { status: response.status, device: line?.split(';')[0] ?? '' };
}

test('the owner gets one email about a sign-in from each new browser', async () => {
  const home = await signIn('register', 'Home');
  expect(await mails()).toHaveLength(0);
  await signIn('login', 'Home', home.device);
  expect(await mails()).toHaveLength(0);

  expect((await signIn('login', 'Phone', '', { ...credentials, password: 'wrong horse' })).status).toBe(401);
  expect(await mails()).toHaveLength(0);
  const phone = await signIn('login', 'Phone <b>of</b> somebody');
  expect(await mails()).toHaveLength(1);
  const [mail] = await mails();
  expect(mail?.to).toBe(credentials.email);
  expect(mail?.text).toContain('2026-02-01 12:34 UTC');
  expect(mail?.text).toContain('Phone <b>of</b> somebody');
  expect(mail?.html).toContain('Phone &lt;b&gt;of&lt;/b&gt; somebody');
  expect(mail?.text).toContain('/reset');
  await signIn('login', 'Phone', phone.device);
  expect(await mails()).toHaveLength(1);
});

test('a browser known to one account is new to another, and keeps its cookie', async () => {
  const bob = { email: 'bob@example.com', password: 'another horse battery' };
  const shared = await signIn('register', 'Shared', '', bob);
  const before = (await mails()).length;
  expect(await signIn('login', 'Shared', shared.device)).toEqual({ status: 200, device: shared.device });
  expect((await mails()).slice(before).map(({ to }) => to)).toEqual([credentials.email]);
  await signIn('login', 'Shared', shared.device, bob);
  expect((await mails()).length).toBe(before + 1);
});
