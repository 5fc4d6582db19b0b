import { afterAll, beforeAll, expect, test } from 'bun:test';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

test('a list grows by a page, and all of its pages load again after a change', async () => {
  const who = await site.app.register();
  const rename = (at: number) => who.json('PATCH', '/v1/account', { body: { name: `Ann ${at}` } });
  for (let at = 0; at < 70; at += 1) await rename(at);
  const visit = await site.visit('/account/audit', { as: who });
  const { page } = visit;
  const rows = page.locator('tbody tr');
  await rows.nth(49).waitFor();
  expect(await rows.count()).toBe(50);
  await page.getByRole('button', { name: 'Show older' }).click();
  await page.getByRole('row', { name: /Account created/ }).waitFor();
  const { data } = await who.json<{ data: unknown[] }>('GET', '/v1/account/audit?limit=1000');
  expect(await rows.count()).toBe(data.length);
  expect(await page.getByRole('button', { name: 'Show older' }).count()).toBe(0);
  await who.json('POST', '/v1/auth/tokens', { body: { name: 'One', scopes: ['read'] } }, 201);
  await page.evaluate(() => new BroadcastChannel('lotbook').postMessage('changed'));
  await rows.first().getByText('Token created').waitFor();
  // The later pages load after the first.
  await rows.nth(data.length).waitFor();
  expect(await rows.count()).toBe(data.length + 1);
  await page.getByRole('row', { name: /Account created/ }).waitFor();
  // A filter starts with its own first page.
  await page.getByLabel('What').selectOption({ label: 'Token created' });
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  await visit.close();
});

test('a table sorts by its heads, which stay in view, and a row has a menu that the keyboard reaches', async () => {
  const cpa = await site.app.register('CPA');
  for (const [name, amount] of [
    ['Cyd', '900'],
    ['Ann', '10000'],
    ['Bob', '150'],
    ['Dee', ''],
  ]) {
    const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name } }, 201);
    const head = 'date,type,account,asset,quantity,amount\n';
    const rows = `2024-01-10,buy,B,KO,1,100\n2024-06-03,sell,B,KO,1,${amount}\n`;
    if (amount !== '') await importCsv(cpa, head + rows, `?client=${id}`);
  }
  const visit = await site.visit('/clients?year=2024', { as: cpa });
  const { page } = visit;
  await page.getByRole('link', { name: 'Dee' }).waitFor();
  const clients = () => page.locator('tbody th a').allTextContents();
  expect(await clients()).toEqual(['Cyd', 'Ann', 'Bob', 'Dee']);
  const gain = page.getByRole('columnheader', { name: /2024 gain/ });
  expect(await gain.getAttribute('aria-sort')).toBeNull();
  await gain.getByRole('button').click();
  expect([await gain.getAttribute('aria-sort'), await clients()]).toEqual(['descending', ['Ann', 'Cyd', 'Bob', 'Dee']]);
  await gain.getByRole('button').press('Enter');
  expect([await gain.getAttribute('aria-sort'), await clients()]).toEqual(['ascending', ['Bob', 'Cyd', 'Ann', 'Dee']]);
  await page.getByRole('columnheader', { name: 'Client' }).getByRole('button').click();
  expect(await clients()).toEqual(['Ann', 'Bob', 'Cyd', 'Dee']);
  await visit.expectAccessible();

  await page.getByLabel('Search clients').fill('  CY ');
  expect(await clients()).toEqual(['Cyd']);
  await page.getByLabel('Search clients').fill('nobody');
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.getByLabel('Actions for Ann').press('Enter');
  await page.getByRole('button', { name: 'Edit: Ann' }).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Edit: Ann');
  await visit.expectAccessible();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Actions for Ann');

  // Makes the page long enough to scroll past the table's head.
  await page.evaluate(() => document.body.style.setProperty('padding-bottom', '100vh'));
  const headTop = () => gain.evaluate((head) => Math.round(head.getBoundingClientRect().top));
  const barBottom = await page.locator('.top-bar').evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom));
  const before = await headTop();
  await page.evaluate((distance) => window.scrollBy(0, distance), before - barBottom + 40);
  expect(before).toBeGreaterThan(barBottom);
  expect(Math.abs((await headTop()) - barBottom)).toBeLessThan(2);
  await visit.close();
});
