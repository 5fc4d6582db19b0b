import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { elect, importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const rows = `date,type,account,asset,quantity,amount,asset_class
2022-01-10,buy,Schwab,AAPL,100,5000,stock
2023-05-02,sell,Schwab,AAPL,10,1500,stock
2024-03-04,buy,Schwab,PEP,30,5100,stock
2024-04-18,sell,Schwab,PEP,30,4500,stock
2024-06-03,sell,Schwab,AAPL,40,26000,stock
2024-12-20,dividend,Schwab,AAPL,,48,stock
2024-12-21,withholding,Schwab,AAPL,,7.20,stock
`;

const withoutPurchase = '2024-09-02,sell,Kraken,DOGE,1000,180,crypto\n';

const soldWithInterest = `date,type,account,asset,quantity,amount,accrued_interest,asset_class
2024-02-01,buy,Bonds,XYZ 5% 2030,10000,10000,300,bond
2024-03-01,sell,Bonds,XYZ 5% 2030,10000,10000,50,bond
`;

const readSteps = (page: Page) =>
  page.getByRole('region', { name: 'Steps for 2024' }).getByRole('listitem').allTextContents();

describe('the overview', () => {
  test('is a checklist with what the net gain rests on, until the year is marked as filed', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, rows + withoutPurchase);
    const visit = await site.visit('/overview?year=2024', { as: who, width: 1280, height: 800 });
    const { page } = visit;
    await page.getByRole('img', { name: '1 of 6 done' }).waitFor();
    expect(await readSteps(page)).toEqual([
      'Import your files, done, check once more:1 file. Maybe incomplete: Kraken',
      'Review items, to do:1 item: $180.00 affected',
      'Confirm accounts, to do:2 to confirm',
      'Name and SSN, to do:Name and SSN missing',
      'Get the forms, to do:Not generated',
      'Mark as filed, to do:Locks the year',
    ]);
    const { id } = await who.json<{ id: string }>('GET', '/v1/account');
    const sources = ['Schwab', 'Fidelity'].map((label) => ({ id: label.toLowerCase(), label }));
    const firstRuns = JSON.stringify({ [id]: { step: null, sources } });
    await page.evaluate((stored) => localStorage.setItem('firstRuns', stored), firstRuns);
    await page.reload();
    await page.getByRole('img', { name: '0 of 6 done' }).waitFor();
    expect((await readSteps(page))[0]).toBe('Import your files, to do:None yet from Fidelity');
    const headline = page.locator('.headline');
    expect(await headline.textContent()).toContain('$180.00 of this depends on missing cost basis (1 entry).');
    expect(await headline.textContent()).toContain('Draft');
    expect(await headline.textContent()).toContain('2023: $1,000.00');
    // At 1280 × 800, the headline, the figures, the steps and the top of the chart are in view.
    for (const seen of [headline, page.locator('.figures'), page.locator('.year-steps'), page.locator('.months h2')]) {
      const box = await seen.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
    }
    await page.getByRole('link', { name: /^Confirm accounts/ }).click();
    await page.waitForFunction(() => document.activeElement?.id === 'forms-to-confirm');
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 844 });
    await visit.expectPhoneFit();
    await visit.close();
  });

  test('gives way to the figures when everything is done', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, rows);
    await elect(who, { accounts: { Schwab: { type: 'taxable', form: '1099-B' } } });
    await who.json('PATCH', '/v1/account', { body: { name: 'Ann', taxpayerName: 'Ann Lee', tin: '123-45-6789' } });
    await who.json('POST', '/v1/tax/reports', { body: { year: 2024 } }, 201);
    const visit = await site.visit('/overview?year=2024', { as: who, width: 1280, height: 800 });
    const { page } = visit;
    await page.getByRole('img', { name: '5 of 6 done' }).waitFor();
    expect(await page.locator('.headline .badge').count()).toBe(0);
    await who.json('POST', '/v1/tax/years/2024/lock', {}, 200);
    await page.reload();
    await page.getByText('All done: 2024 is marked as filed and locked.').waitFor();
    expect(await page.getByRole('region', { name: 'Steps for 2024' }).count()).toBe(0);
    await visit.expectAccessible();
    await visit.close();
  });

  test('asks for what the tax estimate needs, and then shows the estimate', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, rows);
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    const tile = page.locator('.card', { has: page.getByRole('heading', { name: 'Tax estimate' }) });
    await tile.getByRole('link', { name: 'Add your filing status and taxable income' }).waitFor();
    await elect(who, { filingStatus: 'single', taxableIncome: { 2024: '100000.00' } });
    await page.reload();
    // The long-term gain of $24,000 less the short-term loss of $600 is taxed at 15%.
    await tile.getByRole('link', { name: '$3,510.00' }).waitFor();
    expect(await tile.textContent()).toContain('Federal, single.');
    await visit.close();
  });

  test('lists top gains and losses with names, and accounts, and shows withholding apart from income', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, rows + withoutPurchase);
    await importCsv(who, soldWithInterest);
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    const card = (name: string) => page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) });
    await card('By account').getByRole('row').nth(2).waitFor();
    const listRows = (name: string) => card(name).locator('tbody tr').allTextContents();
    expect(await listRows('Top gains')).toEqual(['AAPL Apple$24,000.00', 'DOGE Dogecoin$180.00']);
    expect(await listRows('Top losses')).toEqual(['PEP PepsiCo($600.00)']);
    expect(await listRows('By account')).toEqual([
      'Bonds1$0.00$0.00$0.00',
      'Kraken1$180.00$0.00$180.00',
      'Schwab2($600.00)$24,000.00$23,400.00',
    ]);
    expect(await listRows('Income')).toEqual(['Dividend (1)$48.00', 'Interest (1)($250.00)']);
    expect(await card('Income').textContent()).toContain('Interest is negative because you paid more accrued interest');
    expect(await listRows('Tax withheld')).toEqual(['Withholding (1)$7.20']);
    await visit.close();
  });
});

describe('the chart', () => {
  test('has a grid with values, and the bar with the pointer or the focus shows its amount once', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, rows);
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    const chart = page.locator('.chart');
    const bar = chart.getByRole('link', { name: 'Jun, long-term: $24,000.00' });
    await bar.waitFor();
    expect(await chart.locator('.tick.amount').allTextContents()).toEqual(['-$10K', '$0', '$10K', '$20K', '$30K']);
    expect(await chart.locator('title').count()).toBe(0);
    await bar.hover();
    expect(await chart.locator('.bar-text').allTextContents()).toEqual(['Jun, long-term: $24,000.00']);
    await page.mouse.move(0, 0);
    await chart.locator('.bar-text').waitFor({ state: 'detached' });
    await bar.focus();
    await chart.locator('.bar-text').waitFor();
    await page.getByText('View as table').click();
    expect(await page.getByRole('row', { name: /^Jun/ }).textContent()).toContain('$24,000.00');
    await visit.close();
  });
});
