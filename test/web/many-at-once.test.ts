import { afterAll, beforeAll, expect, test } from 'bun:test';
import { csvOf, importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const sales = csvOf('sell 2024-01-05 3 A @300 #s1', 'sell 2024-02-05 3 B @600 #s2', 'sell 2024-03-05 3 C @900 #s3');

test('reading a file again shows the difference first, then replaces the import', async () => {
  const who = await site.app.register('PRO');
  const { id } = await importCsv(who, sales);
  const { data } = await who.json<{ data: { id: string }[] }>('GET', '/v1/transactions?asset=B');
  await who.json('DELETE', `/v1/transactions/${data[0]?.id}`, {}, 204);
  const visit = await site.visit(`/import/${id}`, { as: who });
  const { page } = visit;
  const [original] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Original file' }).click(),
  ]);
  expect(await Bun.file(await original.path()).text()).toBe(sales);
  await page.getByRole('button', { name: 'Re-import with the latest version' }).click();
  // A deleted row would be restored.
  await page.getByText('New rows: 1').waitFor();
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('The new version has been applied.').waitFor();
  expect(page.url()).not.toContain(id);
  expect((await who.json<{ data: object[] }>('GET', '/v1/transactions')).data).toHaveLength(3);
  await page.getByRole('button', { name: 'Re-import with the latest version' }).click();
  await page.getByText('No changes.').waitFor();
  await visit.close();
});
