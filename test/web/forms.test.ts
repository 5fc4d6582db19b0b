import { afterAll, beforeAll, expect, test } from 'bun:test';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

test('a form names what it does, shows an error at its field, and sends what people type as exact values', async () => {
  const who = await site.app.register('PRO');
  await importCsv(who, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Broker,KO,2000,60000\n');
  const visit = await site.visit('/settings/balances', { as: who, expectedErrors: [/422/] });
  const { page } = visit;
  const until = Promise.withResolvers<void>();
  await page.route('**/v1/balances', async (route) => {
    if (route.request().method() === 'POST') await until.promise;
    await route.continue();
  });
  await page.getByLabel('Asset').fill('KO');
  await page.getByLabel('As of (end of day)').fill('Dec 31, 2024');
  await page.getByLabel('Quantity').fill('1,060.5');
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await page.getByRole('button', { name: 'Saving…' }).isDisabled()).toBe(true);
  until.resolve();
  // No account is chosen. The server says so, and the field has the focus.
  const account = page.locator('select:focus[aria-invalid=true]');
  await account.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await visit.expectAccessible();
  await account.selectOption('Broker');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Balance saved: KO in Broker.').waitFor();
  const { data } = await who.json<{ data: { on: string; quantity: string }[] }>('GET', '/v1/balances');
  expect(data).toMatchObject([{ on: '2024-12-31', quantity: '1060.5' }]);
  // The next balance of a statement has the same account and day.
  expect(await page.getByLabel('As of (end of day)').inputValue()).toBe('Dec 31, 2024');
  expect(await page.getByLabel('Quantity').inputValue()).toBe('');

  await page.goto(new URL('/settings/years', site.url).href);
  await page.getByRole('button', { name: 'Change 2024' }).click();
  const income = page.getByLabel('Taxable income without capital gains');
  await income.fill('about 90');
  await income.blur();
  await page.getByText('Enter an amount like 7,500 or 7500.00.').waitFor();
  await income.fill('$98,500.75');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tax year 2024 saved.').waitFor();
  const settings = await who.json<{ taxableIncome: unknown }>('GET', '/v1/tax/settings');
  expect(settings.taxableIncome).toEqual({ 2024: '98500.75' });
  await visit.close();
});
