import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let who: TestClient;

const trades = `date,type,account,asset,quantity,amount,fee
2022-01-10,buy,Broker,KO,10,500,0
2023-01-10,buy,Broker,KO,10,700,0
2024-06-03,sell,Broker,KO,10,900,0
2024-01-10,buy,Schwab Roth IRA,PEP,10,1500,0
2024-07-10,sell,Schwab Roth IRA,PEP,10,1700,0
2024-02-05,buy,Broker,TIA,4,60,0
2024-02-06,buy,Kraken,TIA,3,45,0
`;

beforeAll(async () => {
  site = await siteWithBrowser();
  who = await site.app.register('PRO');
  await importCsv(who, trades);
});
afterAll(() => site.close());

const gain = async () => (await who.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024')).total.gain;

describe('the settings', () => {
  test('show the effect of an election in dollars, save it, and undo it', async () => {
    const visit = await site.visit('/settings/elections', { as: who });
    const { page } = visit;
    await page.getByLabel('Method', { exact: true }).first().selectOption('Highest cost first (HIFO)');
    // 400 of KO by FIFO and 200 by HIFO, plus 200 of PEP.
    const changed = page.getByRole('row', { name: /^2024/ });
    await changed.waitFor();
    expect(await changed.textContent()).toBe('2024$600.00$400.00$200.00$200.00');
    expect(await gain()).toBe('600.00');
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Method: Highest cost first').waitFor();
    expect(await gain()).toBe('400.00');
    await page.getByRole('button', { name: 'Undo' }).click();
    const method = page.getByLabel('Method', { exact: true }).locator('option:checked');
    await method.filter({ hasText: 'First in, first out' }).waitFor({ state: 'attached' });
    expect(await gain()).toBe('600.00');
    // Three choices are on top. The others are folded, and found by their words.
    expect(await page.getByLabel('Late lot selection').isVisible()).toBe(false);
    await page.getByLabel('Find a choice').fill('TXF');
    await page.getByLabel('Crypto in TXF files').waitFor();
    expect(await page.getByLabel('Method', { exact: true }).count()).toBe(0);
    await page.getByLabel('Find a choice').fill('');
    // The books have no choice of their own, so the first of each is the stored one.
    const chosen = await page.locator('.election > .fields option:checked').allTextContents();
    expect([chosen.length, chosen.filter((text) => !text.endsWith(' · default'))]).toEqual([14, []]);
    await visit.close();
  });

  test('add to lists by date, and choose several values', async () => {
    const visit = await site.visit('/settings/elections', { as: who });
    const { page } = visit;
    await page.getByText('Advanced', { exact: true }).click();
    await page.getByLabel('From').first().fill('2025');
    await page.getByLabel('Choice', { exact: true }).first().selectOption('Highest cost first (HIFO)');
    await page.getByRole('button', { name: 'Preview' }).first().click();
    await page.getByText('No change to any year.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('From 2025: Highest cost first (HIFO)').waitFor();
    await page.getByLabel('Roth IRA').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Wash sale accounts saved.').waitFor();
    type Stored = { methodFrom: unknown; washAccounts: unknown };
    const { methodFrom, washAccounts } = await who.json<Stored>('GET', '/v1/tax/settings');
    expect([methodFrom, washAccounts]).toEqual([[{ year: 2025, method: 'HIFO' }], ['ira', 'hsa', '401k', 'spouse']]);
    await visit.expectAccessible();
    await page.getByRole('button', { name: /^Remove .*from 2025/ }).click();
    await page.getByText('No change to any year.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('From 2025: Highest').waitFor({ state: 'detached' });
    await page.getByLabel('Roth IRA').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Wash sale accounts saved.').last().waitFor();
    await visit.close();
  });

  test('set the type of an account whose name suggests one', async () => {
    const visit = await site.visit('/settings', { as: who });
    const { page } = visit;
    await page.getByText('looks like a tax-free account (Roth IRA)').waitFor();
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Set type' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schwab Roth IRA' });
    expect(await dialog.getByLabel('Type').inputValue()).toBe('roth_ira');
    const changed = dialog.getByRole('row', { name: /^2024/ });
    await changed.waitFor();
    expect(await changed.textContent()).toBe('2024$600.00$400.00$0.00$400.00');
    await visit.expectAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('looks like a tax-free account (Roth IRA)').waitFor({ state: 'detached' });
    expect(await gain()).toBe('400.00');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('looks like a tax-free account (Roth IRA)').waitFor();
    expect(await gain()).toBe('600.00');
    await visit.close();
  });

  test('contain a carryover, an asset, a price and a balance of the taxpayer', async () => {
    const visit = await site.visit('/settings/years', { as: who });
    const { page } = visit;
    const part = (name: string) =>
      page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link', { name });
    await page.getByRole('button', { name: 'Change 2024' }).click();
    await page.getByLabel('Long-term loss carryover').last().fill('5000');
    await page.getByText('2024 loss deducted: $0.00 → $3,000.00').waitFor();
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Tax year 2024 saved.').waitFor();

    await part('Assets').click();
    await page.getByRole('button', { name: 'Change KO' }).click();
    await page.getByLabel('Asset class').selectOption('Fund');
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /KO.*Fund.*set by you/ }).waitFor();
    // A coin and a stock with the same name are in separate accounts.
    await page.getByRole('button', { name: 'Change TIA' }).first().click();
    await page.getByText('Different class in one account').click();
    await page.getByLabel('In Kraken').selectOption('Crypto');
    await page.getByLabel('In Broker').selectOption('Stock');
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /TIA.*Crypto.*set by you.*Kraken/ }).waitFor();
    await page.getByRole('row', { name: /TIA.*Stock.*set by you.*Broker/ }).waitFor();

    await part('Prices').click();
    await page.getByLabel('Asset').first().fill('KO');
    await page.getByLabel('Date', { exact: true }).fill('2024-12-31');
    await page.getByLabel('Price per unit (USD)').fill('62.26');
    await page.getByRole('button', { name: 'Save price' }).click();
    await page.getByRole('row', { name: /KO.*\$62.26.*you/ }).waitFor();
    await visit.expectAccessible();

    await part('Balances').click();
    await page.getByLabel('Account').selectOption('Broker');
    await page.getByLabel('Asset').fill('KO');
    await page.getByLabel('As of (end of day)').fill('2024-12-31');
    await page.getByLabel('Quantity').fill('12');
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /KO.*Broker/ });
    await row.waitFor();
    expect(await row.textContent()).toContain('12102');
    await visit.expectAccessible();
    await row.getByRole('button', { name: /Remove/ }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row.waitFor();
    await visit.close();
  });

  test('propose the allocation of a coin pool, and finalize it once', async () => {
    const holder = await site.app.register();
    const head = 'date,type,account,asset,quantity,amount,to_account\n';
    await importCsv(holder, `${head}2023-02-01,buy,Vault,BTC,1,20000,\n2023-03-01,transfer,Vault,BTC,0.4,,Phone\n`);
    const visit = await site.visit('/settings/allocation', { as: holder, expectedErrors: [/422/] });
    const { page } = visit;
    await page.getByText('Nothing to allocate').waitFor();
    await page.getByRole('link', { name: 'Choose it' }).click();
    await page.getByLabel('Crypto before 2025').selectOption('Universal (all wallets)');
    await page.getByText('No change to any year.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: '2024 crypto allocation' }).click();
    await page.getByRole('row', { name: /Vault.*Feb 1, 2023.*0.6.*\$12,000.00/ }).waitFor();
    await page.getByLabel('Units allocated first').selectOption('Unit by unit, entered by you');
    const inPhone = page.getByLabel('Units of the Feb 1, 2023 lot in Phone');
    expect(await inPhone.inputValue()).toBe('0.4');
    await inPhone.fill('0.3');
    await visit.expectAccessible();
    await visit.expectPhoneFit();
    await page.getByLabel("I've read it").check();
    await page.getByRole('button', { name: 'Finalize allocation' }).click();
    await page.getByRole('alert').waitFor();
    await inPhone.fill('0.4');
    await page.getByRole('button', { name: 'Finalize allocation' }).click();
    await page.getByRole('heading', { name: 'The allocation is final' }).waitFor();
    await visit.expectAccessible();
    const standingOrders = [{ account: 'Vault', method: 'HIFO', madeAt: '2025-01-05', toldBroker: '2025-01-06' }];
    await holder.json('PATCH', '/v1/tax/settings', { body: { standingOrders } });
    await page.goto(new URL('/settings/accounts', site.url).href);
    await page.getByRole('row', { name: /Vault.*Highest cost first.*Jan 5, 2025.*Jan 6, 2025/ }).waitFor();
    await visit.expectPhoneFit();
    await visit.close();
  });
});
