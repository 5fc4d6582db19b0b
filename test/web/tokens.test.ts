import { afterAll, beforeAll, expect, test } from 'bun:test';
import { programAt } from '../support/mcp.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

test('a token is created, shown once, used and revoked', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/account', { as: who });
  const { page } = visit;
  await page.getByRole('link', { name: 'API tokens' }).click();
  await page.getByText('No tokens yet').waitFor();
  await page.getByLabel('What is it for?').fill('Nightly import');
  await page.getByLabel('Import').check();
  await page.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('status', { name: 'The new token' });
  const token = (await shown.locator('code').textContent()) ?? '';
  expect(token).toStartWith('lot_');
  await visit.expectAccessible();

  // The page's instructions for AI programs work as written.
  const { origin, pathname } = new URL((await page.locator('section.card code.token').textContent()) ?? '');
  expect(origin).toBe(new URL(page.url()).origin);
  const program = await programAt(site.app, token, pathname);
  expect(await program.found('overview')).toMatchObject({ years: [] });

  const asked = { headers: { authorization: `Bearer ${token}` } };
  expect((await site.app.request('GET', '/v1/tax/lots', asked)).status).toBe(200);
  await page.reload();
  await page.getByRole('rowheader', { name: 'Nightly import' }).waitFor();
  expect(await page.content()).not.toContain(token);
  await page.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await page.getByText('No tokens yet').waitFor();
  expect((await site.app.request('GET', '/v1/tax/lots', asked)).status).toBe(401);
  await visit.close();
});

test('the activity log is listed, and filtered by the address', async () => {
  const who = await site.app.register();
  await who.json('POST', '/v1/tax/years/2024/lock');
  const visit = await site.visit('/account', { as: who });
  const { page } = visit;
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('rowheader', { name: 'Year locked 2024' }).waitFor();
  await page.getByRole('rowheader', { name: 'Account created' }).waitFor();
  await visit.expectAccessible();
  await page.getByLabel('What', { exact: true }).selectOption({ label: 'Account created' });
  await page.getByRole('rowheader', { name: 'Year locked 2024' }).waitFor({ state: 'detached' });
  expect(page.url()).toContain('action=account_created');
  await page.getByLabel('Who', { exact: true }).selectOption({ label: "The server's administrator" });
  await page.getByText('No activity').waitFor();
  await visit.close();
});
