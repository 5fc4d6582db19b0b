import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

test('a lost password is reset by the emailed link, which works once', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/sign-in', { expectedErrors: [/422/] });
  const { page } = visit;
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
  await visit.expectAccessible();
  await page.getByLabel('Email').fill(who.email);
  await page.getByRole('button', { name: 'Request link' }).click();
  await page.getByText(`If ${who.email} has an account`).waitFor();
  await visit.expectAccessible();
  const link = /http\S+#\S+/.exec((await site.app.mails()).at(-1)?.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await visit.expectAccessible();
  await page.getByLabel('New password').fill('a sentence that I remember');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
  expect((await who.request('GET', '/v1/account')).status).toBe(401);
  await page.goto('about:blank');
  await page.goto(link);
  // No password is typed first.
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  await visit.expectAccessible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  // The previous page also has such a field.
  await page.getByLabel('Password').fill('a sentence that I remember');
  await page.getByLabel('Email').fill(who.email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
  await visit.close();
});
