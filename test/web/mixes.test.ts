import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { money } from '../../src/web/format/amounts.ts';
import { allText, readPdf } from '../forms/pdf.ts';
import { isDeep } from '../support/depth.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { untilRead } from '../support/site-pages.ts';

/** Real exports. They are not part of the project. */
const formats = new URL('../../../shared/formats/', import.meta.url).pathname;
const isMissing = !existsSync(formats);

/** What a person imports who traded at these sources, and the tax year that they file. */
const mixes: readonly { readonly year: number; readonly files: readonly string[] }[] = [
  {
    year: 2025,
    files: [
      ...['fidelity/all_accounts_2025.csv', 'robinhood/activity_mixed.csv'],
      'coinbase-retail/coinbase_2025_13col_addresses_crlf.csv',
    ],
  },
  { year: 2024, files: ['schwab/individual_2024_title_totals.csv', 'kraken/ledgers_wallet_2024.csv'] },
  {
    year: 2026,
    files: [
      ...['etrade/transactions_2026_preamble.csv', 'fidelity/single_account_2024_dollar_headers.csv'],
      'strike/annual_transactions_2025.csv',
    ],
  },
  {
    year: 2025,
    files: [
      ...['vanguard/ofxdownload_2024_investment_type.csv', 'robinhood/crypto_activity_2023.csv'],
      'coinbase-retail/coinbase_v4_advanced_thousands.csv',
    ],
  },
  {
    year: 2026,
    files: ['merrill/activities.csv', 'webull/orders_2026.csv', 'river/river_universal_crlf.csv'],
  },
  { year: 2025, files: ['ibkr/transaction_history_2025.csv', 'kraken/trades_quoted.csv'] },
  {
    year: 2020,
    files: ['schwab/intelligent_2020_crlf.csv', 'robinhood/activity_mixed.csv', 'bitstamp/rfc4180_old.csv'],
  },
  {
    year: 2020,
    files: [...['coinbase-pro/fills.csv', 'binance-us/tax_statement_2021.csv', 'trezor/trezor_suite_semicolon.csv']],
  },
  {
    year: 2025,
    files: ['cryptocom/app_2025_txhash.csv', 'ledger-live/operations.csv', 'nexo/transactions.csv'],
  },
  {
    year: 2024,
    files: [
      ...['tdameritrade/transactions_2013.csv', 'schwab/brokerage_2023_title_totals.csv'],
      'trading212/2026_crlf.csv',
    ],
  },
];

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

if (isMissing) console.log('The real exports are missing (../shared/formats), so no mix of them becomes a form.');

/** All mixes take minutes, so two of them run by default. The deep run and `ALL_MIXES=1` run all. */
const tried = isDeep || process.env.ALL_MIXES !== undefined ? mixes : mixes.slice(1, 3);

test.skipIf(isMissing).each(tried)('a new user goes from files to Form 8949: %p', async ({ year, files }) => {
  const who = await site.app.register('PRO');
  const visit = await site.visit('/import', { as: who, timeZone: 'America/New_York' });
  const person = new Person(visit.page);
  const { page } = person;
  await person.importFiles(files.map((file) => `${formats}${file}`));
  await person.click(page.getByRole('link', { name: /^Review/ }).first());
  await page.getByLabel('Tax year', { exact: true }).selectOption(String(year));
  person.clicks += 1;
  await person.review();
  await person.click(page.getByRole('link', { name: 'Forms', exact: true }).first());
  const pdf = await person.downloadForm();
  const { boxes } = await who.json<{ boxes: { proceeds: string }[] }>('GET', `/v1/tax/summary?year=${year}`);
  expect(boxes).not.toBeEmpty();
  const form = allText(await readPdf(pdf));
  for (const { proceeds } of boxes) expect(form).toContain(money(proceeds).slice(1));
  const { clicks, answers, entries } = person;
  const counts = [`${clicks} clicks`, `${answers} answers`, `${entries} fields`, `${person.seconds()} s`];
  console.log(`${year}: ${files.join(' + ')}: ${counts.join(', ')}`);
  await visit.close();
});

/** Does with the page what a person does, and counts it. */
class Person {
  clicks = 0;
  answers = 0;
  /** Fields filled in. */
  entries = 0;
  private readonly start = Date.now();
  constructor(readonly page: Page) {}

  seconds(): number {
    return Math.round((Date.now() - this.start) / 1000);
  }

  async click(locator: Locator): Promise<void> {
    await locator.click();
    this.clicks += 1;
  }

  async fill(locator: Locator, text: string): Promise<void> {
    await locator.fill(text);
    this.entries += 1;
  }

