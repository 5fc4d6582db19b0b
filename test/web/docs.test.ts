import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { createSite } from '../../src/web/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { sharedBrowser } from '../support/browser.ts';

let base: TestApp;
let site: ReturnType<typeof createSite>;
let server: Bun.Server<undefined>;
let browser: Browser;

beforeAll(async () => {
  base = await testApp();
  site = createSite(base.deps);
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => site.fetch(request) });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.stop(true);
  await base.close();
});

/** Opens a page and returns its requests and errors. */
async function visit(path: string) {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(120_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => complaints.push(`failed ${request.url()}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(new URL(path, server.url).href);
  return { page, requests, complaints };
}

describe('/docs', () => {
  describe('the page', () => {
    let visited: Awaited<ReturnType<typeof visit>>;
    beforeAll(async () => {
      visited = await visit('/docs');
    });
    afterAll(() => visited.page.context().close());

    test('opens the links in the first steps, in two screens', async () => {
      const { page, complaints } = visited;
      await page.setViewportSize({ width: 1280, height: 800 });
      for (const link of ['Imports/importTransactions', 'Issues/resolveIssue', 'Tax/listDisposals']) {
        await page.locator(`.info a[href="#/${link}"]`).click();
        const operation = page.locator(`#operations-${link.replace('/', '-')}`);
        await operation.locator('.responses-table').first().waitFor();
        const box = await operation.boundingBox();
        expect([link, (box?.height ?? 0) <= 1600, box?.height]).toEqual([link, true, box?.height]);
        await operation.locator('.opblock-summary-control').click();
        await page.locator('.opblock-tag-section.is-open .opblock-tag').click();
        await page.locator('.opblock').first().waitFor({ state: 'detached' });
      }
      expect(complaints).toEqual([]);
    });

    test('shows every operation, contacts no other host, and the policy blocks nothing it needs', async () => {
      const { page, requests, complaints } = visited;
      let shown = 0;
      for (const group of await page.locator('.opblock-tag').all()) {
        await group.click();
        await page.waitForSelector('.opblock');
        shown += await page.locator('.opblock').count();
        await group.click();
        await page.locator('.opblock').first().waitFor({ state: 'detached' });
      }
      const document = await (await base.request('GET', '/v1/openapi.json')).json();
      const known = Object.values(document.paths as Record<string, object>).flatMap((item) => Object.keys(item)).length;
      expect(shown).toBe(known);
      const hosts = requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).host);
      expect(new Set(hosts)).toEqual(new Set([server.url.host]));
      expect(complaints).toEqual([]);
    });

    test('is filtered by words in its operations', async () => {
      const { page } = visited;
      await page.locator('.operation-filter-input').fill('createAccount');
      await page.locator('#operations-Accounts-createAccount').waitFor();
      await page.locator('.operation-filter-input').fill('form 8949 lines');
      await page.locator('#operations-Accounts-createAccount').waitFor({ state: 'detached' });
      expect(await page.locator('#operations-Tax-listDisposals').count()).toBe(1);
    });

    test('sends an operation', async () => {
      const { page } = visited;
      await page.locator('.operation-filter-input').fill('listPlans');
      const operation = page.locator('#operations-Plans-listPlans');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.try-out__btn').click();
      await operation.locator('.execute').click();
      await page.waitForSelector('#operations-Plans-listPlans .live-responses-table');
      expect(await operation.locator('.live-responses-table').textContent()).toContain('FREE');
    });
  });

  test('opens the operation in the address, and shows the events of its stream as they arrive', async () => {
    const who = await base.register();
    const { page } = await visit('/docs#/Notifications/listNotificationEvents');
    const [name = '', value = ''] = who.cookie.split('=');
    await page.context().addCookies([{ name, value, url: server.url.href }]);
    const stream = page.locator('#operations-Notifications-listNotificationEvents');
    await stream.locator('.try-out__btn').click();
    await stream.locator('.execute').click();
    await stream.locator('.live-responses-table').first().waitFor();
    const body = 'date,type,account,asset,quantity,amount,fee\n2024-01-02,buy,Schwab,AAPL,1,100.00,0\n';
    await who.json('POST', '/v1/transactions/import', { body, headers: { 'content-type': 'text/csv' } }, 201);
    await stream.locator('.live-responses-table', { hasText: 'import_completed' }).first().waitFor();
    await page.context().close();
  });

  test('has a policy without external sources and without inline scripts', async () => {
    const policy = (await base.request('GET', '/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('http');
  });
});
