import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { picturedFigures } from '../../src/web/pages/start/pictured.ts';
import { sessionCookie } from '../support/app.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

describe('the first page', () => {
  test('is one click from the demo books, which are labeled and offer only what they accept', async () => {
    const visit = await site.visit('/');
    const { page } = visit;
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await page.getByRole('heading', { name: `Tax year ${picturedFigures.year}` }).waitFor();
    const banner = page.getByRole('status').filter({ hasText: 'Sample data.' });
    expect(await banner.textContent()).toContain('Read-only.');
    await visit.expectAccessible();
    await page.goto(new URL('/review', site.url).href);
    await page.getByRole('button', { name: 'Enter cost basis' }).first().click();
    await page.getByLabel(/^Cost basis/).fill('1800');
    await page.getByLabel('Date acquired').fill('2025-03-03');
    await page.getByRole('row', { name: /^2025/ }).waitFor();
    await page.getByText('Read-only: this is the demo.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    for (const [path, shown] of Object.entries({ '/import': 'fidelity.csv', '/transactions': 'Export all as CSV' })) {
      await page.goto(new URL(path, site.url).href);
      await page.getByRole('link', { name: shown }).waitFor();
      expect(await page.getByRole('button', { name: /^(Undo|Add|Delete|Mark)/ }).count()).toBe(0);
    }
    await visit.close();
  });

  test('leads from the demo books to creating an account, or back out of them', async () => {
    const visit = await site.visit('/');
    const { page } = visit;
    await page.getByRole('button', { name: 'Try the demo' }).click();
    await page.getByRole('button', { name: 'Leave the demo' }).click();
    await page.getByRole('button', { name: 'Try the demo' }).click();
    // The first page also contains a link with this name.
    await page.getByRole('button', { name: 'Leave the demo' }).waitFor();
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Email').fill('looked@example.com');
    await page.getByLabel('Password').fill('a sentence to remember');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
    expect(await page.getByText('Sample data.').count()).toBe(0);
    await visit.close();
  });

  test('has a tour of five stops with the keyboard, a 1099 check, and answers to questions that nobody else sees', async () => {
    const visit = await site.visit('/');
    const { page } = visit;
    await page.getByRole('button', { name: 'Try the demo' }).click();
    const tour = page.getByRole('region', { name: 'Tour' });
    await tour.getByText('1 of 5: Overview.').waitFor();
    await visit.expectAccessible();
    const next = async (name: string, shown: string): Promise<void> => {
      await tour.getByRole('button', { name: `Next: ${name}` }).press('Enter');
      await page.getByRole('heading', { name: shown }).first().waitFor();
    };
    await next('Review', 'Review');
    await next('Explanation', 'VXUS');
    await page.getByRole('dialog').getByText('wash sale', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    await next('Forms', '2025 tax forms');
    await visit.expectAccessible();
    await page.getByRole('link', { name: '1099 check' }).click();
    await page.getByText('5 rows matched, 1 differs').waitFor();
    await page.getByText('The form shows proceeds before the fee.').waitFor();
    await next('Planning', 'Tax planning');
    expect(await tour.getByRole('button', { name: /^Next/ }).count()).toBe(0);
    await tour.getByRole('button', { name: 'Close tour' }).press('Enter');
    await tour.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Tour' }).waitFor();
    await page.goto(new URL('/assistant', site.url).href);
    await page.getByRole('button', { name: 'What were my gains in 2025?' }).click();
    await page.getByText('$20,221.08').first().waitFor();
    await page.getByText('not stored').waitFor();
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await page.reload();
    await page.getByRole('button', { name: 'What were my gains in 2025?' }).waitFor();
    expect(await page.getByText('$20,221.08').count()).toBe(0);
    await visit.close();
  });

  test('shows the plans of the API, in light and dark, on a phone without scrolling sideways', async () => {
    for (const options of [{}, { dark: true }, { width: 360, height: 740 }]) {
      const visit = await site.visit('/', options);
      const { page } = visit;
      expect(await page.getByRole('row', { name: /^CPA/ }).textContent()).toContain('$499.00 a year');
      await visit.expectAccessible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await visit.close();
    }
  });

  test('shows the figures of the demo books', async () => {
    const cookie = sessionCookie(await site.app.request('POST', '/v1/auth/demo'));
    const read = async (path: string) => (await site.app.request('GET', path, { cookie })).json();
    expect(await read(`/v1/tax/summary?year=${picturedFigures.year}`)).toMatchObject({
      shortTerm: { gain: picturedFigures.shortTerm },
      longTerm: { gain: picturedFigures.longTerm },
      total: { gain: picturedFigures.net },
      washSaleDisallowed: picturedFigures.washSales,
      issues: picturedFigures.questions,
    });
    const gains = (await read(`/v1/tax/gains?by=month&year=${picturedFigures.year}&limit=12`)) as {
      data: { key: string; shortTerm: { gain: string }; longTerm: { gain: string } }[];
    };
    const months = gains.data.map(({ key, shortTerm, longTerm }) => ({
      key,
      short: shortTerm.gain,
      long: longTerm.gain,
    }));
    expect(months).toEqual([...picturedFigures.months]);
  });
});
