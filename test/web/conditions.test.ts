import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { TestClient } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { untilRead } from '../support/site-pages.ts';

/** Each form with typed text, under each condition that can interrupt it. */

setDefaultTimeout(120_000);

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
}, 60_000);
afterAll(() => site.close());

const trades = csvOf('buy 2024-01-02 10 KO @500 #b1', 'sell 2024-06-03 4 KO @260 #s1', 'sell 2024-09-02 5 OLD @80 #s2');
const merger = `Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date
01/06/2025,"Brokerage","X12343333","YOU BOUGHT LSEGY (LSEGY) (Cash)",LSEGY,"LONDON STOCK",Cash,1060,20,,,,-21200,01/07/2025
11/17/2025,"Brokerage","X12343333","MERGER MER FROM 54211N101 LONDON STOCK (LSEGY) (Cash)",LSEGY,"LONDON STOCK",Cash,1060,,,,,30246.04,11/18/2025
`;

interface FormCase {
  readonly path: string;
  /** The buttons that open the form. A form that is still open after a reload needs none of them. */
  readonly opens?: readonly string[];
  readonly rows?: string;
  readonly plan?: 'CPA';
  /** The label and the typed text of each field. */
  readonly fields: Readonly<Record<string, string>>;
  /** A step before the form can be submitted. */
  readonly preview?: string;
  readonly verb: string;
  /** What the server has stored: nothing before, and once at the end. */
  readonly stored: (who: TestClient) => Promise<readonly unknown[]>;
}

const listOf =
  (path: string, isOwn: (item: Item) => boolean = () => true) =>
  async (who: TestClient) =>
    (await who.json<{ data: Item[] }>('GET', path)).data.filter(isOwn);
type Item = Readonly<Record<string, unknown>>;
const nameOf = async (who: TestClient) => {
  const { taxpayerName } = await who.json<{ taxpayerName: string }>('GET', '/v1/account');
  return taxpayerName === 'Ann Fields' ? [taxpayerName] : [];
};

const forms: Readonly<Record<string, FormCase>> = {
  'first run': {
    path: '/welcome?step=1',
    fields: { 'Name on tax return (optional)': 'Ann Fields' },
    verb: 'Continue',
    stored: nameOf,
  },
  'new transaction': {
    path: '/transactions?open=new&years=all',
    fields: { Date: '3/1/2024', Account: 'Club', Asset: 'ZZZ', Quantity: '7', Amount: '1,700' },
    verb: 'Add',
    stored: listOf('/v1/transactions'),
  },
  'transaction edit': {
    path: '/transactions?years=all',
    rows: trades,
    opens: ['row 4 KO', 'Edit'],
    fields: { Amount: '277.5' },
    verb: 'Save',
    stored: listOf('/v1/transactions', ({ amount }) => amount === '277.5' || amount === '277.50'),
  },
  'row that could not be read': {
    path: '/review?kind=rejected_line&years=all',
    rows: merger,
    fields: { 'Cash received': '$30,000' },
    preview: 'Preview',
    verb: 'Add transaction',
    stored: listOf('/v1/transactions', ({ type }) => type === 'merger'),
  },
  'review answer': {
    path: '/review?year=2024',
    rows: trades,
    opens: ['Enter cost basis'],
    fields: { 'Cost basis for all 5, including fees': '$50', 'Date acquired': '5/1/2021' },
    verb: 'Save',
    stored: async (who) => {
      const { total } = await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024');
      return total.gain === '90.00' ? [total] : [];
    },
  },
  'settings of a year': {
    path: '/settings/years',
    rows: trades,
    opens: ['Change 2024'],
    fields: { 'Taxable income without capital gains': '98,500' },
    verb: 'Save',
    stored: async (who) => {
      const { taxableIncome = {} } = await who.json<{ taxableIncome?: object }>('GET', '/v1/tax/settings');
      return Object.keys(taxableIncome);
    },
  },
  price: {
    path: '/settings/prices',
    fields: { Asset: 'KO', Date: '12/31/2024', 'Price per unit (USD)': '61.5' },
    verb: 'Save price',
    stored: listOf('/v1/prices?source=own'),
  },
  balance: {
    path: '/settings/balances',
    fields: { Account: 'Broker', Asset: 'KO', 'As of (end of day)': '12/31/2024', Quantity: '6' },
    verb: 'Save',
    stored: listOf('/v1/balances'),
  },
  note: {
    path: '/overview?year=2024',
    rows: trades,
    fields: { 'Note for 2024': 'Where is the 1099?' },
    verb: 'Add note',
    stored: listOf('/v1/tax/notes?year=2024'),
  },
  'report generation': {
    path: '/forms?year=2024',
    rows: trades,
    fields: { 'Name on tax return': 'Ann Fields' },
    verb: 'Generate 2024 forms',
    stored: async (who) => [...(await nameOf(who)), ...(await listOf('/v1/tax/reports?year=2024')(who)).slice(1)],
  },
  'new client': {
    path: '/clients',
    plan: 'CPA',
    opens: ['New client'],
    fields: { Name: 'Jo Meadows', 'Email (optional)': 'jo@example.com' },
    verb: 'Create client',
    stored: listOf('/v1/clients'),
  },
  profile: {
    path: '/account',
    fields: { 'Name on tax return': 'Ann Fields' },
    verb: 'Save',
    stored: nameOf,
  },
};

