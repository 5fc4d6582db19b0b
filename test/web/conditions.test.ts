import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { TestClient } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { untilRead } from '../support/site-pages.ts';

/** Each form with typed text, under each condition that can interrupt it. */

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
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
    expect(await form.stored(who)).toEqual([]);
    // Clicked at once or not at all: a page that reads again by itself may replace the form before.
    const shown = await button().elementHandle();
    await context.setOffline(false);

    await context.clearCookies();
    await shown?.evaluate((element: HTMLElement) => element.click());
    await page.getByText('Your session has ended. Sign in to continue where you left off.').waitFor();
    await page.getByLabel('Email').fill(who.email);
    await page.getByLabel('Password', { exact: true }).fill(who.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await openForm(page, form);
    await expectTyped(page, form);
    expect(await form.stored(who)).toEqual([]);
    await look(page, form);

    // The server has the request, but its response is lost. The questions are not read again before the second try,
    // because the form of an answered one disappears.
    const losses: Promise<void>[] = [];
    const sent: string[] = [];
    const { promise: untilTried, resolve: endTry } = Promise.withResolvers<void>();
    let isLosing = true;
    await page.route('**/v1/**', async (route) => {
      const method = route.request().method();
      const { pathname } = new URL(route.request().url());
      if (method === 'GET') {
        if (pathname.startsWith('/v1/tax/issues')) await untilTried;
      } else if (isLosing) {
        const loss = route.fetch().then(() => route.abort());
        losses.push(loss);
        return loss;
      } else {
        sent.push(`${method} ${pathname}`);
        await Bun.sleep(400);
      }
      await route.continue();
    });
    await button().click();
    await page.getByText('Check your connection').first().waitFor();
    await Promise.all(losses);
    isLosing = false;

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
    endTry();
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

interface ButtonCase {
  readonly path: string;
  /** Makes the button ready. */
  readonly before?: (page: Page) => Promise<void>;
  readonly name: string;
  /** The request that the button sends, which is sent once. */
  readonly sends: RegExp;
  /** The text on the page once it is done. */
  readonly done?: string | RegExp;
  readonly stored: (who: TestClient) => Promise<number>;
}

const count = async (who: TestClient, path: string) => (await listOf(path)(who)).length;
const reportsOf = (who: TestClient) => count(who, '/v1/tax/reports?year=2024');

const buttons: Readonly<Record<string, ButtonCase>> = {
  'the lock question': {
    path: '/forms?year=2024',
    before: async (page) => {
      const answer = page.getByRole('button', { name: 'Lock anyway' });
      if (!(await answer.isVisible())) await page.getByRole('button', { name: 'Lock 2024', exact: true }).click();
      await answer.waitFor();
    },
    name: 'Lock anyway',
    sends: /\/lock$/,
    done: /2024 has been locked since/,
    stored: (who) => count(who, '/v1/tax/years/2024/history'),
  },
  'a bulk edit': {
    path: '/transactions?year=2024',
    before: async (page) => {
      const change = page.getByRole('button', { name: 'Change 3 transactions' });
      if (await change.isVisible()) return;
      await page.getByLabel('Select all').check();
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByLabel('Field').selectOption('note');
      await page.getByLabel('Note', { exact: true }).fill('seen');
    },
    name: 'Change 3 transactions',
    sends: /\/bulk$/,
    stored: async (who) => (await listOf('/v1/transactions', ({ note }) => note === 'seen')(who)).length / 3,
  },
  'a report': {
    path: '/forms?year=2024',
    name: 'Generate 2024 forms',
    sends: /\/reports$/,
    done: '· up to date',
    stored: reportsOf,
  },
};

test.each(Object.entries(buttons))(
  '%s: says that it is offline, is done once, and survives a reload while the server works',
  async (_, button) => {
    const who = await site.app.register('PRO');
    await importCsv(who, trades);
    const visit = await site.visit(button.path, { as: who, expectedErrors: [endings] });
    const { page, context } = visit;
    const ready = async () => {
      await untilRead(page);
      await button.before?.(page);
      await page.getByRole('button', { name: button.name, exact: true }).waitFor();
    };
    const press = (times: number) =>
      page.getByRole('button', { name: button.name, exact: true }).evaluate((element: HTMLElement, clicks) => {
        for (let click = 0; click < clicks; click += 1) element.click();
      }, times);
    await ready();
    await context.setOffline(true);
    await press(1);
    await page.getByText('Check your connection').first().waitFor();
    expect(await button.stored(who)).toBe(0);
    await context.setOffline(false);
    // A reload before the server has the request changes nothing.
    await page.reload();
    await ready();
    expect(await button.stored(who)).toBe(0);
    let sent = 0;
    const arrived = Promise.withResolvers<void>();
    await page.route(button.sends, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      sent += 1;
      await route.fetch();
      arrived.resolve();
    });
    await press(2);
    await arrived.promise;
    // The page never gets the response.
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await untilRead(page);
    expect([sent, await button.stored(who)]).toEqual([1, 1]);
    if (button.done !== undefined) await page.getByText(button.done).first().waitFor();
    await visit.close();
  },
);

