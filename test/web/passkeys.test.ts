import { afterAll, beforeAll, expect, test } from 'bun:test';
import { letTimePass } from '../support/app.ts';
import { signOut } from '../support/frame.ts';
import { type Site, siteWithBrowser, virtualAuthenticator } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

test('a passkey is added, confirms the user, signs in, is renamed and removed', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/account/security', { as: who, expectedErrors: [/401/, /403/] });
  const { page } = visit;
  const authenticator = await virtualAuthenticator(page);
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('row', { name: /Laptop/ }).waitFor();
  expect(await page.getByRole('status').locator('code').count()).toBe(10);
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  await visit.expectAccessible();
  // The same device creates no second passkey.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('This device already has a passkey for this account.').waitFor();

  await letTimePass(site.app, 15 * 60);
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Your old codes stop working.').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.notice code').length === 20);
  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Work laptop');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.getByRole('row', { name: /Work laptop/ }).waitFor();

  await signOut(page);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(new URL('/sign-in', site.url).href);
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Or use your passkey below.').waitFor();
  await visit.expectAccessible();
  await authenticator.refuse(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('No passkey was used.').waitFor();
  await authenticator.refuse(false);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();

  await page.goto(new URL('/account/security', site.url).href);
  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByText('Passkey “Work laptop” removed.').waitFor();
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor({ state: 'detached' });
  const body = { email: who.email, password: who.password };
  expect((await site.app.request('POST', '/v1/auth/login', { body })).status).toBe(200);
  await visit.close();
});