const endings = /net::ERR_|40[19]|Failed to load/;

test.each(Object.entries(forms))(
  '%s: typed text survives a reload, a lost connection and an ended session, and is stored once',
  async (_, form) => {
    const who = await site.app.register(form.plan ?? 'PRO');
    if (form.rows !== undefined) await importCsv(who, form.rows);
    await grantAccess(site.app, await site.app.register('CPA'), who, 'reviewer').catch(() => {});
    const visit = await site.visit(form.path, { as: who, expectedErrors: [endings] });
    const { page, context } = visit;
    page.setDefaultTimeout(15_000);
    const button = () => scopeOf(page).getByRole('button', { name: form.verb, exact: true }).first();
    await openForm(page, form);
    for (const [label, text] of Object.entries(form.fields)) await fieldOf(page, label).fill(text);
    await expectTyped(page, form);

    await page.reload();
    await openForm(page, form);
    await expectTyped(page, form);
    await look(page, form);

    await context.setOffline(true);
    await button().click();
    await page.getByText('Check your connection').first().waitFor();
    await expectTyped(page, form);
    await context.setOffline(false);
    expect(await form.stored(who)).toEqual([]);

    await context.clearCookies();
    await button().click();
    await page.getByText('Your session has ended. Sign in to continue where you left off.').waitFor();
    await page.getByLabel('Email').fill(who.email);
    await page.getByLabel('Password', { exact: true }).fill(who.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await openForm(page, form);
    await expectTyped(page, form);
    expect(await form.stored(who)).toEqual([]);
    await look(page, form);

    // The server has the request, but its response is lost.
    await page.route('**/v1/**', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await button().click();
    await page.getByText('Check your connection').first().waitFor();
    await page.unroute('**/v1/**');

    const sent: string[] = [];
    await page.route('**/v1/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (route.request().method() !== 'GET') sent.push(`${route.request().method()} ${pathname}`);
      await Bun.sleep(400);
      await route.continue();
    });
    const pressed = await button().elementHandle();
    await pressed?.evaluate((element: HTMLButtonElement) => {
      element.focus();
      element.click();
      element.click();
    });
    await page.waitForTimeout(100);
    const state = await pressed?.evaluate((element) => ({
      hasFocus: element === document.activeElement,
      isWaiting: element.getAttribute('aria-disabled') === 'true',
      alerts: document.querySelectorAll('[role=alert]').length,
    }));
    expect(state).toEqual({ hasFocus: true, isWaiting: true, alerts: 0 });
    await page.waitForFunction(
      (element) => element?.getAttribute('aria-disabled') !== 'true' || !element.isConnected,
      pressed,
    );
    expect(new Set(sent).size).toBe(sent.length);
    expect(await form.stored(who)).toHaveLength(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit.close();
  },
);

/** A dialog, if one is open, or else the page. */
function scopeOf(page: Page): Locator {
  return page.locator('dialog[open], main').last();
}

function fieldOf(page: Page, label: string): Locator {
  return scopeOf(page).getByLabel(label, { exact: true }).first();
}

async function openForm(page: Page, { opens = [], fields }: FormCase): Promise<void> {
  const [first = ''] = Object.keys(fields);
  await untilRead(page);
  // The address of a transaction that is being edited opens its form.
  for (const name of page.url().includes('edit=yes') ? [] : opens) {
    if (await fieldOf(page, first).isVisible()) break;
    const opener = name.startsWith('row ')
      ? page.getByRole('row', { name: name.slice(4) })
      : page.getByRole('button', { name }).or(page.getByRole('link', { name })).first();
    await opener.click();
  }
  await fieldOf(page, first).waitFor();
}

async function expectTyped(page: Page, { fields }: FormCase): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    expect([label, bare(await fieldOf(page, label).inputValue())]).toEqual([label, bare(text)]);
  }
}

/** Fields show typed amounts and dates in their own form. */
const bare = (text: string): string =>
  text
    .replaceAll(/[$,]/g, '')
    .replace('Mar 1 ', '3/1/')
    .replace('May 1 ', '5/1/')
    .replace('Dec 31 ', '12/31/')
    .replace(/(\.\d)0$/, '$1')
    .replace(/\.00$/, '');

async function look(page: Page, { preview, verb }: FormCase): Promise<void> {
  if (preview !== undefined) await scopeOf(page).getByRole('button', { name: preview, exact: true }).click();
  await scopeOf(page).locator('button:not(:disabled)', { hasText: verb }).first().waitFor();
}
