import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { testClock } from '../support/app.ts';
import { elect, importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser({ clock: testClock('2025-11-20T12:00:00Z') });
});
afterAll(() => site.close());

const rows = `date,type,account,asset,quantity,amount,asset_class
2023-01-10,buy,Schwab,AAPL,10,1000.00,stock
2025-11-18,buy,Schwab,AAPL,1,300.00,stock
2024-03-01,buy,Schwab,ZZLOSS,40,4000.00,stock
2025-10-01,buy,Schwab,ZZLOSS,1,50.00,stock
2024-05-01,buy,Roth IRA,ZZFREE,10,500.00,stock
2025-11-19,buy,Kraken,BTC,0.5,45000.00,crypto
2020-05-04,inherit,Schwab,HEIR,3,,stock
`;

const listed = (page: Page): Promise<string[]> => page.locator('.holdings tbody th button').allInnerTexts();

describe('Holdings', () => {
  test('sort by each column, find names, and show the share, the return and the age of each price', async () => {
    const client = await site.app.register('PRO');
    await importCsv(client, rows);
    await elect(client, { accounts: { 'Roth IRA': { type: 'roth_ira' } } });
    const prices = 'date,asset,usd\n2025-11-19,ZZFREE,80\n2025-11-19,AAPL,272.50\n2025-09-30,AAPL,254.63\n';
    await client.json('POST', '/v1/prices', { body: prices, headers: { 'content-type': 'text/csv' } });
    const visit = await site.visit('/lots', { as: client });
    const { page } = visit;
    await page.getByText('Prices from Oct 1, 2025 to Nov 19, 2025; 1 of 4 more than 7 days old.').waitFor();
    await page.getByText('1 holding without a price.').waitFor();
    // Only the end of September has prices, and none for the holdings other than AAPL.
    await page.getByRole('img', { name: 'Value and cost basis from Sep 30, 2025 to Sep 30, 2025' }).waitFor();
    await page.getByText('Holdings without a price within 7 days of that date are in neither bar.').waitFor();
    await page.getByText('No prices after Sep 30, 2025.').waitFor();
    await page.getByText('View as table').click();
    const month = (await page.getByRole('row', { name: /^Sep 30, 2025/ }).textContent()) ?? '';
    for (const part of ['$2,546.30', '$1,000.00', '$1,546.30', 'HEIR, ZZFREE, ZZLOSS']) expect(month).toContain(part);
    expect(await listed(page)).toEqual(['AAPL', 'BTC', 'HEIR', 'ZZFREE', 'ZZLOSS']);
    const row = (asset: string) => page.locator('.holdings tbody tr', { hasText: asset });
    expect(await row('AAPL').textContent()).toMatch(
      /Apple[\s\S]*\$272\.50[\s\S]*\$2,997\.50[\s\S]*\$1,697\.50[\s\S]*130\.6%/,
    );
    expect(await row('ZZLOSS').textContent()).toContain('7 weeks old');
    expect(await row('ZZFREE').textContent()).toContain('not taxed');
    // The value minus the cost is the gain, including the account whose gains are not taxed.
    const totals = await page.locator('.held-totals').textContent();
    for (const figure of ['$50,847.50', '$50,850.00', '($2.50)', '$300.00 not taxed']) expect(totals).toContain(figure);
    for (const [name, first, second] of [
      ['Value', 'BTC', 'AAPL'],
      ['Unrealized', 'AAPL', 'ZZFREE'],
      ['Return', 'AAPL', 'ZZFREE'],
      ['Cost basis', 'BTC', 'ZZLOSS'],
      ['Price', 'AAPL', 'BTC'],
    ] as const) {
      await page.getByRole('columnheader', { name }).getByRole('link').click();
      await page.locator(`th[aria-sort="descending"]`, { hasText: name }).waitFor();
      expect((await listed(page)).slice(0, 2)).toEqual([first, second]);
    }
    await page.getByRole('columnheader', { name: 'Price' }).getByRole('link').click();
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Price' }).waitFor();
    expect(await listed(page)).toEqual(['ZZLOSS', 'AAPL', 'BTC', 'ZZFREE', 'HEIR']);
    await page.getByLabel('Find').fill('apple');
    await page.locator('.holdings tbody tr').nth(1).waitFor({ state: 'detached' });
    expect(await listed(page)).toEqual(['AAPL']);
    expect(page.url()).toContain('q=apple');
    await page.getByLabel('Find').fill('nothing like it');
    await page.getByText('No matching holdings').waitFor();
    await page.getByLabel('Find').fill('');
    await visit.expectAccessible();
    const phone = await site.visit('/lots', { as: client, width: 390, height: 844 });
    await phone.page.getByText('Vanguard').or(phone.page.getByText('Apple')).first().waitFor();
    await phone.expectPhoneFit();
    await phone.close();
    await page.getByRole('link', { name: 'Prices needed (1)' }).click();
    // The prices needed come before the form for a price of any asset.
    await page.getByRole('heading', { name: 'Prices needed (1)', level: 2 }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('Prices needed (1)');
    const any = page.locator('form', { has: page.getByLabel('Asset') });
    await any.getByLabel('Asset').fill('HEIR');
    await any.getByLabel('Date').fill('2025-11-20');
    await any.getByLabel('Price per unit (USD)').fill('$1,250.0867');
    await any.getByRole('button', { name: 'Save price' }).click();
    await page.getByText('Price saved: HEIR on Nov 20, 2025.').waitFor();
    await page.getByRole('cell', { name: '$1,250.0867' }).waitFor();
    await visit.close();
  });

  test('link to the prices that transactions need, which take dollars as people type them', async () => {
    const client = await site.app.register('PRO');
    await importCsv(
      client,
      'date,type,account,asset,quantity,amount,received_asset,received_quantity\n2024-01-05,buy,Kraken,BTC,1,40000,,\n2024-02-05,trade,Kraken,BTC,0.1,,ETH,2\n',
    );
    const visit = await site.visit('/lots', { as: client });
    const { page } = visit;
    await page.getByRole('link', { name: /^Prices needed \(\d+\)$/ }).click();
    await page.getByRole('heading', { name: /^Prices needed/ }).waitFor();
    await visit.expectAccessible();
    const form = page.getByRole('form', { name: 'Price of BTC on Feb 5, 2024' });
    await form.getByLabel('Price per unit (USD)').fill('$42,500.50');
    await form.getByRole('button', { name: 'Save price' }).click();
    await page.getByText('Price saved: BTC on Feb 5, 2024.').waitFor();
    await page.getByRole('heading', { name: /^Prices needed/ }).waitFor({ state: 'detached' });
    await page.goto(new URL('/settings/prices?back=review', page.url()).href);
    await page.getByRole('link', { name: 'Back to Review' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await visit.close();
  });
});
