import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { findPage } from '../../src/web/format/page-links.ts';
import { testClock } from '../support/app.ts';
import { csvOf, elect, importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser({ clock: testClock('2025-11-20T12:00:00Z') });
});
afterAll(() => site.close());

const rows = csvOf(
  'buy 2023-01-10 10 ACME @1000',
  'buy 2025-02-10 10 ACME @3000',
  'sell 2025-04-10 5 ACME @1000',
  'buy 2024-03-01 40 LOSS @4000',
  'buy 2025-11-10 10 LOSS @500',
  'inherit 2020-05-04 3 HEIR',
);

describe('holdings', () => {
  test('open into their lots, and a stated price values them and can be undone', async () => {
    const client = await site.app.register('PRO');
    await importCsv(client, rows);
    const visit = await site.visit('/holdings', { as: client });
    const { page } = visit;
    await page.getByText(/holdings? with a cost basis of/).waitFor();
    await page.getByRole('button', { name: 'HEIR' }).click();
    await page.getByText('No price or recent trade for HEIR').waitFor();
    expect(page.url()).toContain('open=HEIR');
    await page.getByRole('form', { name: 'Price of HEIR' }).getByLabel('Price per unit (USD)').fill('$12.50');
    await page.getByRole('button', { name: 'Save price' }).click();
    await page.getByText(/^Price saved: HEIR on /).waitFor();
    await page.getByRole('cell', { name: '$37.50' }).first().waitFor();
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No price or recent trade for HEIR').waitFor();
    await page.getByRole('button', { name: 'ACME' }).click();
    await page.getByText('long-term on Feb 11, 2026, in 83 days').waitFor();
    await page.getByLabel('As of').fill('2024-12-31');
    await page.getByText('at the end of Dec 31, 2024').waitFor();
    await page.getByText('10 in 1 lot').waitFor();
    // The page that a notification about one asset links to shows that asset with its lots.
    await page.goto(new URL('/holdings?asset=LOSS', site.url).href);
    await page.getByRole('group', { name: 'Open lots of LOSS' }).waitFor();
    expect(await page.getByRole('button', { expanded: true }).allInnerTexts()).toEqual(['LOSS']);
    expect(await page.getByRole('button', { name: 'ACME' }).count()).toBe(0);
    await visit.expectAccessible();
    await page.getByRole('button', { name: /LOSS.*show all/ }).click();
    await page.getByRole('button', { name: 'ACME' }).waitFor();
    await visit.close();
  });
});

interface WhatIfResponse {
  readonly comparison: {
    basis: string;
    gain: string;
    shortTermGain: string;
    longTermGain: string;
    years: { gain: string }[];
  }[];
  readonly taxes: { change: string }[];
}

describe('a planned sale', () => {
  test('shows each method to the cent as in the API, then the tax with the stated income', async () => {
    const client = await site.app.register('PRO');
    await importCsv(client, rows);
    const sales = [{ asset: 'ACME', account: 'Broker', quantity: '8', price: '250', date: '2025-12-01' }];
    const ask = () => client.json<WhatIfResponse>('POST', '/v1/tax/what-if', { body: { sales } });
    const { comparison } = await ask();
    const visit = await site.visit('/planning', { as: client });
    const { page } = visit;
    await page.getByLabel('Sell').selectOption({ label: 'ACME, Broker' });
    await page.getByText('15 held.').waitFor();
    await page.getByLabel('Quantity').fill('8');
    await page.getByLabel('Price per unit').fill('250');
    await page.getByLabel('On', { exact: true }).fill('2025-12-01');
    await page.getByRole('button', { name: 'Calculate' }).click();
    await page.getByRole('heading', { name: 'Compare methods' }).waitFor();
    const shown = await page
      .locator('.methods tbody tr')
      .evaluateAll((lines) =>
        lines.map((line) => [...line.querySelectorAll('.amount:not(.on-phone *)')].map((cell) => cell.textContent)),
      );
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', currencySign: 'accounting' });
    expect(shown).toEqual(
      comparison.map(({ basis, gain, shortTermGain, longTermGain, years }) =>
        [basis, gain, shortTermGain, longTermGain, ...years.map((year) => year.gain)].map((amount) =>
          dollars.format(Number(amount)),
        ),
      ),
    );
    await page.getByRole('link', { name: 'Highest cost first' }).click();
    await page.locator('tr[aria-current=true]', { hasText: 'HIFO' }).waitFor();
    expect(new URL(page.url()).searchParams.get('method')).toBe('HIFO');
    await page.getByRole('link', { name: 'First in, first out' }).click();
    await page.getByLabel('Taxable income for 2025').fill('120,000');
    await page.getByRole('button', { name: 'Calculate tax' }).click();
    await page.getByRole('heading', { name: 'Federal tax on 2025 gains' }).waitFor();
    const [tax] = (await ask()).taxes;
    expect(await page.locator('.card .figure').textContent()).toBe(dollars.format(Number(tax?.change)));
    await page.getByText('Not included: tax at ordinary rates').waitFor();
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await visit.close();
  });
});

