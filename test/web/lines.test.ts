import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let client: TestClient;
beforeAll(async () => {
  site = await siteWithBrowser();
  client = await site.app.register('PRO');
  await importCsv(
    client,
    csvOf(
      'buy 2024-01-02 100 X @1000 #b1',
      'sell 2024-12-20 100 X @700 ~10 #s1',
      'buy 2025-01-10 40 X @300 #b2',
      'buy 2023-02-01 5 OTHER @500',
      'sell 2024-06-03 2 OTHER @260',
      'sell 2024-07-08 3 OTHER @450',
    ),
  );
});
afterAll(() => site.close());

describe('lines behind a number of the year', () => {
  test('are opened by a link, which also leads to the explanation of a line and back', async () => {
    const visit = await site.visit('/overview?year=2024', { as: client });
    const { page } = visit;
    await page.getByRole('link', { name: '$124.00' }).click();
    await page.getByRole('heading', { name: 'Form 8949 entries, 2024' }).waitFor();
    expect(new URL(page.url()).search).toBe('?year=2024&code=W');
    const link = page.getByRole('link', { name: '100 X' });
    await link.click();
    const panel = page.getByRole('dialog', { name: 'How this was calculated' });
    await panel.getByText('2024-12-20,sell,Broker,X,100,700,10,s1').waitFor();
    const text = (await panel.textContent()) ?? '';
    for (const part of ['$690.00', '$1,000.00', '($186.00)', 'IRC 1091; 26 CFR 1.1091-1', 'lotbook, line 3'])
      expect(text).toContain(part);
    expect(text).toContain('2025-01-10,buy,Broker,X,40,300,,b2');
    await visit.expectAccessible();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await visit.close();
  });

  test('continue in the panel past the loaded lines', async () => {
    const who = await site.app.register('PRO');
    const sales = Array.from({ length: 102 }, (_, at) => `sell 2024-06-03 1 X @${at + 1} #s${at}`);
    await importCsv(who, csvOf('buy 2024-01-02 102 X @102 #b1', ...sales));
    const { data } = await who.json<{ data: { id: string }[] }>('GET', '/v1/tax/disposals?sort=proceeds&limit=102');
    const visit = await site.visit(`/forms/8949?sort=proceeds&line=${data[99]?.id}`, { as: who });
    const panel = visit.page.getByRole('dialog', { name: 'How this was calculated' });
    for (const [button, proceeds] of [
      ['Next entry', '$101.00'],
      ['Next entry', '$102.00'],
      ['Previous entry', '$101.00'],
    ] as const) {
      await panel.getByRole('button', { name: button }).click();
      await panel.getByRole('row', { name: `Proceeds ${proceeds}` }).waitFor();
    }
    await visit.close();
  });

  test('are in a panel with its own address, and with links to the adjacent lines', async () => {
    const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/tax/disposals?year=2024');
    const visit = await site.visit(`/forms/8949?year=2024&line=${data[0]?.id}`, { as: client, dark: true, width: 360 });
    const { page } = visit;
    const panel = page.getByRole('dialog', { name: 'How this was calculated' });
    await panel.getByRole('heading', { name: '2 OTHER' }).waitFor();
    expect(await panel.evaluate((element) => element.getBoundingClientRect().width)).toBe(360);
    await visit.expectAccessible();
    await panel.getByRole('button', { name: 'Next entry' }).click();
    await panel.getByRole('heading', { name: '3 OTHER' }).waitFor();
    expect(new URL(page.url()).searchParams.get('line')).toBe(data[1]?.id ?? '');
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    await visit.expectAccessible();
    await visit.close();
  });
});

test('have their filters, order and totals in the address', async () => {
  const visit = await site.visit('/forms/8949?year=2024', { as: client });
  const { page } = visit;
  const gains = async () => page.locator('.lines tbody td:last-child .amount').allTextContents();
  await page.getByRole('link', { name: '100 X' }).waitFor();
  expect(await gains()).toEqual(['$60.00', '$150.00', '($186.00)']);
  await page.getByRole('link', { name: 'Gain', exact: true }).click();
  await page.locator('th[aria-sort=descending]').waitFor();
  await page.waitForFunction(() => document.querySelector('.lines tbody td:last-child')?.textContent?.includes('150'));
  expect(await gains()).toEqual(['$150.00', '$60.00', '($186.00)']);
  await page.getByLabel('Month').selectOption({ label: 'Jun' });
  await page.getByText('1 entry, gain').waitFor();
  expect(await page.locator('.totals dd').allTextContents()).toEqual(['$60.00', '$260.00', '$200.00', '$0.00']);
  await page.reload();
  await page.getByText('1 entry, gain').waitFor();
  expect(await gains()).toEqual(['$60.00']);
  await page.getByLabel('Find').fill('nothing of this name');
  await page.getByText('No matching entries').waitFor();
  await page.getByRole('link', { name: 'Clear', exact: true }).click();
  await page.getByText('3 entries, gain').waitFor();
  await visit.close();
});
