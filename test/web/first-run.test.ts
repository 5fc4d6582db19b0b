import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { dropFiles } from '../support/drop-files.ts';
import { viewPerson } from '../support/frame.ts';
import { grantAccess } from '../support/grants.ts';
import { madeUpExports } from '../support/made-up-exports.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const year = new Date().getFullYear() - 1;

test('The three steps work by keyboard, survive a reload, and check off each source as its files arrive.', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/overview', { as: who, timeZone: 'America/Chicago' });
  const { page } = visit;
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await heading(page, 'Set up your tax year');
  expect(new URL(page.url()).pathname).toBe('/welcome');
  expect(await page.getByLabel('Tax year').last().inputValue()).toBe(String(year));
  expect(await page.getByLabel('Time zone').inputValue()).toBe('America/Chicago');
  expect(await page.getByLabel('Filing status').inputValue()).toBe('');
  await page.getByLabel('Name on tax return').focus();
  await page.keyboard.type('Ann Fields');
  await page.reload();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('form input')?.value === 'Ann Fields');
  await visit.expectAccessible();
  await page.getByLabel('Name on tax return').press('Enter');

  await heading(page, 'Where did you trade?');
  expect(await focused()).toBe('Where did you trade?');
  expect(await who.json('GET', '/v1/account')).toMatchObject({
    taxpayerName: 'Ann Fields',
    timeZone: 'America/Chicago',
  });
  // A filing status that nobody chose stays unset.
  expect(await who.json('GET', '/v1/tax/settings')).not.toHaveProperty('filingStatusByYear');
  for (const name of ['Schwab', 'Coinbase']) await page.getByLabel(name, { exact: true }).press('Space');
  await page.getByLabel('Your broker').fill('firstr');
  await page.getByLabel('Firstrade').press('Space');
  const files = page.getByRole('list', { name: 'Your files' });
  await files
    .getByText(`Dates: from your first purchase to Jan 30, ${year + 1}.`)
    .first()
    .waitFor();
  await files.getByText(`Dates: from your first purchase to Dec 31, ${year}.`).waitFor();
  await visit.expectAccessible();
  await visit.expectPhoneFit();
  await page.reload();
  await heading(page, 'Where did you trade?');
  await page.getByRole('checkbox', { checked: true }).nth(2).waitFor();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3);

  // The overview and the import lead back.
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'Continue setup: step 2 of 3' }).waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByRole('link', { name: 'Continue setup: step 2 of 3' }).press('Enter');
  await page.getByRole('link', { name: 'Continue', exact: true }).press('Enter');
  await heading(page, 'Drop your files');
  await dropFiles(page, madeUpExports);
  await page.getByText('3 imported', { exact: true }).waitFor();
  // Files of another year get no check mark.
  const hint = `No ${year} transactions. Did you trade here in ${year}? Add a file if you did.`;
  await files.getByText(`Covers Mar 4 to Nov 20, 2024. ${hint}`).waitFor();
  expect(await files.locator('.partial').count()).toBe(2);
  expect(await files.locator('.done').count()).toBe(0);
  await visit.expectAccessible();
  await page.getByRole('link', { name: `See ${year}` }).press('Enter');
  await heading(page, `Tax year ${year}`);
  await visit.close();
});

test('Skipping every step saves nothing, and the overview does not lead to them again.', async () => {
  const who = await site.app.register();
  const visit = await site.visit('/overview', { as: who, timeZone: 'America/Chicago' });
  const { page } = visit;
  for (const name of ['Set up your tax year', 'Where did you trade?', 'Drop your files']) {
    await heading(page, name);
    await page.getByRole('link', { name: 'Skip', exact: true }).press('Enter');
  }
  await page.getByRole('link', { name: 'Set up step by step' }).waitFor();
  expect(await who.json('GET', '/v1/account')).toMatchObject({ taxpayerName: '', timeZoneStated: false });
  await page.reload();
  await page.getByRole('link', { name: 'Set up step by step' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/overview');
  await visit.close();
});

test('A CPA takes the steps for a client, whose answers are the only ones that change.', async () => {
  const cpa = await site.app.register('CPA');
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Jo Meadows' } }, 201);
  const visit = await site.visit(`/overview?client=${id}`, { as: cpa, timeZone: 'America/Chicago' });
  const { page } = visit;
  await heading(page, 'Set up your tax year');
  // The browser is the CPA's, so its time zone is not proposed.
  expect(await page.getByLabel('Time zone').inputValue()).toBe('');
  await page.getByLabel('Time zone').selectOption('America/Denver');
  await page.getByLabel('Filing status').selectOption('Married filing separately');
  await page.getByRole('button', { name: 'Continue' }).click();
  await heading(page, 'Where did you trade?');
  expect(new URL(page.url()).searchParams.get('client')).toBe(id);
  await page.getByLabel('Schwab').check();
  expect(await cpa.json('GET', `/v1/clients/${id}`)).toMatchObject({ timeZone: 'America/Denver' });
  const settings = await cpa.json('GET', `/v1/tax/settings?client=${id}`);
  expect(settings).toMatchObject({ filingStatusByYear: { [year]: 'mfs' } });
  expect(await cpa.json('GET', '/v1/tax/settings')).not.toHaveProperty('filingStatusByYear');
  // The CPA's own books have their own steps, which do not open by themselves.
  await viewPerson(page, 'My account');
  await heading(page, 'Set up your tax year');
  await page.getByRole('link', { name: 'Where you traded' }).click();
  await heading(page, 'Where did you trade?');
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  await visit.close();
});

test('Only the first visit to an empty overview leads to the steps, and never that of a CPA or a viewer.', async () => {
  const [cpa, owner] = [await site.app.register('CPA'), await site.app.register()];
  await grantAccess(site.app, cpa, owner, 'viewer');
  const { data } = await cpa.json<{ data: { id: string }[] }>('GET', '/v1/clients');
  for (const [query, text] of [
    ['', 'Set up step by step'],
    [`?client=${data[0]?.id}`, 'Read-only: your role here is viewer'],
  ]) {
    const visit = await site.visit(`/overview${query}`, { as: cpa });
    await visit.page.getByText(text ?? '').waitFor();
    await visit.close();
  }
  const visit = await site.visit('/overview', { as: owner });
  await heading(visit.page, 'Set up your tax year');
  await visit.page.getByRole('link', { name: 'Overview', exact: true }).click();
  await visit.page.getByRole('link', { name: 'Continue setup: step 1 of 3' }).waitFor();
  // The example is the demo, which has its own session.
  await visit.page.goBack();
  await visit.page.getByRole('button', { name: 'Look at an example first' }).click();
  await visit.page.getByText('Sample data.').waitFor();
  await visit.close();
});
