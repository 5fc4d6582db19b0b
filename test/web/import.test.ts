import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { TestClient } from '../support/app.ts';
import { fetchAll } from '../support/books.ts';
import { cutLine } from '../support/cut-line.ts';
import { dropFiles } from '../support/drop-files.ts';
import { madeUpExports } from '../support/made-up-exports.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { workbook, zip } from '../support/workbook.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

describe('files dropped into the client', () => {
  test('are imported in parallel while the user works on another page, and one import can be undone', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/review', { as: who });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await dropFiles(page, madeUpExports);
    await page.getByText('3 files imported').waitFor();
    await page.getByRole('link', { name: 'Show files' }).click();
    const drop = page.getByRole('article', { name: '3 files' });
    await drop.getByText('3 imported').waitFor();
    // The strip is gone once its files were seen.
    await page.getByRole('link', { name: 'Review', exact: false }).first().click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    expect(await page.getByText('3 files imported').count()).toBe(0);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByRole('row', { name: /Mar 4, 2024 to Nov 20, 2024/ }).waitFor();
    const card = page.getByRole('article', { name: 'schwab.csv' });
    await card.getByText('2 transactions, Imported').click();
    await card.getByText('Schwab brokerage transactions').waitFor();
    expect(await card.locator('dd').allTextContents()).toEqual(['2', '0', '0', '0', '2']);
    await visit.expectAccessible();
    expect(await fetchGain(who, 2024)).toBe('562.96');
    await card.getByRole('button', { name: 'Undo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the import of schwab.csv?' });
    await dialog.getByText('This removes 2 transactions').waitFor();
    await dialog.getByText('$513.00').first().waitFor();
    await visit.expectAccessible();
    await dialog.getByRole('button', { name: 'Keep import' }).click();
    expect(await fetchGain(who, 2024)).toBe('562.96');
    await card.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await card.getByText('Import undone').waitFor();
    expect(await fetchGain(who, 2024)).toBe('513.00');
    await visit.close();
  });

  test('as an OFX file and a Flex query in XML are imported with the accounts that they name', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/import', { as: who });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    const documents = join(import.meta.dir, '../fixtures/documents');
    const files = ['fidelity.ofx', 'flex-activity.xml'];
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(files.map((name) => join(documents, name)));
    for (const [name, format] of [
      ['fidelity.ofx', 'OFX or QFX investment statement'],
      ['flex-activity.xml', 'Interactive Brokers Flex query'],
    ] as const) {
      const card = page.getByRole('article', { name });
      await card.getByText(/\d+ transactions, Imported/).click();
      await card.getByText(format).first().waitFor();
    }
    await visit.expectAccessible();
    const accounts = (await fetchAll<{ account: string }>(who, '/v1/transactions')).map(({ account }) => account);
    expect([...new Set(accounts)].sort()).toEqual(['Fidelity ...0321', 'U0000001']);
    await visit.close();
  });

  test('as a ZIP or workbook become one import for each table, and an unknown one is matched by its first rows', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/import', { as: who, expectedErrors: [/422/] });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    const unknown = [
      ['When', 'What', 'Coin', 'Units', 'Dollars'],
      ['2024-01-02', 'Bought', 'BTC', 1, 40000],
    ];
    const book = await workbook([{ name: 'Mine', rows: unknown }]);
    await dropFiles(page, {
      'export.zip': await zip({
        'schwab.csv': madeUpExports['schwab.csv'],
        'coinbase.csv': madeUpExports['coinbase.csv'],
        'book.xlsx': book,
      }),
    });
    const drop = page.getByRole('article', { name: '3 files' });
    await drop.getByText('schwab.csv in export.zip').waitFor();
    await drop.getByText('coinbase.csv in export.zip').waitFor();
    await drop.getByText('2 imported').waitFor();
    const asked = page.getByRole('article', { name: 'book.xlsx/Mine in export.zip' });
    await asked.getByRole('cell', { name: 'Bought' }).first().waitFor();
    await visit.expectAccessible();
    expect(await fetchGain(who, 2024)).toBe('529.96');
    await visit.close();
  });

  test('without an account name get their names in one table', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/import', { as: who });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    const own = madeUpExports['robinhood.csv'];
    await dropFiles(page, { 'mine.csv': own, 'hers.csv': own.replaceAll('GRID', 'WIRE') });
    const drop = page.getByRole('article', { name: '2 files' });
    await drop.getByText("Name the accounts of 2 files that don't contain a name").click();
    await drop.getByLabel('Account of hers.csv').fill('Her stocks');
    await visit.expectAccessible();
    await drop.getByRole('button', { name: 'Save names' }).click();
    await page.getByText('1 account named.').waitFor();
    await page.getByRole('row', { name: /^Her stocks Apr 2, 2024 to May 7, 2024/ }).waitFor();
    await visit.close();
  });

  test('resume after the connection drops during an upload, and are stored once', async () => {
    const who = await site.app.register('PRO');
    const line = cutLine(new URL(site.url));
    const visit = await site.visit(`${line.url}import`, { as: who, expectedErrors: [/net::ERR_/] });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    line.cutAfter(300_000);
    await dropFiles(page, { 'many.csv': manyRows(20_000) });
    const card = page.getByRole('article', { name: 'many.csv' });
    await card.getByText('The connection dropped during the upload').waitFor();
    expect(line.isCut).toBe(true);
    line.mend();
    // The server keeps the interrupted request open for a while.
    await card.getByText('Imported', { exact: true }).waitFor({ timeout: 120_000 });
    const { data } = await who.json<{ data: { status: string; imported: number }[] }>('GET', '/v1/imports');
    expect(data.filter(({ status }) => status === 'completed').map(({ imported }) => imported)).toEqual([20_000]);
    await visit.close();
    line.close();
  });
});