  /** Waits until nothing loads or is being saved, and the page stays the same. Returns its text. */
  async settled(): Promise<string> {
    const saving = this.page.locator('main button[aria-disabled=true]');
    for (let before = ''; ; ) {
      await untilRead(this.page);
      const text = (await this.page.locator('main').textContent()) ?? '';
      if (text === before && !text.includes('Calculating') && (await saving.count()) === 0) return text;
      before = text;
      await this.page.waitForTimeout(400);
    }
  }

  async importFiles(paths: readonly string[]): Promise<void> {
    const { page } = this;
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([...paths]);
    this.clicks += 1;
    await page.getByRole('heading', { name: `${paths.length} files` }).waitFor();
    await page.getByText(`${paths.length} imported`).waitFor();
    await this.settled();
  }

  /** Answers all items of the year. */
  async review(): Promise<void> {
    const { page } = this;
    for (let turn = 0, unchanged = 0; turn < 60; turn += 1) {
      const before = await this.settled();
      if (await page.getByRole('heading', { name: 'All done' }).isVisible()) return;
      await this.answer(page.getByRole('article'));
      unchanged = (await this.settled()) === before ? unchanged + 1 : 0;
      if (unchanged === 3) throw new Error(`The answer changed nothing: ${before}`);
    }
    throw new Error('Not done after 60 answers.');
  }

  private async answer(item: Locator): Promise<void> {
    this.answers += 1;
    const choices = item.locator('.answers > li > *');
    const choose = async () => {
      const labels = await choices.allTextContents();
      return preferred.map((want) => labels.findIndex((label) => want.test(label))).find((at) => at !== -1);
    };
    let at = await choose();
    const one = item.locator('.cause-items button[aria-expanded=false]').first();
    if (at === undefined && (await one.isVisible())) {
      await this.click(one);
      await this.settled();
      at = await choose();
    }
    if (at === undefined) return this.row(item);
    const choice = choices.nth(at);
    const isLink = (await choice.getAttribute('href')) !== null;
    await this.click(choice);
    if (isLink) return this.prices();
    await this.settled();
    for (const [name, text] of Object.entries(texts)) {
      const field = item.locator('form').getByLabel(new RegExp(name)).first();
      if (await field.isVisible()) await this.fill(field, text);
    }
    await this.settled();
    // On a busy machine, the list can change after the choice and show the next item.
    const save = item.getByRole('button', { name: 'Save', exact: true });
    if (await save.isVisible()) await this.click(save);
  }

  /** Enters a row that could not be read, or dismisses it. */
  private async row(item: Locator): Promise<void> {
    const preview = item.getByRole('button', { name: 'Preview' });
    if (await preview.isVisible()) {
      await this.click(preview);
      const add = item.getByRole('button', { name: 'Add transaction' });
      await add.or(item.getByRole('alert')).first().waitFor();
      if (await add.isVisible()) return this.click(add);
    }
    await this.click(item.getByRole('button', { name: 'Dismiss' }).first());
    await this.settled();
    const reason = item.getByLabel('Reason');
    if (await reason.isVisible()) await this.fill(reason, 'Not a taxable event');
    const confirm = item.getByRole('button', { name: /^(Save|Dismiss)/ }).last();
    if (await confirm.isVisible()) await this.click(confirm);
  }

  /** Enters all prices needed, and goes back. */
  private async prices(): Promise<void> {
    const { page } = this;
    const forms = page.getByRole('form', { name: /^Price of/ });
    await forms.first().waitFor();
    while ((await forms.count()) > 0) {
      const name = (await forms.first().getAttribute('aria-label')) ?? '';
      const form = page.getByRole('form', { name, exact: true });
      await this.fill(form.getByRole('textbox'), '100');
      await this.click(form.getByRole('button'));
      await form.waitFor({ state: 'detached' });
      await this.settled();
    }
    await this.click(page.getByRole('link', { name: /^Review/ }).first());
  }

  async downloadForm(): Promise<Uint8Array> {
    const { page } = this;
    await this.settled();
    await this.click(page.getByRole('button', { name: /^Generate/ }));
    const paper = page.locator('.purposes > .card', { has: page.getByRole('heading', { name: 'Paper or PDF' }) });
    const button = paper.getByRole('button', { name: /^Download (preview )?PDF$/ });
    this.clicks += 1;
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return Bun.file(await download.path()).bytes();
  }
}

/** The answers that a person would choose, the best first. */
const preferred = [
  ...[/expired worthless/, /^It's an? /, /^No, it's taxable/, /own wallets?$/, /^Match/, /^Enter cost basis/],
  ...[/^I bought it before/, /^See the prices needed/, /^Enter the price/, /^Enter value/, /^Keep/],
];

/** What they enter into a field with such a label. */
const texts: Readonly<Record<string, string>> = {
  'Cost basis': '$100',
  'Date acquired': '1/15/2012',
  'Units held': '10',
  'Value in dollars': '100',
  'Price of one': '100',
  Reason: 'Checked with the broker',
};
