import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findMovedAddress } from '../../src/web/moved-addresses.ts';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { signOut, viewPerson, viewYear } from '../support/frame.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { untilRead } from '../support/site-pages.ts';

const rows = `date,type,account,asset,quantity,amount
2022-01-10,buy,Broker,KO,100,5000
2023-06-05,sell,Broker,KO,10,600
2024-06-03,sell,Broker,KO,40,2600
2024-09-02,sell,Exchange,DOGE,1000,180
`;

let site: Site;
let who: TestClient;
beforeAll(async () => {
  site = await siteWithBrowser();
  who = await site.app.register('PRO');
  await importCsv(who, rows);
});
afterAll(() => site.close());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
const pathOf = (page: Page): string => new URL(page.url()).pathname;
const yearOf = (page: Page): string | null => new URL(page.url()).searchParams.get('year');

describe('addresses', () => {
  test('of earlier versions have a new one that keeps the query', () => {
    const moved = [
      ['/year', '/overview'],
      ['/year/2024', '/overview?year=2024'],
      ['/year/2024?client=c1', '/overview?client=c1&year=2024'],
      ['/needs-you?kind=oversold', '/review?kind=oversold'],
      ['/lines?year=2024&line=d1', '/forms/8949?year=2024&line=d1'],
      ['/lots/', '/holdings'],
      ['/plan?view=losses', '/planning?view=losses'],
      ['/reports?report=r1', '/forms?report=r1'],
      ['/reconcile?year=2024', '/forms/1099?year=2024'],
    ];
    expect(moved.map(([from = '']) => findMovedAddress(from))).toEqual(moved.map(([, to = '']) => to));
    const current = ['/overview', '/year/1', '/year/2024/x', '/linesmen', '/settings/years'];
    expect(current.map(findMovedAddress)).toEqual(current.map(() => null));
  });

  test('redirect in the browser, and unknown ones show that there is no such page', async () => {
    const visit = await site.visit('/year/2023', { as: who });
    const { page } = visit;
    await heading(page, 'Tax year 2023');
    expect(page.url()).toEndWith('/overview?year=2023');
    await page.goto(new URL('/reports?year=2023', site.url).href);
    await heading(page, '2023 tax forms');
    for (const path of ['/settings/by-year', '/settings/constructor', '/account/nothing', '/forms/1040', '/year/abc']) {
      await page.goto(new URL(path, site.url).href);
      await heading(page, 'Page not found');
    }
    await visit.expectAccessible();
    await visit.close();
  });
});

