import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { deviceName } from '../../src/base/device-name.ts';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

describe('the account', () => {
  test('changes, ends other sessions, changes its password, is deleted together with it, and is restored', async () => {
    const who = await site.app.register();
    await importCsv(who, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Broker,KO,1,60\n');
    const { email, password } = who;
    await site.app.request('POST', '/v1/auth/login', { body: { email, password } });
    const visit = await site.visit('/account', { as: who, expectedErrors: [/401/, /422/] });
    const { page } = visit;
    const part = (name: string) =>
      page.getByRole('navigation', { name: 'Parts of the account' }).getByRole('link', { name }).click();
    await part('Plan');
    await page.getByText('1 of 50').waitFor();
    await part('Profile');
    await page.getByLabel('Name on tax return').waitFor();
    await visit.expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();

    await page.getByLabel('Name on tax return').fill('Ann & Bob Fields');
    await page.getByLabel('Taxpayer identification number').fill('123-45-678');
    await page.getByRole('button', { name: 'Save' }).click();
    // The server's error is shown at the field, which gets the focus.
    await page.locator('input:focus[aria-invalid=true]').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Taxpayer identification number').fill('123-45-6789');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('•••-••-6789').waitFor();
    expect(await page.content()).not.toContain('123-45-6789');
    const saved = await who.json<{ taxpayerName: string; tin?: string }>('GET', '/v1/account');
    expect([saved.taxpayerName, saved.tin]).toEqual(['Ann & Bob Fields', '123-45-6789']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Leave blank to write it in yourself').waitFor();
    expect((await who.json<{ tin?: string }>('GET', '/v1/account')).tin).toBeUndefined();

    await part('Security');
    await page.getByRole('button', { name: /^End the session/ }).click();
    await page.getByText('Session ended.').waitFor();
    expect((await who.json<{ data: object[] }>('GET', '/v1/auth/sessions')).data.length).toBe(1);

    // A wrong password shows an error, and ends no session.
    await page.getByLabel('Current password').fill('wrong wrong');
    await page.getByLabel('New password').fill('another sentence to remember');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();

    await part('Data');
    await page.getByRole('heading', { name: 'Your data', level: 1 }).waitFor();
    await page.getByText('For 14 days you can cancel the deletion').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download transactions' }).click();
    expect((await download).suggestedFilename()).toEndWith('.csv');
    const archive = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download everything' }).click();
    expect((await archive).suggestedFilename()).toEndWith('.zip');
    await page.getByText(/Downloaded .*\.zip \(\d+ kB\)/).waitFor();

    // After the deletion, signing in restores it.
    const password2 = 'another sentence to remember';
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete account' }).click();
      await page.getByLabel('Your password').fill(password2);
      await visit.expectAccessible();
      await page.getByRole('button', { name: 'Delete everything' }).click();
      await page.getByText('You can cancel the deletion until').waitFor();
    };
    await remove();
    await page.goto(new URL('/sign-in', site.url).href);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password2);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This account is deleted.').waitFor();
    await visit.expectAccessible();
    await page.getByRole('button', { name: 'Cancel deletion and sign in' }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();

    // The emailed link also restores it, but only after its button is pressed.
    await page.goto(new URL('/account/data', site.url).href);
    await remove();
    const mail = (await site.app.mails()).findLast(({ text }) => text.includes('/account/restore#'));
    await page.goto(/http\S+\/account\/restore#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    await page.getByRole('heading', { name: 'Restore your account' }).waitFor();
    const login = () => site.app.request('POST', '/v1/auth/login', { body: { email, password: password2 } });
    expect((await login()).status).toBe(401);
    await page.getByRole('button', { name: 'Cancel deletion' }).click();
    await page.getByRole('heading', { name: 'Your account is restored' }).waitFor();
    expect((await login()).status).toBe(200);
    await visit.close();
  });

  test('fits a phone, as do settings and clients', async () => {
    const cpa = await site.app.register('CPA');
    await cpa.json('POST', '/v1/clients', { body: { name: 'Robert Meadows-Castellanos' } });
    await importCsv(cpa, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Broker,KO,1,60\n');
    const visit = await site.visit('/account', { as: cpa, width: 360, height: 740 });
    for (const [path, heading] of [
      ['/account', 'Account'],
      ['/account/plan', 'Plan'],
      ['/account/security', 'Security'],
      ['/account/access', 'Shared access'],
      ['/settings', 'Settings'],
      ['/settings/elections', 'Settings: Tax choices'],
      ['/clients', 'Clients'],
    ] as const) {
      await visit.page.goto(new URL(path, site.url).href);
      await visit.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await visit.page.waitForFunction(() => document.querySelector('.waiting') === null);
      expect([path, await visit.page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
    }
    await visit.close();
  });
});

test('a device is named by its browser and operating system', () => {
  const agents: readonly (readonly [string, string])[] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    ['lotbook-sync 1.2', 'lotbook-sync 1.2'],
    ['', 'Unknown device'],
  ];
  for (const [agent, name] of agents) expect(deviceName(agent)).toBe(name);
});
