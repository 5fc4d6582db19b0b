import { afterAll, beforeAll, expect, test } from 'bun:test';
import { signOut } from '../support/frame.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const password = 'a sentence to remember';

test('says that the session has ended, and returns to the same page after the sign-in', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/transactions', { as: who, expectedErrors: [/401/] });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Transactions', exact: true }).waitFor();
  await who.request('DELETE', '/v1/auth/sessions');
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Transactions', exact: true }).waitFor();
  // The session ends while a page is open.
  await visit.context.clearCookies();
  // Another request of the page may notice first, and replace it.
  await page
    .getByRole('link', { name: 'Import' })
    .first()
    .click({ timeout: 1_000 })
    .catch(() => {});
  await page.getByText('Your session has ended. Sign in to continue where you left off.').waitFor();
  await visit.expectAccessible();
  await visit.close();
});

test('follows a sign-in and a sign-out in another tab', async () => {
  await site.app.request('POST', '/v1/auth/register', { body: { email: 'two.tabs@example.com', password } });
  const visit = await site.visit('/sign-in');
  const { page, context } = visit;
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const other = await context.newPage();
  await other.goto(new URL('/transactions', site.url).href);
  await page.getByLabel('Email').fill('two.tabs@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('heading', { name: 'Transactions', exact: true }).waitFor();
  await signOut(other);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await visit.close();
});

test('loads a page that could not be loaded while offline as soon as the connection is back', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/notifications', {
    as: who,
    expectedErrors: [/ERR_INTERNET_DISCONNECTED/, /Failed/],
  });
  const { page, context } = visit;
  await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor();
  await context.setOffline(true);
  // The code of this page is not loaded yet.
  await page.getByRole('link', { name: 'Transactions' }).first().click();
  await page.getByText('This page could not be loaded').waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Transactions', exact: true }).waitFor();
  await visit.close();
});

test('shows the error of a field once, in plain words, and the password on request', async () => {
  const visit = await site.visit('/register', { expectedErrors: [/422/] });
  const { page } = visit;
  await page.getByLabel('Email').fill('x@a');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  const error = page.getByText('Enter a valid email address, like name@example.com');
  await error.waitFor();
  expect(await error.count()).toBe(1);
  expect(await page.getByLabel('Email').evaluate((input) => input === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('text');
  await visit.expectAccessible();
  await visit.close();
});

test('a CPA passes on an invitation link on a server without email, and the client accepts it', async () => {
  const [cpa, client] = [await site.app.register('CPA'), await site.app.register()];
  const visit = await site.visit('/clients', { as: cpa });
  const { page } = visit;
  await page.getByRole('button', { name: 'Invite a client' }).click();
  await page.getByLabel("Client's email").fill(client.email);
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'New link' }).waitFor();
  expect(await page.getByRole('button', { name: 'Resend link' }).count()).toBe(0);
  await visit.close();
  const theirs = await site.visit(new URL(link).pathname, { as: client });
  await theirs.page.getByText("This server can't send email, so ask").waitFor();
  await theirs.page.goto(link);
  await theirs.page.reload();
  await theirs.page.getByRole('button', { name: 'Give access' }).click();
  await theirs.page.getByText(`${cpa.email} now has access.`).waitFor();
  await theirs.close();
});