describe('the tax year', () => {
  test('is chosen once, followed by every page, and remembered for the next visit', async () => {
    const visit = await site.visit('/overview', { as: who });
    const { page } = visit;
    const open = (name: string) =>
      page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .click();
    await heading(page, 'Tax year 2024');
    await page.waitForURL(/year=2024/);
    await viewYear(page, 2023);
    await heading(page, 'Tax year 2023');
    await open('Transactions');
    await page.getByText('1 transaction', { exact: true }).waitFor();
    await open('Review');
    await page.getByText('All done').waitFor();
    await open('Forms');
    await heading(page, '2023 tax forms');
    await page.getByRole('link', { name: 'Form 8949 entries' }).click();
    await page.getByText('1 entry, gain').waitFor();
    await page.getByRole('link', { name: '1099 check' }).click();
    await heading(page, '1099 check, 2023');
    await open('Holdings');
    await heading(page, 'Holdings');
    expect(yearOf(page)).toBe('2023');

    await page.goto(new URL('/transactions', site.url).href);
    await page.getByText('1 transaction', { exact: true }).waitFor();
    await page.getByLabel('Years', { exact: true }).selectOption('All years');
    await page.getByText('4 transactions', { exact: true }).waitFor();
    await viewYear(page, 2024);
    await page.getByText('2 transactions', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('4 transactions', { exact: true }).waitFor();
    await visit.close();
  });

  test('is that of a link, even if another one was chosen', async () => {
    const { data } = await who.json<{ data: { id: string }[] }>('GET', '/v1/transactions?year=2022');
    const visit = await site.visit(`/transactions?ids=${data[0]?.id}&year=2024`, { as: who });
    await visit.page.getByText('Showing 1 linked transaction').waitFor();
    await visit.page.getByRole('row', { name: /100 KO/ }).waitFor();
    await visit.close();
  });
});

describe('the search', () => {
  test('opens pages, years, securities and transactions by keyboard, and returns the focus', async () => {
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    await untilRead(page);
    const button = page.getByRole('button', { name: 'Search' });
    const field = page.getByRole('combobox', { name: /^Search/ });
    const search = async (text: string) => {
      await page.keyboard.press('Control+k');
      await field.fill(text);
    };
    await button.focus();
    await page.keyboard.press('Enter');
    await field.waitFor();
    await visit.expectAccessible();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

    await search('lot method');
    await page.getByRole('option', { name: 'Tax choices' }).waitFor();
    await visit.expectAccessible();
    await page.keyboard.press('Enter');
    await heading(page, 'Settings: Tax choices');

    await search('ko');
    await page.getByRole('option', { name: /^KO Coca-Cola/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Transactions');
    expect(new URL(page.url()).searchParams.get('q')).toBe('ko');
    await page.getByText('3 transactions found').waitFor();

    await search('2023');
    await page.getByRole('option', { name: 'Tax year 2023' }).click();
    await page.getByText('1 transaction found').waitFor();
    expect(yearOf(page)).toBe('2023');

    await search('wash sale of crypto');
    await page.getByRole('option', { name: 'Wash sales of crypto' }).click();
    await heading(page, 'Wash sales of crypto');
    await visit.close();
  });

  test('finds clients, and fits a phone in the dark', async () => {
    const cpa = await site.app.register('CPA');
    for (const name of ['Ann Fields', 'Bob Meadows']) await cpa.json('POST', '/v1/clients', { body: { name } }, 201);
    const visit = await site.visit('/clients', { as: cpa, width: 390, height: 844, dark: true });
    const { page } = visit;
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: /^Search/ }).fill('mead');
    await page.getByRole('option', { name: 'Bob Meadows' }).waitFor();
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Viewing: Bob Meadows' }).waitFor();
    await heading(page, 'Set up your tax year');
    await visit.close();
  });
});

describe('shortcuts', () => {
  test('open pages after g, are listed under ?, ignore what is typed, and can be switched off', async () => {
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    await heading(page, 'Tax year 2024');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('g', 't');
    await heading(page, 'Transactions');
    expect(yearOf(page)).toBe('2024');
    await page.getByLabel('Search', { exact: true }).last().focus();
    await press('g', 'f', '?');
    expect(pathOf(page)).toBe('/transactions');
    await page.getByLabel('Search', { exact: true }).last().fill('');
    await page.getByRole('heading', { level: 1 }).focus();
    await press('g', 'f');
    await heading(page, '2024 tax forms');
    await press('/');
    await page.getByRole('combobox', { name: /^Search/ }).waitFor();
    await press('Escape');
    await page.getByRole('combobox', { name: /^Search/ }).waitFor({ state: 'detached' });
    await press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Show this list').waitFor();
    await visit.expectAccessible();
    await list.getByRole('checkbox').uncheck();
    await press('Escape');
    await list.waitFor({ state: 'detached' });
    await press('g', 'h');
    await page.waitForTimeout(200);
    expect(pathOf(page)).toBe('/forms');
    await visit.close();
  });
});

describe('the bar', () => {
  test('has the account, whose menu works by keyboard and closes with Escape', async () => {
    const visit = await site.visit('/overview?year=2024', { as: who });
    const { page } = visit;
    await untilRead(page);
    const button = page.getByRole('button', { name: 'Account menu' });
    await button.focus();
    await page.keyboard.press('Enter');
    await visit.expectAccessible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').textContent()).toBe('Plan');
    await page.keyboard.press('Escape');
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await page.getByRole('button', { name: 'Dark' }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await visit.expectAccessible();
    await page.getByRole('link', { name: 'Security' }).click();
    await heading(page, 'Security');
    await page.getByRole('navigation', { name: 'Parts of the account' }).getByRole('link', { name: 'Plan' }).click();
    await heading(page, 'Plan');
    await visit.close();
  });

  test('stays in view, and a toast covers no action', async () => {
    const visit = await site.visit('/account', { as: who, height: 500 });
    const { page } = visit;
    await page.getByLabel('Display name').fill('Ann');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.toast').waitFor();
    const toast = await page.locator('.toasts').boundingBox();
    const main = await page.locator('main').boundingBox();
    expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThan(main?.x ?? 0);
    await page.evaluate(() => window.scrollTo(0, 400));
    expect((await page.locator('.top-bar').boundingBox())?.y).toBe(0);
    await visit.close();
  });

  test('is at the bottom of a phone with the most used pages, and the others under More', async () => {
    const visit = await site.visit('/overview?year=2024', { as: who, width: 390, height: 844 });
    const { page } = visit;
    await untilRead(page);
    const bar = page.getByRole('navigation', { name: 'Main pages' });
    const names = async () =>
      (await bar.locator('.page-link > span:not(.badge)').allTextContents()).map((text) => text.trim());
    expect(await names()).toEqual(['Overview', 'Import', 'Review', 'Forms', 'More']);
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await bar.getByRole('button', { name: 'More', exact: true }).click();
    await visit.expectAccessible();
    await page.getByRole('dialog').getByRole('link', { name: 'Holdings' }).click();
    await heading(page, 'Holdings');
    await visit.close();
    const cpa = await site.visit('/overview', { as: await site.app.register('CPA'), width: 390, height: 844 });
    await untilRead(cpa.page);
    const ofCpa = cpa.page.getByRole('navigation', { name: 'Main pages' }).locator('.page-link > span:not(.badge)');
    expect(await ofCpa.allTextContents()).toEqual(['Overview', 'Clients', 'Review', 'Forms', 'More']);
    await cpa.close();
  });
});

test('a CPA starts with the clients, keeps the year from one to the next, and other users start with the overview', async () => {
  const cpa = await site.app.register('CPA');
  for (const name of ['Ann Fields', 'Bob Meadows']) await cpa.json('POST', '/v1/clients', { body: { name } }, 201);
  const visit = await site.visit('/sign-in');
  const { page } = visit;
  const signIn = async ({ email, password }: TestClient) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signIn(cpa);
  await heading(page, 'Clients');
  await viewYear(page, 2024);
  await page.getByRole('link', { name: 'Ann Fields' }).click();
  await heading(page, 'Set up your tax year');
  await page.goto(page.url().replace('/welcome', '/settings/prices'));
  await viewPerson(page, 'Bob Meadows');
  await page.getByRole('button', { name: 'Viewing: Bob Meadows' }).waitFor();
  expect([pathOf(page), yearOf(page)]).toEqual(['/settings/prices', '2024']);
  await page.goto(site.url);
  await heading(page, 'Clients');
  await signOut(page);
  await page.goto(new URL('/sign-in', site.url).href);
  await signIn(who);
  await heading(page, /^Tax year/);
  await visit.close();
});
