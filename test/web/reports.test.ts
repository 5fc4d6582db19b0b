import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { allText, readPdf } from '../forms/pdf.ts';
import { unzipped } from '../forms/unzip.ts';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let who: TestClient;

const header = 'date,type,account,asset,quantity,amount,fee,acquired,basis,box\n';
const rows = `${header}2022-01-10,buy,Fidelity,KO,100,5000,0,,,
2024-03-04,buy,Fidelity,PEP,30,5100,0,,,
2024-04-18,sell,Fidelity,PEP,30,4500,0,,,
2024-06-03,sell,Fidelity,KO,40,2600,5.4,,,
2024-06-03,reported_sale,Fidelity,KO,40,2600,,2022-01-10,2000,D
`;
/** Without it, the form lacks a sale, and the year is a draft. */
const otherFormRow = '2024-04-18,reported_sale,Fidelity,PEP,30,4500,,2024-03-04,5100,A\n';
/** An older lot, which the 2024 sale uses first. */
const older = `${header}2021-01-10,buy,Fidelity,KO,40,400,0,,,\n`;

beforeAll(async () => {
  site = await siteWithBrowser();
  who = await site.app.register();
  await importCsv(who, `${rows}${otherFormRow}`);
});
afterAll(() => site.close());

async function downloaded(page: Page, button: Locator): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), bytes: await Bun.file(await download.path()).bytes() };
}

describe('the reports of a year', () => {
  const card = (page: Page, title: string) =>
    page.locator('.purposes > .card', { has: page.getByRole('heading', { name: title, exact: true, level: 3 }) });

  test('are generated with the name and number, downloaded for each purpose, locked and unlocked', async () => {
    await who.json('PATCH', '/v1/account', { body: { name: '', taxpayerName: '' } });
    const visit = await site.visit('/forms', { as: who, expectedErrors: [/status of 422/] });
    const { page } = visit;
    await page.getByRole('heading', { name: '2024 tax forms' }).waitFor();
    await page.getByLabel('Name on tax return').fill('Ann & Bob Lee');
    await page.getByLabel('Social Security number').fill('12');
    await page.getByRole('button', { name: 'Generate 2024 forms' }).click();
    await page.locator('input:focus[aria-invalid=true]').waitFor();
    await page.getByLabel('Social Security number').fill('123-45-6789');
    await page.getByRole('button', { name: 'Generate 2024 forms' }).click();
    await page.getByText('· up to date').waitFor();
    const pdf = await downloaded(page, card(page, 'Paper or PDF').getByRole('button', { name: 'Download PDF' }));
    expect(pdf.name).toBe('form-8949-2024.pdf');
    const text = allText(await readPdf(pdf.bytes));
    expect(text).toContain('40 sh. KO\n01/10/2022\n06/03/2024\n2,600.00\n2,000.00\nE\n(5.40)\n594.60');
    expect(text).toContain('Ann & Bob Lee');
    expect(text).toContain('123-45-6789');
    for (const [title, kind, name] of [
      ['TurboTax Online', 'CSV', 'turbotax-2024.csv'],
      ['TurboTax Desktop', 'TXF', 'lotbook-2024.txf'],
      ['TaxAct', 'CSV', 'taxact-2024.csv'],
      ['Other tax software', 'FDX', 'fdx-2024.json'],
      ['A preparer or CPA', 'ZIP', 'for-my-preparer-2024.zip'],
    ] as const) {
      const file = await downloaded(page, card(page, title).getByRole('button', { name: `Download ${kind}` }));
      expect(file.name).toBe(name);
      if (kind === 'ZIP')
        expect(unzipped(file.bytes)['README.txt']).toContain('Capital gains of 2024 for Ann & Bob Lee');
    }
    await visit.expectAccessible();

    await page.getByText('More tax programs', { exact: true }).click();
    const drake = await downloaded(page, card(page, 'Drake Tax').getByRole('button', { name: 'Download CSV' }));
    expect(drake.name).toBe('drake-2024.csv');
    expect(new TextDecoder().decode(drake.bytes)).toContain(
      '\r\nT,,,,1,40 sh. KO,01102022,06032024,L,,2600.00,2000.00,',
    );
    for (const program of ['H&R Block', 'FreeTaxUSA', 'TaxSlayer', 'ProSeries', 'Lacerte', 'UltraTax CS']) {
      expect(await card(page, program).getByRole('listitem').count()).toBe(3);
      expect(await card(page, program).textContent()).toContain('We know of no published layout');
    }
    await visit.expectAccessible();

    await page.getByText('All files').click();
    const entries = card(page, 'Form 8949 entries');
    await entries.getByText('Notes and options').click();
    await entries.getByLabel('Amounts').selectOption('Whole dollars');
    await page.waitForURL(/format=csv.*wholeDollars=true/);
    const csv = await downloaded(page, entries.getByRole('button', { name: 'Download CSV' }));
    expect(new TextDecoder().decode(csv.bytes)).toContain('2600.00,2000.00,E,-5.00,595.00');
    await page.reload();
    await entries.getByText('form-8949-2024.csv').waitFor();
    expect(await entries.getByLabel('Amounts').inputValue()).toBe('true');

    await page.getByRole('button', { name: 'Lock 2024' }).click();
    await page.getByText('2024 has been locked since').waitFor();
    const refusal = await who.request('POST', '/v1/transactions/import', {
      body: older,
      headers: { 'content-type': 'text/csv' },
    });
    expect(refusal.status).toBe(409);
    expect(((await refusal.json()) as { detail: string }).detail).toContain('Unlock the year first');
    await page.getByRole('button', { name: 'Unlock 2024' }).click();
    await page.getByText('No Form 8949 entry has changed since').waitFor();
    await importCsv(who, older);
    await page.getByText('This version is out of date.').waitFor();
    await page.getByRole('row', { name: /^40 KO/ }).waitFor();
    expect(await page.getByRole('row', { name: /^Long-term, now/ }).textContent()).toContain('$2,194.60');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('heading', { name: 'All 2024 versions' }).waitFor();
    await visit.close();
  });

  test('show a PDF in place if the browser can, or else a message and the file', async () => {
    const { id } = await who.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2024 } });
    const visit = await site.visit(`/forms?report=${id}`, { as: who });
    const { page } = visit;
    await page.waitForURL(/year=2024/);
    await card(page, 'Paper or PDF').getByText('Notes and options').click();
    await page.getByRole('button', { name: 'Preview' }).click();
    // The browser in these tests does not show PDFs.
    expect(await page.evaluate(() => navigator.pdfViewerEnabled)).toBe(false);
    await page.getByText("Your browser can't preview PDFs").waitFor();
    const preview = await downloaded(page, page.getByRole('link', { name: /^Download form-8949-2024/ }));
    expect(preview.name).toStartWith('form-8949-2024');
    expect(allText(await readPdf(preview.bytes))).toContain('8949');
    await visit.expectAccessible();
    await page.addInitScript("Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true })");
    await page.reload();
    await card(page, 'Paper or PDF').getByText('Notes and options').click();
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await page.getByTitle('Form 8949 and Schedule D, 2024').getAttribute('src')).toStartWith('blob:');
    await visit.close();
  });
});

