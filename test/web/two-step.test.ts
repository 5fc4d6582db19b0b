import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Secret, TOTP } from 'otpauth';
import { letTimePass } from '../support/app.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
}, 60_000);
afterAll(() => site.close());

test('an authenticator app is set up, asked for, and replaced by a recovery code', async () => {
  const who = await site.app.register();
  await letTimePass(site.app, 15 * 60);
  const visit = await site.visit('/account', { as: who, expectedErrors: [/401/, /403/] });
  const { page } = visit;
  await page.getByRole('button', { name: 'Set up an app' }).click();
  // What was asked for is done by itself once the proof is given.
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await page.getByLabel('Your password').fill('wrong wrong');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('The password is wrong.').waitFor();
  await visit.expectAccessible();
  await page.getByLabel('Your password').fill(who.password);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
  await visit.expectAccessible();
  const key = ((await page.getByText('Key:').textContent()) ?? '').replace('Key:', '').replaceAll(' ', '');
  await page.getByLabel('Code of the app').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.getByRole('button', { name: 'Confirm the code' }).click();
  await page.getByText('10 are left').waitFor();
  const code = (await page.getByRole('status').locator('code').first().textContent()) ?? '';
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(new URL('/sign-in', site.url).href);
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill(code);
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Nothing is here yet').waitFor();
  expect(await who.request('GET', '/v1/auth/totp').then(({ status }) => status)).toBe(401);
  await visit.close();
}, 60_000);
