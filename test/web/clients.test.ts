import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { viewPerson } from '../support/frame.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let cpa: TestClient;
beforeAll(async () => {
  site = await siteWithBrowser();
  cpa = await site.app.register('CPA');
});
afterAll(() => site.close());

const trades = `date,type,account,asset,quantity,amount,fee
2023-01-10,buy,Broker,KO,100,5000,0
2024-06-03,sell,Broker,KO,40,2600,0
2024-09-02,sell,Exchange,DOGE,1000,180,0
`;

interface ListedClient {
  readonly id: string;
  readonly name: string;
}

describe('the clients of a CPA', () => {
  test('have separate books, and every page names the open ones', async () => {
    const visit = await site.visit('/clients', { as: cpa });
    const { page } = visit;
    await page.getByRole('heading', { name: 'No clients yet' }).waitFor();
    for (const name of ['Ann Fields', 'Bob Meadows']) {
      await page.getByRole('button', { name: 'New client' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await visit.expectAccessible();
      await page.getByRole('button', { name: 'Create client' }).click();
      await page.getByRole('link', { name }).waitFor();
    }
    const { data } = await cpa.json<{ data: ListedClient[] }>('GET', '/v1/clients');
    const ann = data.find(({ name }) => name === 'Ann Fields')?.id ?? '';
    await importCsv(cpa, trades, `?client=${ann}`);
    await page.reload();
    const row = page.getByRole('row', { name: /Ann Fields/ });
    await row.getByText('$780.00').waitFor();
    await row.getByText('1 to review').waitFor();
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'light' });

    await page.getByRole('link', { name: 'Ann Fields' }).click();
    await page.getByRole('heading', { name: 'Tax year 2024' }).waitFor();
    const banner = page.getByRole('status').filter({ hasText: "this client's account" });
    await banner.filter({ hasText: 'Ann Fields' }).waitFor();
    expect(await page.title()).toBe('Ann Fields · Tax year 2024 · Lotbook');
    await page.getByText('$780.00').first().waitFor();
    await visit.expectAccessible();
    const annColor = await banner.evaluate((element) => getComputedStyle(element).backgroundColor);

    // The same page in the other client's books: it shows nothing from the first client.
    await viewPerson(page, 'Bob Meadows');
    await banner.filter({ hasText: 'Bob Meadows' }).waitFor();
    await page.waitForFunction(() => document.title === 'Bob Meadows · Set up your tax year · Lotbook');
    await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
    expect(await page.getByText('$780.00').count()).toBe(0);
    expect(await banner.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(annColor);
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.getByText('Nothing to review yet').waitFor();
    await banner.filter({ hasText: 'Bob Meadows' }).waitFor();
    await viewPerson(page, 'My account');
    await banner.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.title === 'Review · Lotbook');
    await visit.close();
  });

  test('are renamed with an undo, and deleted after their name is typed', async () => {
    const visit = await site.visit('/clients', { as: cpa });
    const { page } = visit;
    await page.getByLabel('Actions for Bob Meadows').click();
    await page.getByRole('button', { name: 'Edit: Bob Meadows' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Robert Meadows');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Robert Meadows' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Bob Meadows' }).waitFor();
    await page.getByLabel('Actions for Bob Meadows').click();
    await page.getByRole('button', { name: 'Delete: Bob Meadows' }).click();
    const deletion = page.getByRole('button', { name: 'Delete client' });
    expect(await deletion.isDisabled()).toBe(true);
    await page.getByLabel('Type Bob Meadows').fill('Bob Meadows');
    await deletion.click();
    await page.getByText('Bob Meadows deleted.').waitFor();
    await page.getByText('1 client of 10').waitFor();
    await visit.close();
  });

  test('cannot be found by another CPA, and other plans show what an upgrade adds', async () => {
    const other = await site.app.register('CPA');
    const { id } = await other.json<ListedClient>('POST', '/v1/clients', { body: { name: 'Secret' } });
    const visit = await site.visit(`/overview?year=2024&client=${id}`, { as: cpa, expectedErrors: [/404/] });
    await visit.page.getByRole('status').filter({ hasText: 'Unknown client' }).waitFor();
    expect(await visit.page.getByText('Secret').count()).toBe(0);
    await visit.close();
    const free = await site.visit('/clients', { as: await site.app.register() });
    await free.page.getByText('Up to 10 clients').waitFor();
    await free.page.getByText('$499.00 a year').waitFor();
    expect(await free.page.getByRole('navigation').getByRole('link', { name: 'Clients' }).count()).toBe(0);
    await free.expectAccessible();
    await free.close();
  });
});
