import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { TestClient } from '../support/app.ts';
import { dropFiles } from '../support/drop-files.ts';
import { signOut } from '../support/frame.ts';
import { madeUpExports } from '../support/made-up-exports.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const unknownFile = {
  'mine.csv':
    'Trade Day,Ticker,What,Units,Unit Price,Charges\n03/04/2024,ACME,Opened,10,40.00,1.00\n11/20/2024,ACME,Closed,10,45.00,0.04\n',
};

async function visitImport(who: TestClient) {
  const visit = await site.visit('/import', { as: who, expectedErrors: [/422/, /401/, /net::ERR/] });
  await visit.page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  return visit;
}

const cardOf = (page: Page, name: string) => page.getByRole('article', { name });
const fetchNames = async (who: TestClient): Promise<string[]> =>
  (await who.json<{ data: { fileName: string }[] }>('GET', '/v1/imports')).data.map(({ fileName }) => fileName);

/**
 * Waits until the browser keeps this number of files, and returns their names. Clearing the site's data, as a sign-out
 * does, can fail a read or leave it unanswered, which counts as a file named `unread`.
 */
async function keptFiles(page: Page, count: number): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const names = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const opening = indexedDB.open('uploads', 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore('files', { keyPath: 'id' });
          opening.onerror = () => resolve(['unread']);
          setTimeout(() => resolve(['unread']), 2000);
          opening.onsuccess = () => {
            const all = opening.result.transaction('files').objectStore('files').getAll();
            all.onerror = () => resolve(['unread']);
            all.onsuccess = () => {
              opening.result.close();
              resolve(all.result.map(({ file }: { file: File }) => file.name));
            };
          };
        }),
    );
    if (names.length === count || tries === 50) return names.sort();
    await Bun.sleep(100);
  }
}

test('after a reload, the wizard has its answers, the preview its file, and both can be imported', async () => {
  const who = await site.app.register('PRO');
  const visit = await visitImport(who);
  const { page } = visit;
  await page.getByRole('checkbox', { name: /^Preview before importing/ }).check();
  await dropFiles(page, { 'schwab.csv': madeUpExports['schwab.csv'] });
  const preview = cardOf(page, 'schwab.csv');
  await preview.getByText('Preview: nothing saved yet').waitFor();
  await page.getByRole('checkbox', { name: /^Preview before importing/ }).uncheck();
  await dropFiles(page, unknownFile);
  const wizard = cardOf(page, 'mine.csv');
  await wizard.getByLabel('Field for What').selectOption('type');
  await wizard.getByLabel('Opened').selectOption('buy');
  expect(await keptFiles(page, 2)).toEqual(['mine.csv', 'schwab.csv']);
  await page.getByRole('checkbox', { name: /^Preview before importing/ }).check();
  await page.reload();
  await preview.getByText('Preview: nothing saved yet').waitFor();
  expect(await page.getByRole('checkbox', { name: /^Preview before importing/ }).isChecked()).toBe(true);
  expect(await wizard.getByLabel('Opened').inputValue()).toBe('buy');
  await visit.expectAccessible();
  await wizard.getByLabel('Closed').selectOption('sell');
  await wizard.getByRole('button', { name: 'Preview' }).click();
  await wizard.getByRole('button', { name: 'Import and save mapping' }).click();
  await wizard.getByText('Imported', { exact: true }).waitFor();
  await preview.getByRole('button', { name: 'Import', exact: true }).click();
  await preview.getByText('Imported', { exact: true }).waitFor();
  expect((await fetchNames(who)).sort()).toEqual(['mine.csv', 'schwab.csv']);
  expect(await keptFiles(page, 0)).toEqual([]);
  await page.reload();
  await preview.getByText('Imported', { exact: true }).waitFor();
  await visit.close();
});

test('an upload that a reload interrupts continues by itself and is stored once', async () => {
  const who = await site.app.register('PRO');
  const visit = await visitImport(who);
  const { page } = visit;
  page.on('dialog', (dialog) => void dialog.accept());
  let held = true;
  await page.route('**/v1/transactions/import*', async (route) => {
    if (!held) await route.continue();
  });
  await dropFiles(page, { 'schwab.csv': madeUpExports['schwab.csv'] });
  await keptFiles(page, 1);
  held = false;
  await page.reload();
  await cardOf(page, 'schwab.csv').getByText('Imported', { exact: true }).waitFor();
  expect(await fetchNames(who)).toEqual(['schwab.csv']);
  await visit.close();
});

test('nothing of a file is left for the next user of the browser, after a sign-out or another sign-in', async () => {
  const who = await site.app.register('PRO');
  const visit = await visitImport(who);
  const { page, context } = visit;
  await dropFiles(page, unknownFile);
  await cardOf(page, 'mine.csv').getByLabel('Field for What').selectOption('type');
  await keptFiles(page, 1);
  // Another user's session replaces this one, without a sign-out.
  const other = await site.app.register('PRO');
  const [name = '', value = ''] = other.cookie.split(';')[0]?.split('=') ?? [];
  await context.addCookies([{ name, value, url: site.url }]);
  await page.reload();
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  expect(await keptFiles(page, 0)).toEqual([]);
  expect(await cardOf(page, 'mine.csv').count()).toBe(0);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('mine.csv');
  await dropFiles(page, unknownFile);
  await cardOf(page, 'mine.csv').getByLabel('Field for What').waitFor();
  await keptFiles(page, 1);
  await signOut(page);
  await page.getByRole('heading', { name: /Sign in/ }).waitFor();
  expect(await keptFiles(page, 0)).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('mine.csv');
  await visit.close();
});

test('an undone import is listed for a day, and restoring it brings its edits back', async () => {
  const who = await site.app.register('PRO');
  const visit = await visitImport(who);
  const { page } = visit;
  await dropFiles(page, { 'schwab.csv': madeUpExports['schwab.csv'] });
  const card = cardOf(page, 'schwab.csv');
  await card.getByText('Imported', { exact: true }).waitFor();
  const { data } = await who.json<{ data: { id: string }[] }>('GET', '/v1/transactions');
  await who.json('PATCH', `/v1/transactions/${data[0]?.id}`, { body: { note: 'checked' } });
  await card.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await card.getByText('Import undone').waitFor();
  await page.reload();
  const row = page.getByRole('row', { name: /schwab\.csv/ });
  await row.getByText(/^Undone .* You can restore it/).waitFor();
  await visit.expectAccessible();
  await row.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('schwab.csv restored, with your edits and answers.').waitFor();
  await card.getByText('Imported', { exact: true }).waitFor();
  const restored = await who.json<{ data: { note: string }[] }>('GET', '/v1/transactions');
  expect(restored.data.map(({ note }) => note)).toContain('checked');
  await visit.close();
});