describe('a file that exceeds the plan', () => {
  test('shows its result and a link to the plans', async () => {
    const who = await site.app.register('FREE');
    const visit = await site.visit('/import', { as: who });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    const sale = '2024-12-02,sell,Schwab,ACME,1,100.00\n';
    await dropFiles(page, { 'many.csv': manyRows(60) + sale });
    const card = page.getByRole('article', { name: 'many.csv' });
    await card.getByText('Your FREE plan includes 50 transactions').first().waitFor();
    await card.getByText('$99.00').first().waitFor();
    await card.getByText('Preview only.').waitFor();
    expect(await card.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
    expect(await card.getByRole('link', { name: 'See plans' }).getAttribute('href')).toMatch(/^\/account\/plan/);
    await visit.expectAccessible();
    await visit.close();
  });

  test('is not sent if the plan has no space for it, and can be previewed', async () => {
    const who = await site.app.register('FREE');
    const visit = await site.visit('/import', { as: who });
    const { page } = visit;
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    const row = `2024-01-05,transfer_in,Schwab,ACME,1,,${'x'.repeat(900)}\n`;
    const buffer = Buffer.from(`date,type,account,asset,quantity,amount,note\n${row.repeat(22_000)}`);
    const file = { name: 'large.csv', mimeType: 'text/csv', buffer };
    await page.locator('input[type=file]').first().setInputFiles(file);
    const card = page.getByRole('article', { name: 'large.csv' });
    await card.getByText(/^This file is 20\.\d MB\. Your FREE plan includes 20 MB of imported files/).waitFor();
    expect(sent).toEqual([]);
    expect(await card.getByRole('button', { name: 'Preview' }).count()).toBe(1);
    await visit.expectAccessible();
    await visit.close();
  });
});

describe('importing on a phone', () => {
  test('shows the progress, opens the questions, and leads from a question to its row and back', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/import', { as: who, width: 360, height: 740 });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    const rows = '2024-01-05,buy,Kraken,ETH,0.3,600\n2024-05-01,withdrawal,Kraken,ETH,0.4,\n';
    const buffer = Buffer.from(`date,type,account,asset,quantity,amount\n${rows}`);
    await page.locator('input[type=file]').first().setInputFiles({ name: 'moved.csv', mimeType: 'text/csv', buffer });
    const results = page.getByRole('region', { name: 'This session' });
    await results.getByRole('link', { name: 'Review 1 item' }).waitFor();
    const top = await page
      .getByRole('article', { name: 'moved.csv' })
      .evaluate((card) => card.getBoundingClientRect().top);
    expect(top).toBeLessThan(600);
    await results.getByRole('link', { name: 'Review 1 item' }).click();
    // The two questions about the row are one item.
    await page.getByRole('link', { name: /^Missing purchase: ETH/ }).click();
    const item = page.getByRole('article');
    await item.getByText('0.1 ETH left Kraken on May 1, 2024').waitFor();
    await item.getByText('0.4 ETH left Kraken on May 1, 2024').waitFor();
    await item.getByRole('link', { name: 'Edit transaction' }).click();
    await page.getByLabel('Type').selectOption('Gift given');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
    await item.getByText('0.1 ETH left Kraken on May 1, 2024').waitFor();
    await item.getByText('Unmatched transfer').waitFor({ state: 'detached' });
    await visit.expectAccessible();
    await visit.close();
  });
});

