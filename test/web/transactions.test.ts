import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tradesCsv } from '../../scripts/bench/trades.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { walkList, walkText } from '../support/long-list.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

describe('transactions', () => {
  test('can be added manually, changed and undone', async () => {
    const expectedErrors = [/422/];
    const visit = await site.visit('/transactions?years=all', { as: await site.app.register('PRO'), expectedErrors });
    const { page } = visit;
    await page.getByText('No transactions yet').waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Date').fill('2024-03-01');
    await page.getByRole('textbox', { name: 'Account' }).fill('Fidelity');
    await page.getByLabel('Asset', { exact: true }).fill('AAPL');
    await page.getByLabel('Quantity').fill('10000000000000000000000');
    await page.getByLabel('Amount').fill('1700');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    // Errors are shown at their field, and the typed text survives a reload.
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Quantity').getAttribute('aria-invalid')).toBe('true');
    await page.reload();
    expect(await page.getByLabel('Amount').inputValue()).toBe('1,700');
    await visit.expectAccessible();
    await page.getByLabel('Quantity').fill('10');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row', { name: /10 AAPL/ });
    await row.click();
    const story = page.getByRole('dialog', { name: 'Buy 10 AAPL' });
    await story.getByText('Entered manually.').waitFor();
    await story.getByText('Open lots').waitFor();
    await story.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Amount').fill('1800');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('$1,800.00').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row.getByText('$1,700.00').waitFor();
    await visit.close();
  });

  test('can be found, opened, selected, changed and deleted by keyboard, and each change can be undone', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, csv);
    const visit = await site.visit('/transactions?years=all', { as: who });
    const { page } = visit;
    await page.getByRole('row', { name: /12 MSFT/ }).waitFor();
    await page.getByRole('link', { name: 'Amount' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const story = page.getByRole('dialog', { name: 'Sell 12 MSFT' });
    await story.getByText('2024-06-03,sell,Fidelity,MSFT,12').waitFor();
    await story.getByText('Form 8949 entries').waitFor();
    await visit.expectAccessible();
    await page.keyboard.press('Escape');
    await story.waitFor({ state: 'hidden' });
    expect(await page.locator(':focus').textContent()).toContain('12 MSFT');
    await page.keyboard.press('Space');
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await page.getByText('2 transactions selected').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Account', { exact: true }).selectOption('Create a new account…');
    await page.getByLabel('Name of the new account').fill('Schwab');
    await page.getByText('This creates the account “Schwab”.').waitFor();
    await page.getByRole('button', { name: 'Change 2 transactions' }).click();
    await page.getByRole('gridcell', { name: 'Schwab' }).nth(1).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('gridcell', { name: 'Schwab' }).first().waitFor({ state: 'detached' });
    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No transactions yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('4 transactions').first().waitFor();
    await visit.close();
  });

  test('are found by a quick filter, sorted by a column head, and edited with a time of day', async () => {
    const who = await site.app.register('PRO');
    await who.json('PATCH', '/v1/account', { body: { timeZone: 'America/New_York' } });
    await importCsv(who, csv);
    const visit = await site.visit('/transactions?years=all', { as: who });
    const { page } = visit;
    await page.getByRole('button', { name: 'Sales' }).click();
    await page.getByText('2 transactions found').waitFor();
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Sales' }).click();
    await page.getByText('4 transactions').first().waitFor();
    const assets = page.locator('.list-body .cell-asset');
    await page.getByRole('link', { name: 'Date, type' }).click();
    await page.waitForURL(/sort=date/);
    await assets.first().filter({ hasText: '10 MSFT' }).waitFor();
    await page.getByRole('link', { name: 'Amount' }).click();
    await assets.first().filter({ hasText: '5 ETH' }).waitFor();
    await page.getByRole('row', { name: /5 ETH/ }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Ethereum').first().waitFor();
    await panel.getByRole('button', { name: 'Edit' }).click();
    expect(await panel.locator('optgroup').first().getAttribute('label')).toBe('Purchases and sales');
    await panel.getByLabel('Time').fill('11:30 pm');
    await panel.getByText('America/New York time').waitFor();
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed.').waitFor();
    await page.getByRole('row', { name: /5 ETH/ }).click();
    await panel.getByText('(Feb 3, 2024, 4:30 AM UTC)').waitFor();
    await panel.getByText('from Feb 2, 2024 to Feb 3, 2024, 4:30 AM UTC').waitFor();
    await panel.getByRole('button', { name: 'Edit' }).click();
    expect(await panel.getByLabel('Date').inputValue()).toBe('2/2/2024');
    expect(await panel.getByLabel('Time').inputValue()).toBe('11:30 PM');
    await visit.close();
  });

  test('that match are all selected, changed and deleted at once, beyond the first 1,000', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, csvOf(...Array.from({ length: 1_203 }, (_, at) => `buy 2024-01-02 1 X @${at + 1} #m${at}`)));
    const size = { width: 390, height: 844 };
    const visit = await site.visit('/transactions?years=all', { as: who, ...size, expectedErrors: [/409/] });
    const { page } = visit;
    await page.getByText('1,203 transactions').first().waitFor();
    await page.getByLabel('Select all').check();
    await page.getByText('1,000 transactions selected').waitFor();
    await page.getByRole('button', { name: 'Select all 1,203 transactions that match' }).click();
    await page.getByText('1,203 transactions selected').waitFor();
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Field').selectOption('note');
    await page.getByLabel('Note').fill('seen');
    await page.getByRole('button', { name: 'Change 1,203 transactions' }).click();
    await page.getByText('Changed 1,203 transactions.').waitFor();
    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Select all 1,203' }).click();
    await importCsv(who, csvOf('buy 2024-05-02 1 Z @1 #z1'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1,204 transactions match now instead of 1,203').waitFor();
    expect(await who.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 1_204 } });
    await visit.close();
  });

  test('are shown as text, with any file content: no markup becomes part of a page', async () => {
    const who = await site.app.register('PRO');
    const markup = '<img src=x onerror=alert(1)>';
    const row = `2024-01-02,buy,${markup},<b>X</b>,1,10,"<script>alert(2)</script>"`;
    const headers = {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="<svg onload=alert(3)>.csv"',
    };
    const body = `date,type,account,asset,quantity,amount,note\n${row}\n`;
    await who.json('POST', '/v1/transactions/import', { body, headers }, 201);
    const visit = await site.visit('/transactions?years=all', { as: who });
    const { page } = visit;
    await page.getByRole('row', { name: /<b>X<\/b>/i }).click();
    await page.getByRole('dialog').getByText('<script>alert(2)</script>').first().waitFor();
    for (const [path, shown] of [
      ['/holdings', /<b>X<\/b>/i],
      ['/import', /onload=alert\(3\)/],
    ] as const) {
      await page.goto(new URL(path, site.url).href);
      await page.getByText(shown).first().waitFor();
      expect(await page.locator('img[src="x"], main script, svg[onload]').count()).toBe(0);
    }
    await visit.close();
  });

  test('are filtered by an address that survives a reload, in the dark and on a phone', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, csv);
    const visit = await site.visit('/transactions?years=all', { as: who, dark: true, width: 360, height: 740 });
    const { page } = visit;
    await page.getByLabel('Search').fill('msft');
    await page.getByText('3 transactions found').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Type').selectOption('sell');
    await page.getByText('2 transactions found').waitFor();
    await page.getByLabel('To').fill('2024-06-03');
    await page.getByText('1 transaction found').waitFor();
    await page.reload();
    await page.getByText('1 transaction found').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Type', { exact: true }).selectOption('buy');
    await page.getByText('2 transactions found').waitFor();
    expect(new URL(page.url()).searchParams.getAll('type')).toEqual(['sell', 'buy']);
    await page.reload();
    await page.getByText('2 transactions found').waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('button', { name: 'Not Sell' }).waitFor();
    await page.getByLabel('Sort by').selectOption('amount');
    const amounts = page.locator('.list-body .cell-amount');
    await page.getByText('All days').waitFor();
    await amounts.filter({ hasText: '5,000' }).waitFor();
    expect(await amounts.allTextContents()).toEqual(['$3,700.00', '$5,000.00']);
    await visit.expectAccessible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThan(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('4 transactions').first().waitFor();
    expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual(['sort', 'year', 'years']);
    await visit.close();
  });

  test(`can be scrolled, filtered and edited in a list of ${rows.toLocaleString('en-US')} rows`, async () => {
    const who = await site.app.register('PRO');
    const text = tradesCsv(rows);
    await importCsv(who, text);
    const visit = await site.visit('/', { as: who });
    visit.page.setDefaultTimeout(patienceMilliseconds);
    const { shown, ...walk } = await walkList(visit.page, site.url, 'S3');
    console.log(`${rows} transactions: ${walkText(walk)}`);
    expect(shown.counts).toEqual(['100,000 transactions', '5,000 transactions found']);
    const listed = listedTexts(text);
    const [top, middle, end] = shown.all.map(({ item }) => item / listed.length);
    expect([top, middle, end].map((share) => Math.round(10 * (share ?? 0)))).toEqual([0, 5, 10]);
    // A row with an open item also says so.
    for (const { item, text: said } of shown.all)
      expect(wordsOf(said).replace(/ review$/, '')).toBe(listed[item] ?? '');
    expect(shown.filtered.length).toBeGreaterThan(10);
    expect(shown.filtered.filter((said) => !/\d S3\b/.test(said))).toEqual([]);
    expect(wordsOf(shown.edited)).toBe(wordsOf(shown.filtered[0]?.replace('$0.35', '$7.77') ?? ''));
    expect(walk.rowsDrawn).toBeLessThan(300);
    await visit.close();
  });
});

const rows = 100_000;
/** Machines that run tests are slow and shared. */
const patienceMilliseconds = 120_000;

/** Returns the text of each item in the list for a file of trades, newest first. Empty for the heading of a day. */
function listedTexts(csv: string): string[] {
  const trades = csv.trim().split('\n').slice(1).sort().reverse();
  const days = Map.groupBy(trades, (trade) => trade.slice(0, 10));
  return [...days.values()].flatMap((ofDay) => ['', ...ofDay.map(listedText)]);
}

function listedText(trade: string): string {
  const [, type = '', account, asset, quantity, amount, fee] = trade.split(',');
  const dollars = Number(amount).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  return `${type[0]?.toUpperCase()}${type.slice(1)} ${quantity} ${asset} ${account} ${dollars} $${fee}`;
}

function wordsOf(text: string): string {
  return text.trim().split(/\s+/).join(' ');
}

const csv = csvOf(
  'buy 2024-01-02 10 MSFT @3700 !Fidelity #b1',
  'buy 2024-02-02 5 ETH @11000 !Coinbase #b2',
  'sell 2024-06-03 12 MSFT @5000 !Fidelity #s1',
  'sell 2025-06-03 2 MSFT @900 !Fidelity #s2',
);