describe('the desk', () => {
  test('show each form with its difference, why its lines differ, and the statement', async () => {
    const owner = await site.app.register();
    await importCsv(owner, rows);
    const visit = await site.visit('/forms/1099?year=2024', { as: owner });
    const { page } = visit;
    const form = page.locator('.card', { has: page.getByRole('heading', { name: '1099-B from Fidelity' }) });
    await form.getByText('need your decision').waitFor();
    expect(await form.getByRole('row', { name: /^On the form/ }).textContent()).toContain('$2,600.00');
    const entry = page.getByRole('listitem').filter({ hasText: 'KO, Jun 3, 2024' });
    expect(await entry.textContent()).toContain('The form shows proceeds before the fee.');
    await page.getByLabel('Show').selectOption({ index: 2 });
    await entry.waitFor({ state: 'detached' });
    expect(await page.getByRole('listitem').filter({ hasText: 'PEP' }).textContent()).toContain('Not on the form');
    const { name, bytes } = await downloaded(page, page.getByRole('button', { name: 'Statement (PDF)' }));
    expect(name).toMatch(/^reconciliation-2024/);
    expect(allText(await readPdf(bytes))).toContain('Fidelity');
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await visit.close();
  });
});

describe('opportunity funds', () => {
  const funds = `date,type,account,asset,quantity,amount,acquired,term,fmv,asset_class
2024-02-05,defer_gain,Fund,12-3456789,100,15000,2024-01-10,long,,stock
2025-03-03,defer_gain,Fund,98-7654321,50,4000,2025-02-03,short,,stock
2025-06-02,sell,Fund,12-3456789,40,7000,,,,stock
`;

  test('are listed as in Form 8997, part by part', async () => {
    const owner = await site.app.register();
    await importCsv(owner, funds);
    for (const seen of [{}, { dark: true }, { width: 360, height: 740 }]) {
      const visit = await site.visit('/funds?year=2025', { as: owner, ...seen });
      const { page } = visit;
      await page.getByRole('heading', { name: 'Opportunity funds, 2025' }).waitFor();
      const readAmounts = (title: string): Promise<string[]> =>
        page.locator('section', { hasText: title }).first().locator('.amount').allTextContents();
      await page.getByRole('heading', { name: 'Held at the beginning of the year' }).waitFor();
      expect(await readAmounts('Held at the beginning')).toEqual(['$15,000.00']);
      expect(await readAmounts('Gains included in the year')).toEqual(['$6,000.00', '$6,000.00']);
      expect(await readAmounts('Held at the end')).toEqual(['$9,000.00', '$4,000.00']);
      await visit.expectAccessible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await visit.close();
    }
    const ofNextYear = await site.visit('/funds?year=2026', { as: owner });
    await ofNextYear.page.getByRole('heading', { name: 'Held after inclusion' }).waitFor();
    expect(await ofNextYear.page.getByText('Preview, not for filing').count()).toBe(1);
    expect(await ofNextYear.page.getByText('value not entered').count()).toBe(2);
    await ofNextYear.expectAccessible();
    await ofNextYear.close();
    const visit = await site.visit('/funds?year=2023', { as: owner });
    await visit.page.getByRole('heading', { name: 'No opportunity funds in 2023' }).waitFor();
    await visit.close();
  });
});

