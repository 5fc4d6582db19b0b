import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let who: TestClient;

const rows = `date,type,account,asset,quantity,amount
2024-01-10,buy,Fidelity,KO,100,6000
2024-06-03,sell,Fidelity,KO,100,5000
2024-06-20,buy,Fidelity,KO,100,5100
2024-07-01,sell,Fidelity,PEP,5,800
`;

beforeAll(async () => {
  site = await siteWithBrowser();
  who = await site.app.register();
  await importCsv(who, rows);
});
afterAll(() => site.close());

describe('the help center', () => {
  test('lists entries by kind, finds them by words, and opens one without a session', async () => {
    const visit = await site.visit('/help');
    const { page } = visit;
    await page.getByRole('heading', { name: 'Deadlines' }).waitFor();
    await visit.expectAccessible();
    await page.getByLabel('Search help').fill('do wash sales apply to bitcoin');
    await page.waitForURL(/\/help\?q=do\+wash/);
    const first = page.locator('.help-list a').first();
    await page.locator('.help-list a', { hasText: 'Wash sales of crypto' }).waitFor();
    expect(await first.textContent()).toBe('Wash sales of crypto');
    await first.click();
    await page.getByRole('heading', { name: 'Wash sales of crypto', level: 1 }).waitFor();
    await page.getByText('under current law a loss on crypto is not a wash sale').waitFor();
    const source = page.getByRole('link', { name: 'IRC 1091' });
    expect(await source.getAttribute('href')).toBe('https://www.law.cornell.edu/uscode/text/26/1091');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await page.getByRole('link', { name: 'Wash sale', exact: true }).click();
    await page.getByRole('heading', { name: 'Wash sale', level: 1 }).waitFor();
    await page.goBack();
    await page.goBack();
    expect(await page.getByLabel('Search help').inputValue()).toBe('do wash sales apply to bitcoin');
    await page.getByLabel('Search help').fill('xqzzy');
    await page.getByText('No entry matches').waitFor();
    await visit.close();
  });

  test('shows that an unknown entry does not exist', async () => {
    const visit = await site.visit('/help/nothing', { expectedErrors: [/404/] });
    await visit.page.getByRole('alert').getByText('Not found').waitFor();
    await visit.close();
  });
});

describe('a term on a page', () => {
  test('shows its entry next to it, closes with Escape, and leads to the help center', async () => {
    const visit = await site.visit('/year/2024', { as: who });
    const { page } = visit;
    const term = page.getByRole('button', { name: 'Wash sales', exact: true });
    await term.focus();
    await page.keyboard.press('Enter');
    const card = page.locator('.help-card:popover-open');
    await card.getByText('within 30 days before or after the sale').waitFor();
    await visit.expectAccessible();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await term.click();
    await card.getByRole('link', { name: 'Open in help' }).click();
    await page.getByRole('heading', { name: 'Wash sale', level: 1 }).waitFor();
    await visit.close();
  });

  test('explains an item to review', async () => {
    const visit = await site.visit('/needs-you', { as: who });
    const { page } = visit;
    const item = page.locator('article', { hasText: 'Missing purchase' });
    await item.getByRole('button', { name: 'Learn more' }).click();
    await page.locator('.help-card:popover-open').getByText('Import older history first').waitFor();
    await visit.close();
  });
});

test('the assistant suggests questions and help entries for a question that it does not understand', async () => {
  const visit = await site.visit('/assistant', { as: who });
  const { page } = visit;
  await page.getByLabel('Your question').fill('why is my gain so low in 2024');
  await page.keyboard.press('Enter');
  await page.getByText('I did not understand that.').waitFor();
  await page.getByText('0 of 5 questions used today.').waitFor();
  const entry = page.getByRole('link', { name: 'Help: Trace a number to its source' });
  expect(await entry.getAttribute('href')).toBe('/help/explain-number');
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'What were my gains in 2024?' }).click();
  await page.getByText('2024: a gain of $800.00 from 2 sales').waitFor();
  await page.getByText('1 of 5 questions used today.').waitFor();
  await visit.close();
});
