import { afterAll, beforeAll, expect, test } from 'bun:test';
import { allText, readPdf } from '../forms/pdf.ts';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

const rows = `date,type,account,asset,quantity,amount,fee
2022-01-10,buy,Fidelity,KO,100,5000,0
2022-01-10,buy,Schwab,AAPL,10,1000,0
2024-06-03,sell,Fidelity,KO,40,2600,0
2024-07-01,sell,Schwab,AAPL,5,900,0
`;

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

test('a notice is entered, compared, answered and downloaded', async () => {
  const who = await site.app.register();
  await importCsv(who, rows);
  const visit = await site.visit('/forms/notice?year=2024', { as: who });
  const { page } = visit;
  await page.getByLabel('Notice date').fill('2026-03-02');
  await page.getByLabel('Response due').fill('2026-04-01');
  await page.getByLabel('Your address for the letter').fill('12 Elm St\nSpringfield, IL');
  await page.getByRole('button', { name: 'Add a line' }).click();
  const line = (number: number) => page.getByRole('group', { name: `Line ${number}` });
  await line(1).getByLabel('Payer').fill('FIDELITY BROKERAGE SERVICES');
  await line(1).getByLabel('Security').fill('40 SH KO');
  await line(1).getByLabel('Proceeds').fill('2,600');
  await line(2).getByLabel('Payer').fill('CHARLES SCHWAB');
  await line(2).getByLabel('Security').fill('APPLE INC');
  await line(2).getByLabel('Proceeds').fill('900');
  // The notice is kept in the tab.
  await page.reload();
  expect(await line(2).getByLabel('Security').inputValue()).toBe('APPLE INC');
  await page.getByRole('button', { name: 'Compare with my sales' }).click();
  const matched = page.getByRole('listitem').filter({ hasText: 'Line 1: FIDELITY' });
  await matched.getByText('You disagree: the gain differs.').waitFor();
  expect(await matched.getByRole('row', { name: /^Difference/ }).textContent()).toContain('($2,000.00)');
  const open = page.getByRole('listitem').filter({ hasText: 'Line 2: CHARLES SCHWAB' });
  await open.getByText('$900.00 of proceeds are not matched yet.').waitFor();
  await page.getByText('1 line needs your answer.').waitFor();
  await visit.expectAccessible();
  await open.getByLabel('Your sale').selectOption({ label: 'AAPL, Schwab, Jul 1, 2024: $900.00' });
  await open.getByText('You disagree: the gain differs.').waitFor();
  await page.getByText('1 line needs your answer.').waitFor({ state: 'detached' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the answer (PDF)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('cp2000-2024.pdf');
  const text = allText(await readPdf(await Bun.file(await download.path()).bytes()));
  expect(text).toContain('I disagree with both of its lines.');
  expect(text).not.toContain('Incomplete');
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit.expectAccessible();
  await visit.expectPhoneFit();
  await open.getByLabel('Your sale').selectOption('none');
  await open.getByLabel('Do you agree with this line?').selectOption('no');
  await open.getByText('You disagree: it is not your sale.').waitFor();
  await page.getByRole('button', { name: 'Clear the notice' }).click();
  expect(await page.getByLabel('Payer').inputValue()).toBe('');
  await visit.close();
});

test('a newcomer is told what the page needs', async () => {
  const visit = await site.visit('/forms/notice', { as: await site.app.register() });
  await visit.page.getByRole('heading', { name: 'No forms yet' }).waitFor();
  await visit.expectAccessible();
  await visit.close();
});
