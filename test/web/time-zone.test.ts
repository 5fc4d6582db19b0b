import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { pages } from '../../src/web/pages.ts';
import { type TestClient, testClock } from '../support/app.ts';
import { dropFiles } from '../support/drop-files.ts';
import { newYearRows, wrongDays } from '../support/new-year-rows.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { untilRead } from '../support/site-pages.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser({ clock: testClock('2026-03-02T12:00:00Z') });
});
afterAll(() => site.close());

const timeZone = 'America/New_York';

async function registerByHand(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Create account' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a sentence to remember');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
}

describe('a browser in New York', () => {
  test('registers an account in New York, whose screens show rows at 9 PM on December 31 on that day', async () => {
    const visit = await site.visit('/', { timeZone });
    const { page } = visit;
    await registerByHand(page, 'new-york@example.com');
    const cookie = (await visit.context.cookies()).find(({ name }) => name === 'session');
    const who = { cookie: `session=${cookie?.value}` } as TestClient;
    const account = await site.app.request('GET', '/v1/account', who);
    expect(await account.json()).toMatchObject({ timeZone, timeZoneStated: true });
    await dropFiles(page, { 'exchange.csv': newYearRows });
    await page.getByText('1 file imported').waitFor();

    const ids = await fetchIds(who);
    const shown: string[] = [];
    for (const path of pathsOf(ids)) {
      await page.goto(new URL(path, site.url).href);
      await untilRead(page);
      const text = await page.locator('body').textContent();
      for (const fault of wrongDays(text ?? '')) shown.push(`${path}: ${fault}`);
      if (mustShow.has(path.replace(/\?.*/, '')))
        expect([path, /Dec(ember)? 31, 2025/.test(text ?? '')]).toEqual([path, true]);
    }
    expect(shown).toEqual([]);
    await visit.close();
  });
});

/** Pages that show a row on December 31 with its day. */
const mustShow = new Set(['/transactions', '/forms/8949', '/holdings', '/review']);

async function fetchIds(who: Pick<TestClient, 'cookie'>): Promise<{ readonly importId: string }> {
  const response = await site.app.request('GET', '/v1/imports', who);
  const { data } = (await response.json()) as { data: { id: string }[] };
  return { importId: data[0]?.id ?? '' };
}

/** Returns every page behind the sign-in. A page with a parameter must be listed here. */
function pathsOf({ importId }: { readonly importId: string }): string[] {
  const varied: Readonly<Record<string, readonly string[]>> = {
    '/import/:id': [`/import/${importId}`],
    '/account/:part?': ['/account', '/account/plan', '/account/security', '/account/access'],
    '/settings/:part?': ['/settings', '/settings/elections', '/settings/years', '/settings/assets'],
    // The page of an invitation shows no row.
    '/invitations/:id': [],
  };
  const byYear = new Set(['/overview', '/forms', '/forms/1099', '/funds']);
  const lists = new Set(['/review', '/transactions', '/forms/8949']);
  return pages
    .filter(({ isPublic }) => isPublic !== true)
    .flatMap(({ path }) => {
      if (byYear.has(path)) return [`${path}?year=2025`, `${path}?year=2026`];
      if (lists.has(path)) return [`${path}?years=all`, `${path}?year=2025`];
      if (!path.includes(':')) return [path];
      const known = varied[path];
      if (known === undefined) throw new Error(`Name addresses of the new page ${path} here.`);
      return known;
    });
}

describe('the question about the time zone', () => {
  test('is one question, answered from a list of zones', async () => {
    const visit = await site.visit('/', { timeZone: 'UTC' });
    const { page } = visit;
    await registerByHand(page, 'utc@example.com');
    await dropFiles(page, { 'exchange.csv': newYearRows });
    await page.getByText('1 file imported').waitFor();
    await page.goto(new URL('/review?kind=tax_year_by_zone', site.url).href);
    const question = page.getByRole('article');
    await question.getByText('No time zone is set').waitFor();
    expect(await question.count()).toBe(1);
    await question.getByRole('button', { name: 'Choose your time zone' }).click();
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await question.getByRole('combobox', { name: 'Your time zone' }).selectOption(timeZone);
    await question
      .getByRole('status')
      .getByText(/No change to any year|Form 8949 doesn't change|After/)
      .first()
      .waitFor();
    await question.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('All done').or(page.getByText('No question')).first().waitFor();
    await visit.close();
  });
});
