import { afterAll, beforeAll, expect, test } from 'bun:test';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { stripeBilling } from '../../src/features/billing/stripe.ts';
import { pages } from '../../src/web/pages.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { fetchSitePages, type SitePage, untilRead } from '../support/site-pages.ts';
import { type StripeStandIn, startStripe } from '../support/stripe.ts';

let stripe: StripeStandIn;
let site: Site;
let places: readonly SitePage[];
beforeAll(async () => {
  stripe = startStripe();
  const providers = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
  site = await siteWithBrowser({ billing: stripeBilling(stripe.billing), env: providers });
  const all = await fetchSitePages(site.app);
  places = all.places.filter(({ as }) => as !== all.people.newcomer);
}, 60_000);
afterAll(async () => {
  await site.close();
  stripe.close();
});

/** Returns true if the address belongs to the page. A parameter has any value, or is left out if optional. */
function isOf(page: string, { path }: SitePage): boolean {
  const pattern = page.replaceAll(/\/:\w+\?/g, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.replace(/[?#].*/, ''));
}

test('every page in the table is among the places', () => {
  const missing = pages.filter(({ path }) => !places.some((sitePage) => isOf(path, sitePage)));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test('every page is accessible, light and dark, and fits a phone', async () => {
  const found: string[] = [];
  // A tab for each user, which opens one page after another.
  const tabs = Map.groupBy(places, ({ as }) => as).entries();
  for (const [as, theirs] of tabs) {
    const { page, context } = await site.visit('/docs', as === undefined ? {} : { as });
    for (const { name, path } of theirs) {
      await page.goto(new URL(path, site.url).href);
      found.push(...(await fetchFaults(page)).map((fault) => `${name}: ${fault}`));
    }
    await context.close();
  }
  expect(found).toEqual([]);
}, 400_000);

async function fetchFaults(page: Page): Promise<string[]> {
  await untilRead(page);
  const light = await readViolations(new AxeBuilder({ page }));
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await readViolations(new AxeBuilder({ page }).withRules('color-contrast'));
  await page.setViewportSize({ width: 360, height: 740 });
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.scroll:has(> .stacked)')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((table) => `the cards of ${table.getAttribute('aria-label')} scroll`),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  return [
    ...light,
    ...dark.map((fault) => `dark, ${fault}`),
    ...(extra > 0 ? [`${extra} px wider than a phone`] : []),
    ...wide,
  ];
}

/** Runs axe within the page. By default it finishes in a second page, which none of these pages needs. */
async function readViolations(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
}
