import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { pressInAccountMenu } from '../support/frame.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let who: TestClient;

const rows = `date,type,account,asset,quantity,amount,fee
2022-01-10,buy,Broker,KO,100,5000,0
2024-03-04,buy,Broker,PEP,30,5100,0
2024-04-18,sell,Broker,PEP,30,4500,0
2024-04-30,buy,Broker,PEP,10,1500,0
2024-06-03,sell,Broker,KO,40,2600,0
2024-09-02,sell,Exchange,DOGE,1000,180,0
2024-12-20,dividend,Broker,KO,,48,0
`;

beforeAll(async () => {
  site = await siteWithBrowser();
  who = await site.app.register();
  await importCsv(who, rows);
});
afterAll(() => site.close());

describe('the tax year', () => {
  test('shows its figures, and each figure links to the lines behind it', async () => {
    const visit = await site.visit('/overview', { as: who });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Tax year 2024' }).waitFor();
    const figure = page.locator('.card', { has: page.getByRole('heading', { name: 'Long-term' }) });
    expect(await figure.getByRole('link').textContent()).toBe('$600.00');
    expect(await figure.getByRole('link').getAttribute('href')).toBe('/forms/8949?year=2024&term=long');
    const washed = page.locator('.card', { has: page.getByRole('heading', { name: 'Wash sales' }) });
    expect(await washed.getByRole('link').textContent()).toBe('$200.00');
    await page.getByText('View as table').click();
    expect(await page.getByRole('row', { name: /^Jun/ }).textContent()).toContain('$600.00');
    expect(await page.getByRole('link', { name: 'Apr, short-term: ($400.00)' }).count()).toBe(1);
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await visit.close();
  });

  test('lists the accounts whose form is assumed, and one step sets or confirms each form', async () => {
    const ann = await site.app.register();
    const own = rows
      .split('\n')
      .slice(1)
      .filter((row) => row.includes('KO'))
      .join('\n');
    await importCsv(
      ann,
      `${rows.split('\n')[0]}\n${own.replaceAll('Broker', 'Schwab')}\n${own.replaceAll('Broker', 'Club')}\n`,
    );
    const visit = await site.visit('/overview?year=2024', { as: ann });
    const { page } = visit;
    const asked = page.getByRole('region', { name: 'Forms to confirm' });
    const schwab = asked.getByRole('listitem').filter({ hasText: 'Schwab' });
    expect(await schwab.textContent()).toContain('Box F: no form is assumed, and its name suggests Form 1099-B.');
    await visit.expectAccessible();
    await asked.getByRole('button', { name: 'No form: Club' }).click();
    await page.getByText('Club: no form was issued.').waitFor();
    await asked.getByRole('listitem').filter({ hasText: 'Club' }).waitFor({ state: 'detached' });
    await asked.getByRole('button', { name: 'Form 1099-B: Schwab' }).click();
    await page.getByText('Schwab: Form 1099-B covers its sales.').waitFor();
    await asked.waitFor({ state: 'detached' });
    await page.getByText('D: long-term, 1099-B, basis reported').waitFor();
    const settings = await ann.json<{ accounts: object }>('GET', '/v1/tax/settings');
    expect(settings.accounts).toEqual({
      Club: { type: 'taxable', form: 'none' },
      Schwab: { type: 'taxable', form: '1099-B' },
    });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await schwab.waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await page.setViewportSize({ width: 360, height: 740 });
    await visit.expectPhoneFit();
    await visit.close();
  });

  test('hides its amounts from others who see the screen, even after a reload', async () => {
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    await pressInAccountMenu(page, 'Hide amounts');
    await page.reload();
    await page.locator('.amount').first().waitFor();
    const filter = await page
      .locator('.amount')
      .first()
      .evaluate((element) => getComputedStyle(element).filter);
    expect(filter).toContain('blur');
    await visit.close();
  });

  test('fits a phone without scrolling sideways', async () => {
    const visit = await site.visit('/overview?year=2024', { as: who, width: 360, height: 740 });
    await visit.page.getByRole('heading', { name: 'By month' }).waitFor();
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await visit.page.getByRole('button', { name: 'More', exact: true }).click();
    await visit.page.getByRole('dialog').getByRole('link', { name: 'Transactions' }).click();
    await visit.page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await visit.close();
  });
});

describe('an open question', () => {
  test('shows its effect when it is answered, and the answer can be undone', async () => {
    const visit = await site.visit('/review?year=2024', { as: who });
    const { page } = visit;
    const card = page.getByRole('article').filter({ hasText: 'DOGE' });
    await card.getByRole('button', { name: 'Enter cost basis' }).click();
    await card.getByLabel(/^Cost basis/).fill('$100');
    await card.getByLabel('Date acquired').fill('5/1/2021');
    await visit.expectAccessible();
    const changed = card.getByRole('row', { name: /2024/ });
    await changed.waitFor();
    // 600 − 400 + 180 without a basis, then with a basis of 100.
    expect(await changed.textContent()).toBe('2024$380.00$280.00($400.00)$680.00');
    const before = await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024');
    expect(before.total.gain).toBe('380.00');
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await card.waitFor({ state: 'detached' });
    const after = await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024');
    expect(after.total.gain).toBe('280.00');
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.waitFor();
    const again = await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024');
    expect(again.total.gain).toBe('380.00');
    await visit.close();
  });

  test('requires a reason to be kept as is, is then listed among the accepted ones, and can be reopened', async () => {
    const visit = await site.visit('/review', { as: who });
    const { page } = visit;
    const card = page.getByRole('article').filter({ hasText: 'DOGE' });
    await card.getByRole('button', { name: 'Keep a cost of $0' }).click();
    await card.getByLabel('Reason').fill('Mined in 2014, before records.');
    await card.getByText("Form 8949 doesn't change.").waitFor();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('Kept');
    await page.getByText('Kept: Mined in 2014').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('None yet').waitFor();
    await visit.close();
  });
});
