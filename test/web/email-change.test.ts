import { afterAll, beforeAll, test } from 'bun:test';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'lotbook@example.com' } });
});
afterAll(() => site.close());

test('the link sent to the new email address changes the address', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/account', { as: who, expectedErrors: [/422/] });
  const { page } = visit;
  await page.getByLabel('New email address').fill('ann.fields@example.com');
  await page.getByRole('button', { name: 'Send verification link' }).click();
  await page.getByText('We emailed a link to ann.fields@example.com').waitFor();
  const mail = (await site.app.mails()).find(({ to }) => to === 'ann.fields@example.com');
  const link = /http\S+#\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByRole('heading', { name: 'Your email address is changed' }).waitFor();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByText('ann.fields@example.com').first().waitFor();
  await page.goto(new URL('/overview', site.url).href);
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByText('This link was already used').first().waitFor();
  await visit.expectAccessible();
  await visit.close();

  // The previous address reverts the change, and receives a link for a new password.
  const undo = (await site.app.mails()).findLast(({ to, text }) => to === who.email && text.includes('/email/undo'));
  const owner = await site.visit('/', {});
  await owner.page.goto(/http\S+#\S+/.exec(undo?.text ?? '')?.[0] ?? '');
  await owner.page.getByRole('button', { name: 'Keep my address' }).click();
  await owner.page.getByRole('heading', { name: 'Your email address is restored' }).waitFor();
  await owner.expectAccessible();
  const reset = (await site.app.mails()).findLast(
    ({ to, text }) => to === who.email && text.includes('/reset/confirm'),
  );
  await owner.page.goto(/http\S+#\S+/.exec(reset?.text ?? '')?.[0] ?? '');
  await owner.page.getByLabel('New password').fill('a sentence that is new');
  await owner.page.getByRole('button', { name: 'Set password' }).click();
  await owner.page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
  await owner.close();
});
