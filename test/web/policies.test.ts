import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp } from '../support/app.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const privacy = `# Privacy at Example

Example LLC keeps your data in **Ohio**.
<script>alert(1)</script>

- Ask [our office](mailto:privacy@example.com).
- Do not open [this](javascript:alert(1)).
`;

function policyFile(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'lotbook-policies-')), 'policy.md');
  writeFileSync(path, content);
  return path;
}

describe('privacy and terms', () => {
  test('state what this server does, and that its operator has set no texts', async () => {
    const visit = await site.visit('/');
    const { page } = visit;
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor();
    await page.getByText('The operator of this server has set no privacy policy.').waitFor();
    await page.getByText('Nobody. This server uses no services on other hosts.').waitFor();
    await page.getByText('Your data is erased after 14 days.').waitFor();
    await page.getByText('This server sends no email, so emails are written to the log').waitFor();
    await visit.expectAccessible();
    await page.getByRole('link', { name: 'Terms' }).last().click();
    await page.getByText('The operator of this server has set no terms.').waitFor();
    await page.getByText('This server takes no payments.').waitFor();
    await visit.expectAccessible();
    for (const path of ['/register', '/account/data']) {
      const options = path === '/register' ? {} : { as: await site.app.register() };
      const other = await site.visit(path, options);
      expect(await other.page.getByRole('link', { name: 'Privacy' }).last().getAttribute('href')).toBe('/privacy');
      await other.close();
    }
    await visit.close();
    const phone = await site.visit('/privacy', { width: 390, height: 844, dark: true });
    await phone.page.getByRole('heading', { name: 'Backups' }).waitFor();
    await phone.expectAccessible();
    await phone.expectPhoneFit();
    await phone.close();
  });

  test("show the operator's own texts, without executing anything in them, and the services in use", async () => {
    const env = {
      ...{ PRIVACY_FILE: policyFile(privacy), TERMS_FILE: policyFile('## Fees\nNone.') },
      ...{ SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'lotbook@example.com', DELETION_GRACE_DAYS: '0' },
    };
    const own = await siteWithBrowser({ env });
    const visit = await own.visit('/privacy');
    const { page } = visit;
    await page.getByRole('heading', { name: 'Privacy at Example' }).waitFor();
    expect(await page.locator('strong', { hasText: 'Ohio' }).count()).toBe(1);
    await page.getByText('<script>alert(1)</script>').waitFor();
    const office = page.getByRole('link', { name: 'our office' });
    expect(await office.getAttribute('href')).toBe('mailto:privacy@example.com');
    expect(await page.getByRole('link', { name: 'this' }).count()).toBe(0);
    await page.getByText('A mail server: the emails to you.').waitFor();
    await page.getByText('Your data is erased immediately.').waitFor();
    await visit.expectAccessible();
    await page.goto(new URL('/terms', own.url).href);
    await page.getByRole('heading', { name: 'Fees' }).waitFor();
    expect(await page.getByText('has set no terms').count()).toBe(0);
    await visit.close();
    await own.close();
  });

  test('reveal services but no addresses or keys in the API', async () => {
    const app = await testApp({
      env: { KRAKEN_PRICES_URL: 'https://prices.example', ECB_RATES_URL: 'https://rates.example' },
    });
    const response = await app.request('GET', '/v1/policies');
    expect(await response.json()).toEqual({
      ...{ privacy: null, terms: null, deletionGraceDays: 14, backups: null },
      services: ['coin_prices', 'currency_rates'],
    });
    await app.close();
  });
});
