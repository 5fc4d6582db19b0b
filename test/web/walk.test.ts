import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { allText, readPdf } from '../forms/pdf.ts';
import { dropFiles } from '../support/drop-files.ts';
import { madeUpExports } from '../support/made-up-exports.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

/** The steps of a user who wants Form 8949 for 2024, from the first page on. */

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

/** More of the coin is sold than the file shows as bought, and half of the stock is kept. */
const files = {
  ...madeUpExports,
  'schwab.csv': madeUpExports['schwab.csv'].replace('"10","$40.00","","-$400.00"', '"20","$40.00","","-$800.00"'),
  'coinbase.csv': madeUpExports['coinbase.csv'].replace(/^c-1,.*\n/m, ''),
};

test('from signing up to Form 8949: three files, one answer, the year, a line explained, a plan, the PDF', async () => {
  const visit = await site.visit('/');
  const { page } = visit;
  await page.getByRole('link', { name: 'Create account' }).first().click();
  await page.getByLabel('Email').fill('walk@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a sentence to remember');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
  await dropFiles(page, files);
  await page.getByText('3 files imported').waitFor();

  await pageOf(page, /^Review/).click();
  const question = page.getByRole('article').filter({ hasText: 'ETH' });
  await question.getByRole('button', { name: 'Enter cost basis' }).click();
  await question.getByLabel(/^Cost basis/).fill('700');
  await question.getByLabel('Date acquired').fill('Mar 1, 2022');
  await question.getByRole('row', { name: /2024/ }).waitFor();
  await question.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All done').waitFor();

  await pageOf(page, 'Overview').click();
  await page.getByRole('heading', { name: 'Tax year 2024' }).waitFor();
  // Short-term 49.96 of ACME and 33 of GRID. Long-term 1,490 less 700.
  const longTerm = page.locator('.card', { has: page.getByRole('heading', { name: 'Long-term' }) });
  await longTerm.getByText('$790.00').waitFor();
  await longTerm.getByRole('link').click();
  await page.getByRole('link', { name: '0.5 ETH' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByText('coinbase.csv').first().waitFor();
  await panel.getByText('IRC 1222').first().waitFor();
  await panel.getByRole('button', { name: 'Close' }).click();

  await pageOf(page, 'Plan').click();
  await page.getByLabel('Sell').selectOption({ label: await fetchOption(page, 'ACME') });
  await page.getByLabel('Quantity').fill('10');
  await page.getByLabel('Price per unit').fill('30');
  await page.getByRole('button', { name: 'Calculate' }).click();
  await page.getByRole('heading', { name: 'Compare methods' }).waitFor();
  await page.getByText('($100.00)').first().waitFor();

  await page.goto(new URL('/forms?year=2024', site.url).href);
  await page.getByRole('button', { name: 'Generate 2024 forms' }).click();
  const button = page.getByRole('button', { name: 'Download PDF' }).first();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const text = allText(await readPdf(await Bun.file(await download.path()).bytes()));
  expect(text).toContain('0.5 ETH\n03/01/2022\n06/09/2024\n1,490.00\n700.00\n790.00');
  expect(text).toContain('10 sh. ACME\n03/04/2024\n11/20/2024\n449.96\n400.00\n49.96');
  await visit.close();
});

test('by keyboard only: a file, an answer, a report, its file, the lock', async () => {
  const who = await site.app.register('PRO');
  const visit = await site.visit('/import', { as: who });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  await press(page, 'button', /Browse files/, { opens: files });
  await page.getByRole('article', { name: 'coinbase.csv' }).getByText('Imported', { exact: true }).waitFor();
  await press(page, 'link', /^Review/);
  await press(page, 'button', 'Keep a cost of $0');
  // The form has the focus.
  await page.locator(':focus[type=text]').waitFor();
  await page.keyboard.type('Bought before the records begin.');
  await page.keyboard.press('Enter');
  await page.getByText('All done').waitFor();
  await press(page, 'link', 'Forms');
  await press(page, 'button', 'Generate 2024 forms');
  await page.getByText('· up to date').waitFor();
  const download = page.waitForEvent('download');
  await press(page, 'button', 'Download PDF');
  expect((await download).suggestedFilename()).toBe('form-8949-2024.pdf');
  await press(page, 'button', 'Lock 2024');
  await page.getByText('2024 has been locked since').waitFor();
  await visit.close();
});

function pageOf(page: Page, name: string | RegExp) {
  return page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
}

async function fetchOption(page: Page, asset: string): Promise<string> {
  const option = page.getByLabel('Sell').locator('option', { hasText: asset }).first();
  await option.waitFor({ state: 'attached' });
  return (await option.textContent()) ?? '';
}

interface Pressed {
  readonly opens?: Readonly<Record<string, string>>;
}

/** Presses Tab until the element has the focus, checks that the focus is visible, and presses Enter. */
async function press(page: Page, role: 'button' | 'link', name: string | RegExp, { opens }: Pressed = {}) {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  await focusByTab(page, wanted);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
  expect([String(name), outline]).toEqual([String(name), 'solid']);
  if (opens === undefined) {
    await page.keyboard.press('Enter');
    return;
  }
  const chooser = await fetchChooser(page, wanted);
  await chooser.setFiles(
    Object.entries(opens).map(([file, text]) => ({ name: file, mimeType: 'text/csv', buffer: Buffer.from(text) })),
  );
}

async function focusByTab(page: Page, wanted: Locator) {
  const hasFocus = () => wanted.evaluate((element) => element === document.activeElement);
  for (let steps = 0; steps < 150; steps += 1) {
    // A newly loaded page focuses its heading, so the focus counts only if it stays.
    if (await hasFocus()) await page.waitForTimeout(100);
    if (await hasFocus()) return;
    await page.keyboard.press('Tab');
  }
}

/** Opens the file chooser. If the heading took the focus at the last moment, focuses the element again. */
async function fetchChooser(page: Page, wanted: Locator) {
  for (let tries = 0; tries < 5; tries += 1) {
    const opening = page.waitForEvent('filechooser', { timeout: 10_000 }).catch(() => null);
    await page.keyboard.press('Enter');
    const chooser = await opening;
    if (chooser !== null) return chooser;
    await focusByTab(page, wanted);
  }
  throw new Error('No file chooser opens.');
}
