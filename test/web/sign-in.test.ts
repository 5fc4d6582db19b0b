import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { signOut } from '../support/frame.ts';
import { type ProviderStandIn, standInCredentials, startProvider } from '../support/provider.ts';
import { computeCode } from '../support/second-factor.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let provider: ProviderStandIn;
let site: Site;
let expectedHosts: string[];
beforeAll(async () => {
  provider = startProvider();
  expectedHosts = [new URL(provider.endpoints.google.token).host];
  site = await siteWithBrowser({ env: standInCredentials, endpoints: provider.endpoints });
});
afterAll(async () => {
  await site.close();
  await provider.close();
});

const ann = { id: 7, email: 'ann@example.com', verified: true, name: 'Ann Fields' };

describe('signing in through a provider', () => {
  test('creates an account, and signs in to it again on the way to a page, with Google and with GitHub', async () => {
    const visit = await site.visit('/register', { expectedHosts });
    const { page } = visit;
    for (const [name, person] of [
      ['Google', ann],
      ['GitHub', { ...ann, id: 8, email: 'bob@example.com' }],
    ] as const) {
      provider.attend(person);
      await page.goto(new URL('/register', site.url).href);
      await page.getByRole('link', { name: `Continue with ${name}` }).waitFor();
      await visit.expectAccessible();
      await page.getByRole('link', { name: `Continue with ${name}` }).click();
      await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByText(person.email).waitFor();
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByText(person.email).waitFor({ state: 'hidden' });
      await signOut(page);
      await page.goto(new URL('/overview?year=2024', site.url).href);
      await page.getByRole('link', { name: `Continue with ${name}` }).click();
      await page.getByRole('heading', { name: 'Tax year 2024' }).waitFor();
      expect(page.url()).toContain('year=2024');
      await signOut(page);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    await visit.close();
  });

  test('shows the reason for a failure in a plain sentence, with a link back', async () => {
    const visit = await site.visit('/sign-in', { expectedHosts, expectedErrors: [/401/] });
    const { page } = visit;
    await site.app.request('POST', '/v1/auth/register', {
      body: { email: 'cat@example.com', password: 'a sentence to remember' },
    });
    for (const [person, sentence] of [
      [null, 'You did not allow access at the provider'],
      [{ ...ann, id: 9, email: 'dan@example.com', verified: false }, 'your email address is not confirmed there'],
      [{ ...ann, id: 9, email: 'cat@example.com' }, 'An account with your email address already exists'],
    ] as const) {
      provider.attend(person);
      await page.getByRole('link', { name: 'Continue with Google' }).click();
      await page.getByText(sentence).waitFor();
      await page.getByRole('link', { name: 'Back to sign-in' }).click();
    }
    await visit.close();
  });

  test('can be linked to an account, requires its second factor, and can be unlinked', async () => {
    const who = await site.app.register();
    const visit = await site.visit('/account/security', { as: who, expectedHosts, expectedErrors: [/401/] });
    const { page } = visit;
    provider.attend({ ...ann, id: 20, email: 'elsewhere@example.com' });
    await page.getByRole('button', { name: 'Link GitHub' }).click();
    await page.getByRole('button', { name: 'Unlink GitHub' }).waitFor();
    await visit.expectAccessible();
    const { secret } = await who.json<{ secret: string }>('POST', '/v1/auth/totp', { body: {} });
    const clock = site.app.deps.clock;
    const body = { totp: computeCode(clock, secret) };
    const { recoveryCodes } = await who.json<{ recoveryCodes: string[] }>('POST', '/v1/auth/totp/confirm', { body });
    await signOut(page);
    await page.goto(new URL('/holdings', site.url).href);
    await page.getByRole('link', { name: 'Continue with GitHub' }).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await visit.expectAccessible();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This code is wrong').waitFor();
    await page.getByLabel('Code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Holdings', level: 1 }).waitFor();
    await page.goto(new URL('/account/security', site.url).href);
    await page.getByRole('button', { name: 'Unlink GitHub' }).click();
    await page.getByRole('button', { name: 'Link GitHub' }).waitFor();
    await visit.close();
  });

  test('is not offered if it is not configured, and a request for it explains this', async () => {
    const plain = await siteWithBrowser();
    const visit = await plain.visit('/sign-in', { expectedErrors: [/401/] });
    await visit.page.getByLabel('Password').waitFor();
    await visit.page.waitForLoadState('networkidle');
    expect(await visit.page.getByRole('link', { name: /Continue with/ }).count()).toBe(0);
    await visit.page.goto(new URL('/auth/github', plain.url).href);
    await visit.page.getByText("isn't set up for sign-in through that provider").waitFor();
    await visit.close();
    await plain.close();
  });
});