test('a year with open items is locked only after a question that lists their dollars', async () => {
  const who = await site.app.register();
  await importCsv(who, 'date,type,account,asset,quantity,amount\n2024-05-06,sell,Broker,AAPL,2,300\n');
  const visit = await site.visit('/forms?year=2024', { as: who });
  const { page } = visit;
  await page.getByText('You can leave them blank and write them in by hand.').waitFor();
  await page.getByRole('button', { name: 'Lock 2024' }).click();
  const dialog = page.getByRole('dialog', { name: 'Lock 2024 with open items?' });
  await dialog.getByText('1 item to review').waitFor();
  await dialog.getByText('Missing purchase: AAPL · $300.00').waitFor();
  await visit.expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByText('2024 has been locked since').count()).toBe(0);
  await page.getByRole('button', { name: 'Lock 2024' }).click();
  await dialog.getByRole('button', { name: 'Lock anyway' }).click();
  await page.getByText('2024 has been locked since').waitFor();
  await visit.close();
});

test('a year that is not over has a preview, asks for the form of each account, and cannot be locked', async () => {
  const year = new Date().getFullYear();
  const owner = await site.app.register();
  await owner.json('PATCH', '/v1/account', { body: { name: 'Ann Lee' } });
  await importCsv(
    owner,
    `date,type,account,asset,quantity,amount\n${year - 1}-01-05,buy,Old Bank,KO,5,500\n${year}-01-06,sell,Old Bank,KO,5,600\n`,
  );
  const visit = await site.visit(`/forms?year=${year}`, { as: owner });
  const { page } = visit;
  const notice = page.getByText(`${year} isn't over and its IRS forms aren't final.`);
  await notice.waitFor();
  await page.getByText('You can leave it blank and write it in by hand.').waitFor();
  const question = page.getByRole('region', { name: 'Forms to confirm' });
  await question.getByText('Old Bank').waitFor();
  await page.getByRole('button', { name: `Generate ${year} preview` }).click();
  await page.getByText('· up to date').waitFor();
  const first = page.locator('.purposes > .card').first();
  expect(await first.getByRole('heading').textContent()).toBe('Paper or PDF');
  expect(await first.getByRole('button', { name: 'Download preview PDF' }).getAttribute('class')).toBe('primary');
  expect(await page.locator('.purposes .primary').count()).toBe(1);
  expect(await notice.count()).toBe(1);
  expect(await page.getByRole('button', { name: `Lock ${year}` }).count()).toBe(0);
  expect(await page.getByRole('heading', { name: `Filed ${year}?` }).count()).toBe(0);
  expect(await page.getByText('Open account settings').count()).toBe(0);
  await visit.expectAccessible();
  await question.getByRole('button', { name: 'No form: Old Bank' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByText('it still assumes the form of Old Bank, which you have set').waitFor();
  expect(await page.getByText('are assumed').count()).toBe(0);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('· up to date').waitFor();
  expect(await page.getByText('still assumes').count()).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit.expectAccessible();
  await visit.expectPhoneFit();
  await visit.close();
});