describe('a file that corrects an earlier one', () => {
  test('raises questions if "Corrects earlier files" is checked, and one answer replaces all rows', async () => {
    const who = await site.app.register('PRO');
    const file = (...amounts: readonly number[]): string =>
      [
        'date,type,account,asset,quantity,amount',
        `2024-01-05,buy,Schwab,KO,10,${amounts[0]}`,
        `2024-02-05,buy,Schwab,PEP,5,${amounts[1]}`,
        `2024-03-05,sell,Schwab,KO,10,${amounts[2]}`,
        '',
      ].join('\n');
    await importText(who, 'year.csv', file(600, 850, 640));
    expect(await fetchGain(who, 2024)).toBe('40.00');
    const visit = await site.visit('/import', { as: who });
    const { page } = visit;
    await page.getByRole('checkbox', { name: /^Corrects earlier files/ }).check();
    await dropFiles(page, { 'year-corrected.csv': file(601, 851, 661) });
    const card = page.getByRole('article', { name: 'year-corrected.csv' });
    await card.getByRole('link', { name: '3 rows' }).click();
    await page.getByRole('button', { name: 'The newer file is right' }).click();
    await page.getByRole('row', { name: /^2024/ }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: The newer file is right.').waitFor();
    expect(await fetchGain(who, 2024)).toBe('60.00');
    const { data } = await who.json<{ data: unknown[] }>('GET', '/v1/transactions');
    expect(data).toHaveLength(3);
    await visit.expectAccessible();
    await visit.close();
  });
});

describe('a line that could not be read', () => {
  test('can be fixed in place, and another line can be dismissed', async () => {
    const who = await site.app.register('PRO');
    const file = madeUpExports['schwab.csv'].replace('03/04/2024', '03/44/2024');
    await importText(who, 'schwab.csv', `${file}"03/05/2024","Cash In Lieu","ACME","ACME CORP","","","","$1.02"\n`);
    const visit = await site.visit('/import/rejected', { as: who });
    const { page } = visit;
    const line = page.getByRole('article', { name: 'Line 4 of schwab.csv' });
    await line.getByRole('button', { name: 'Edit row' }).click();
    await visit.expectAccessible();
    await line.getByLabel('Date').fill('03/04/2024');
    await line.getByRole('button', { name: 'Try again' }).click();
    await line.getByText('Mar 4, 2024').waitFor();
    await line.getByRole('button', { name: 'Add transaction' }).click();
    await page.getByText('Line 4 fixed.').waitFor();
    expect(await fetchGain(who, 2024)).toBe('49.96');
    const other = page.getByRole('article', { name: 'Line 5 of schwab.csv' });
    await other.getByRole('button', { name: 'Dismiss' }).click();
    await other.getByLabel('Reason').fill('A cent of cash.');
    await other.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('All rows are taken care of.').waitFor();
    // Viewing a line is not a download.
    const { data } = await who.json<{ data: { action: string }[] }>('GET', '/v1/account/audit');
    expect(data.filter(({ action }) => action.endsWith('_downloaded'))).toEqual([]);
    await visit.close();
  });
});

describe('a file in an unknown format', () => {
  test('is mapped in the wizard, previewed and imported, and its mapping is saved', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/import', { as: who, expectedErrors: [/422/] });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    const header = 'Trade Day,Ticker,What,Units,Unit Price,Charges\n';
    await dropFiles(page, {
      'mine.csv': `${header}03/04/2024,ACME,Opened,10,40.00,1.00\n11/20/2024,ACME,Closed,10,45.00,0.04\n`,
      'mine too.csv': `${header}03/14/2024,GRID,Opened,1,10.00,0\n11/20/2024,GRID,Closed,1,11.00,0\n`,
    });
    const card = page.getByRole('article', { name: 'mine.csv' });
    await card.getByLabel('Field for What').selectOption('type');
    await card.getByLabel('Opened').selectOption('buy');
    await card.getByLabel('Closed').selectOption('sell');
    await visit.expectAccessible();
    await card.getByRole('button', { name: 'Preview' }).click();
    await card.getByText('$48.96').first().waitFor();
    expect((await who.json<{ data: unknown[] }>('GET', '/v1/transactions')).data).toEqual([]);
    await card.getByRole('button', { name: 'Import and save mapping' }).click();
    await card.getByText('Imported', { exact: true }).waitFor();
    // A file with the same columns needs no answers.
    await page.getByRole('article', { name: 'mine too.csv' }).getByText('Imported', { exact: true }).waitFor();
    expect(await fetchGain(who, 2024)).toBe('49.96');
    await visit.close();
  });

  test('requires the order of day and month in its dates, and shows the result of each order', async () => {
    const who = await site.app.register('PRO');
    const visit = await site.visit('/import', { as: who, dark: true, width: 360, expectedErrors: [/422/] });
    const { page } = visit;
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
    await dropFiles(page, {
      'dates.csv':
        'When,Symbol,Side,Quantity,Total\n03/04/2024,ACME,Buy,10,400\n05/06/2024,ACME,Sell,10,450\n02/01/2025,ACME,Buy,1,40\n',
    });
    const card = page.getByRole('article', { name: 'dates.csv' });
    await card.getByRole('button', { name: 'Preview' }).click();
    await card.getByText('The date in question would be Apr 3, 2024.').waitFor();
    await card
      .getByText(/^3 imported, 2024 gain \$50\.00/)
      .first()
      .waitFor();
    await visit.expectAccessible();
    await card.getByLabel('The day').check();
    await card.getByRole('button', { name: 'Preview' }).click();
    await card.getByRole('button', { name: 'Import and save mapping' }).click();
    await card.getByText('Imported', { exact: true }).waitFor();
    const { data } = await who.json<{ data: { date: string }[] }>('GET', '/v1/transactions?sort=date');
    expect(data.map(({ date }) => date)).toEqual(['2024-04-03', '2024-06-05', '2025-01-02']);
    await visit.close();
  });
});

function manyRows(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `2024-01-02,buy,Schwab,ACME,1,${at + 1}.00`);
  return `date,type,account,asset,quantity,amount\n${rows.join('\n')}\n`;
}

async function importText(who: TestClient, name: string, text: string): Promise<void> {
  const headers = { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"` };
  await who.json('POST', '/v1/transactions/import', { body: text, headers }, 201);
}

async function fetchGain(who: TestClient, year: number): Promise<string> {
  const summary = await who.json<{ total: { gain: string } }>('GET', `/v1/tax/summary?year=${year}`);
  return summary.total.gain;
}