test('losses to harvest show the wash sales before and after, and link to the sale', async () => {
  const client = await site.app.register('PRO');
  await importCsv(client, rows);
  const visit = await site.visit('/planning?view=losses', { as: client, dark: true, width: 360 });
  const { page } = visit;
  const lot = page.getByRole('row', { name: /40 LOSS/ });
  await lot.getByText('($2,000.00)').waitFor();
  const text = (await lot.textContent()) ?? '';
  for (const part of ['$500.00 would be disallowed', '10 LOSS', 'Nov 10, 2025', 'Sell on Dec 11, 2025', 'Dec 21, 2025'])
    expect(text).toContain(part);
  await visit.expectAccessible();
  await lot.getByRole('link', { name: '40 LOSS' }).click();
  await page.getByText('wash sale: $500.00 disallowed').first().waitFor();
  await visit.close();
});

test('losses can be sorted and selected, and show the sum that counts and the age of their prices', async () => {
  const client = await site.app.register('PRO');
  await importCsv(client, `${rows}${csvOf('buy 2025-06-02 10 AAPL @3000').split('\n').slice(1).join('\n')}`);
  const prices = 'date,asset,usd\n2025-10-01,AAPL,140\n';
  await client.json('POST', '/v1/prices', { body: prices, headers: { 'content-type': 'text/csv' } });
  const visit = await site.visit('/planning?view=losses', { as: client });
  const { page } = visit;
  await page.getByText('Prices from Apr 10, 2025 to Nov 10, 2025').waitFor();
  const row = (name: string) => page.getByRole('row', { name });
  expect(await row('40 LOSS').textContent()).toContain('($1,500.00)');
  expect(await row('10 AAPL').textContent()).toMatch(/Apple[\s\S]*7 weeks old[\s\S]*\(\$1,600\.00\)/);
  const lots = () => page.locator('.losing tbody th a').allInnerTexts();
  expect(await lots()).toEqual(['40 LOSS', '10 AAPL', '10 ACME']);
  await page.getByLabel('Sort by').selectOption({ label: 'Largest loss that counts today' });
  await page.locator('.losing tbody tr').first().getByText('10 AAPL').waitFor();
  expect(await lots()).toEqual(['10 AAPL', '40 LOSS', '10 ACME']);
  await page.getByLabel('Select AAPL acquired Jun 2, 2025').check();
  await page.getByLabel('Select LOSS acquired Mar 1, 2024').check();
  await page
    .getByText('2 lots selected: ($3,100.00) counts today, ($1,600.00) short-term and ($1,500.00) long-term.')
    .waitFor();
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('lots selected').waitFor({ state: 'detached' });
  await visit.close();
});

test('a planned sale names the lot method with the lowest gain, with a text for the broker, and nothing in transit', async () => {
  const client = await site.app.register('PRO');
  await importCsv(
    client,
    'date,type,account,asset,quantity,amount\n2024-01-05,buy,Kraken,BTC,1,40000\n2024-06-05,buy,Kraken,BTC,1,60000\n2024-12-05,withdrawal,Kraken,BTC,0.5,\n',
  );
  const visit = await site.visit(
    '/planning?asset=BTC&class=crypto&account=Kraken&quantity=1&price=90000&date=2025-11-20',
    {
      as: client,
    },
  );
  const { page } = visit;
  await page.getByText("Another 0.5 are in transit and can't be sold").waitFor();
  expect(await page.getByLabel('Sell', { exact: true }).locator('option').allInnerTexts()).toEqual([
    'Choose a holding',
    'BTC, Bitcoin, Kraken',
  ]);
  await page.getByText(/has the lowest gain: \$30,000\.00, which is \$10,000\.00 less than with your method/).waitFor();
  await page
    .getByText(
      'Please sell 1 BTC in my account Kraken from these lots: 1 acquired Jun 5, 2024. This is an identification under 26 CFR 1.1012-1(j).',
    )
    .waitFor();
  await visit.expectAccessible();
  await page.goto(new URL('/holdings?by=account', site.url).href);
  await page.getByText('0.5 in 1 lot, In transit').waitFor();
  await visit.close();
});

test('the tasks before December 31 are listed with their dates, and reminders link to them', async () => {
  const client = await site.app.register('PRO');
  await importCsv(client, rows);
  await importCsv(
    client,
    'date,type,account,asset,quantity,amount\n2024-01-05,buy,Kraken,BTC,1,40000\n2025-12-15,sell,Broker,LOSS,10,300\n',
  );
  await elect(client, { methodByAccount: { Kraken: 'HIFO' } });
  const visit = await site.visit('/planning', { as: client });
  const { page } = visit;
  await page.getByRole('link', { name: 'Before December 31' }).click();
  await page.getByRole('heading', { name: 'Sell what should count in 2025' }).waitFor();
  await page.getByText('By Dec 31, 2025').waitFor();
  const broker = page.locator('section', { hasText: 'Tell Kraken which lots you sell' }).last();
  expect(await broker.textContent()).toMatch(/By Jan 1, 2027[\s\S]*Subject: Standing order for digital assets/);
  expect(await page.getByRole('row', { name: /LOSS/ }).textContent()).toContain('Jan 14, 2026');
  await visit.expectAccessible();
  await visit.expectPhoneFit();
  await broker.getByRole('link', { name: 'settings of the account' }).click();
  await page.waitForURL(/settings\/accounts/);
  expect(findPage('/v1/tax/year-end?year=2025')).toEqual({
    path: '/planning',
    query: { year: '2025', view: 'year-end' },
  });
  await visit.close();
});
