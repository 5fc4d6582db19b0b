import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { clientBundle } from '../../src/web/files/bundle.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { signOut } from '../support/frame.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

describe('the files of the client', () => {
  test('are compressed, have hashes in their names, and are cached forever', async () => {
    const html = await (await fetch(site.url)).text();
    const [script = ''] = /\/assets\/client-\w+\.js/.exec(html) ?? [];
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await fetch(new URL(script, site.url), { headers: { 'accept-encoding': encoding } });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await response.text()).toContain('Lotbook');
    }
  });

  test('are in the order of their names, whatever the order in which they were built', async () => {
    const paths = [...(await clientBundle()).files.keys()];
    expect(paths.length).toBeGreaterThan(20);
    expect(paths).toEqual(paths.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  test('have a page that is revalidated each time, and a policy without inline code', async () => {
    const first = await fetch(site.url);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const policy = first.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("require-trusted-types-for 'script'");
    const again = await fetch(site.url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  test('are at most 60 kB on the first load', async () => {
    const visit = await site.visit('/');
    await visit.page.getByRole('link', { name: 'Create account' }).waitFor();
    const sizes = await visit.page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
    );
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThan(60_000);
    await visit.close();
  });
});

describe('an address without a page', () => {
  test('shows an error page to a browser, and returns a problem to a program', async () => {
    const visit = await site.visit('/nope');
    await visit.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await visit.close();
    const program = await fetch(new URL('/nope', site.url));
    expect(program.status).toBe(404);
    expect(program.headers.get('content-type')).toBe('application/problem+json');
    const api = await fetch(new URL('/v1/nope', site.url), { headers: { accept: 'text/html' } });
    expect(api.status).toBe(404);
  });
});

describe('signing in', () => {
  test('opens an empty year for a new account, and returns to the requested page at the next sign-in', async () => {
    const visit = await site.visit('/');
    const { page } = visit;
    await page.getByRole('link', { name: 'Create account' }).click();
    const field = page.getByLabel('Password');
    const attributes = await Promise.all(['type', 'autocomplete'].map((name) => field.getAttribute(name)));
    expect(attributes).toEqual(['password', 'new-password']);
    await page.getByLabel('Email').fill('new@example.com');
    await field.fill('a sentence to remember');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Set up your tax year' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // Signing out clears the browser's storage, which may happen later than the next page.
    await page.evaluate(() => localStorage.clear());
    await page.goto(new URL('/overview?year=2024', site.url).href);
    await page.getByLabel('Email').fill('new@example.com');
    await page.getByLabel('Password').fill('a sentence to remember');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Tax year 2024' }).waitFor();
    await visit.close();
  });

  test('removes the books from the page and the tab when the session ends here or elsewhere', async () => {
    const who = await site.app.register('PRO');
    await importCsv(who, csvOf('buy 2024-01-02 1 ZQMARK @10'));
    const visit = await site.visit('/transactions', { as: who, expectedErrors: [/401/] });
    const { page } = visit;
    const signedOut = async () => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.content()).not.toContain('ZQMARK');
    };
    await page.getByText('ZQMARK').first().waitFor();
    await who.json('DELETE', '/v1/auth/sessions', {}, 204);
    await page.getByRole('link', { name: 'Holdings' }).first().click();
    await signedOut();
    await page.goBack();
    await signedOut();
    await page.getByLabel('Email').fill(who.email);
    await page.getByLabel('Password').fill(who.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('ZQMARK').first().waitFor();
    await page.evaluate(() => sessionStorage.setItem('draft:question', '{"question":"ZQMARK"}'));
    await signOut(page);
    await signedOut();
    await page.waitForFunction(() => !JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes('ZQMARK'));
    await visit.close();
  });

  test('shows an error for a wrong password, and the typed text survives a reload', async () => {
    const visit = await site.visit('/sign-in', { expectedErrors: [/401/] });
    const { page } = visit;
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password').fill('wrong wrong wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('password');
    await page.reload();
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com');
    await visit.close();
  });

  test('shows a plain sentence for a failed provider sign-in', async () => {
    const visit = await site.visit('/auth/callback?error=email_taken', { expectedErrors: [/401/] });
    await visit.page.getByText('An account with your email address already exists').waitFor();
    await visit.page.goto(new URL('/auth/callback?error=%3Cscript%3E', site.url).href);
    await visit.page.getByText('Nothing was changed').waitFor();
    await visit.close();
  });
});