test('a download says that it is offline, and is sent once if its button is pressed twice', async () => {
  const who = await site.app.register('PRO');
  await importCsv(who, trades);
  await who.json('POST', '/v1/tax/reports', { body: { year: 2024 } });
  const visit = await site.visit('/forms?year=2024', { as: who, expectedErrors: [endings] });
  const { page, context } = visit;
  const button = page.getByRole('button', { name: 'Download PDF' }).first();
  await button.waitFor();
  await context.setOffline(true);
  await button.click();
  await page.getByText('Check your connection').first().waitFor();
  await context.setOffline(false);
  let sent = 0;
  await page.route(/\/download\?/, async (route) => {
    sent += 1;
    await Bun.sleep(400);
    await route.continue();
  });
  const [download] = await Promise.all([page.waitForEvent('download'), button.dblclick()]);
  expect([download.suggestedFilename().slice(0, 14), sent]).toEqual(['form-8949-2024', 1]);
  await visit.close();
});

test('two tabs show what the other one changes, and two clients in two tabs stay apart, also in what is typed', async () => {
  const cpa = await site.app.register('CPA');
  const add = async (name: string) =>
    (await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name } }, 201)).id;
  const [ann, bob] = [await add('Ann Fields'), await add('Bob Meadows')];
  for (const id of [ann, bob]) await importCsv(cpa, trades, `?client=${id}`);
  const visit = await site.visit(`/review?year=2024&client=${ann}`, { as: cpa });
  const tab = async (path: string) => {
    const page = await visit.context.newPage();
    await page.goto(new URL(path, site.url).href);
    return page;
  };
  const { page } = visit;
  const sameClient = await tab(`/overview?year=2024&client=${ann}`);
  const otherClient = await tab(`/review?year=2024&client=${bob}`);
  await sameClient.getByText('$140.00').first().waitFor();
  await otherClient.getByRole('heading', { name: /Missing purchase: OLD/ }).waitFor();
  await page.getByRole('button', { name: 'Enter cost basis' }).click();
  await page.getByLabel(/^Cost basis/).fill('50');
  await page.getByLabel('Date acquired').fill('5/1/2021');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All done').waitFor();
  await sameClient.getByText('$90.00').first().waitFor();
  await otherClient.reload();
  await otherClient.getByRole('heading', { name: /Missing purchase: OLD/ }).waitFor();

  // What is typed for one client is not shown for the other.
  await page.goto(new URL(`/transactions?open=new&year=2024&client=${ann}`, site.url).href);
  await page.getByLabel('Quantity').fill('77');
  await page.goto(new URL(`/transactions?open=new&year=2024&client=${bob}`, site.url).href);
  await page.getByRole('button', { name: 'Viewing: Bob Meadows' }).waitFor();
  expect(await page.getByLabel('Quantity').inputValue()).toBe('');
  await page.goto(new URL(`/transactions?open=new&year=2024&client=${ann}`, site.url).href);
  await page.getByRole('button', { name: 'Viewing: Ann Fields' }).waitFor();
  expect(await page.getByLabel('Quantity').inputValue()).toBe('77');
  await visit.close();
});

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
