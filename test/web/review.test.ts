import { afterAll, beforeAll, expect, test } from 'bun:test';
import { csvOf, importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const books = csvOf(
  ...['sell 2024-01-05 3 VVV @300 #s1', 'sell 2024-02-05 3 VVV @600 #s2', 'sell 2024-02-06 5 OLD @80 #s3'],
  ...['buy 2024-01-02 1 BND @100 #b1 !IRA_1111', 'sell 2024-03-05 1 BND @190 #s4 !IRA_1111'],
);

test('items are listed by cause, answered by keyboard with the effect shown first, and undone', async () => {
  const who = await site.app.register('PRO');
  await importCsv(who, books);
  const visit = await site.visit('/review', { as: who });
  const { page } = visit;
  const list = page.getByRole('list', { name: 'Items to review' });
  await list.getByRole('listitem').first().waitFor();
  expect(await list.getByRole('link').allTextContents()).toEqual([
    ...['Missing purchase: VVV$900.00Valvoline · Broker · 2 items', 'Is IRA_1111 a retirement account?$90.00'],
    'Missing purchase: OLD$80.00Broker',
  ]);
  const item = page.getByRole('article');
  await item.getByRole('button', { name: 'Keep a cost of $0 for all' }).waitFor();
  // The answers of the group are not repeated in its items, which are sorted by date.
  await item.getByText('Open an item to enter its cost.').waitFor();
  const days = await item.getByRole('list', { name: 'Items', exact: true }).getByRole('button').allTextContents();
  expect(days.map((text) => text.split(',')[0])).toEqual(['Jan 5', 'Feb 5']);
  await item.getByRole('button', { name: /^Jan 5/ }).click();
  await item.getByRole('button', { name: 'Enter cost basis' }).waitFor();
  expect(await item.getByRole('link', { name: 'Import older history' }).count()).toBe(1);
  await page.keyboard.press('j');
  await item.getByRole('button', { name: "It's an IRA", exact: true }).waitFor();
  await page.keyboard.press('1');
  const change = item.getByRole('row', { name: /^2024/ });
  await change.waitFor();
  expect(await change.textContent()).toBe('2024$1,070.00$980.00$980.00$0.00');
  await visit.expectAccessible();
  await item.getByRole('button', { name: 'Save' }).click();
  await item.getByText('5 OLD').first().waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('1');
  await page.locator('h1').focus();
  await page.keyboard.press('u');
  await list.getByText('Is IRA_1111 a retirement account?').waitFor();
  await page.keyboard.press('j');
  await item.getByText('5 OLD').first().waitFor();
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByLabel('Amount').waitFor();
  await visit.close();
});

test('one answer to all items of a cause is previewed, saved and undone', async () => {
  const who = await site.app.register('PRO');
  await importCsv(who, books);
  const visit = await site.visit('/review?kind=oversold', { as: who, dark: true });
  const { page } = visit;
  await page.getByRole('button', { name: 'Keep a cost of $0 for all' }).click();
  await page.getByText('2 items to review go away').waitFor();
  expect(
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Review/ })
      .first()
      .textContent(),
  ).toContain('4');
  await page.getByText('4 items: $1,070.00 affected').waitFor();
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await page.getByLabel('Reason').evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
  await page.getByLabel('Reason').fill('Small, and long ago');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Missing purchase: OLD' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Missing purchase: VVV').first().waitFor();
  await visit.close();
});

const fidelity = `Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date
01/06/2025,"Brokerage","X12343333","YOU BOUGHT LSEGY (LSEGY) (Cash)",LSEGY,"LONDON STOCK",Cash,1060,20,,,,-21200,01/07/2025
11/17/2025,"Brokerage","X12343333","MERGER MER FROM 54211N101 LONDON STOCK (LSEGY) (Cash)",LSEGY,"LONDON STOCK",Cash,1060,,,,,30246.04,11/18/2025
`;

test('a row that could not be read is an item, filled in from its cells, on a phone as well', async () => {
  const who = await site.app.register('PRO');
  await importCsv(who, fidelity);
  const visit = await site.visit('/review?kind=rejected_line', { as: who, width: 390, height: 844 });
  const { page } = visit;
  await page.getByRole('link', { name: /^Unreadable row/ }).click();
  const item = page.getByRole('article');
  await item.getByLabel('What happened?').waitFor();
  expect(await item.getByLabel('What happened?').inputValue()).toBe('merger');
  expect(await item.getByLabel('Date').inputValue()).toBe('11/17/2025');
  expect(await item.getByLabel('Security you held').inputValue()).toBe('LSEGY');
  expect(await item.getByLabel('Cash received').inputValue()).toBe('30,246.04');
  expect(await item.getByLabel('Account', { exact: true }).inputValue()).toBe('Brokerage 3333');
  await visit.expectPhoneFit();
  await visit.expectAccessible();
  await item.getByLabel('Cash received').fill('lots');
  await item.getByRole('button', { name: 'Preview' }).click();
  await item.getByText('Enter an amount like 7,500 or 7500.00.').waitFor();
  await item.getByLabel('Cash received').fill('$30,246.04');
  await item.getByRole('button', { name: 'Preview' }).click();
  await item.getByText('$9,046.04').first().waitFor();
  await item.getByRole('button', { name: 'Add transaction' }).click();
  await page.getByText('Line 3 fixed.').waitFor();
  await page.getByText('All done').waitFor();
  const { total } = await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2025');
  expect(total.gain).toBe('9046.04');
  await visit.close();
});
