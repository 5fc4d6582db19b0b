import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { stripeBilling } from '../../src/features/people/billing/stripe.ts';
import { pages } from '../../src/web/pages.ts';
import { connect, syncDue } from '../support/connections.ts';
import { isDeep } from '../support/depth.ts';
import { type KrakenStandIn, startKraken } from '../support/exchanges.ts';
import { fetchViolations, type Site, siteWithBrowser } from '../support/site.ts';
import { fetchSitePages, type SitePage, untilRead } from '../support/site-pages.ts';
import { type StripeStandIn, startStripe } from '../support/stripe.ts';

let stripe: StripeStandIn;
let kraken: KrakenStandIn;
let site: Site;
let places: readonly SitePage[];
beforeAll(async () => {
  stripe = startStripe();
  kraken = startKraken();
  const providers = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', KRAKEN_SYNC_URL: kraken.url };
  site = await siteWithBrowser({ billing: stripeBilling(stripe.billing), env: providers });
  const all = await fetchSitePages(site.app);
  await connect(all.people.owner, 'kraken', kraken);
  await syncDue(site.app);
  places = all.places.filter(({ as }) => as !== all.people.newcomer);
});
afterAll(async () => {
  await site.close();
  stripe.close();
  kraken.close();
});

/** A tab opens here before its first page, because this address loads nothing else. */
const plainPath = '/livez';

/** Returns true if the address belongs to the page. A parameter has any value, or is left out if optional. */
function isOf(page: string, { path }: SitePage): boolean {
  const pattern = page.replaceAll(/\/:\w+\?/g, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.replace(/[?#].*/, ''));
}

test('every page in the table is among the places', () => {
  const missing = pages.filter(({ path }) => !places.some((sitePage) => isOf(path, sitePage)));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

/** Each part opens some of the pages, so that no test takes minutes on a busy machine. */
const parts = [1, 2, 3, 4, 5, 6];

test.each(parts)(
  'every page is accessible, light and dark, and fits a phone and a zoom of 200%: part %i',
  async (part) => {
    const found: string[] = [];
    // A tab for each user, which opens one page after another.
    const tabs = Map.groupBy(
      places.filter((_, at) => at % parts.length === part - 1),
      ({ as }) => as,
    );
    for (const [as, theirs] of tabs) {
      const { page, context } = await site.visit(plainPath, as === undefined ? {} : { as });
      for (const { name, path } of theirs) {
        await page.goto(new URL(path, site.url).href);
        found.push(...(await fetchFaults(page)).map((fault) => `${name}: ${fault}`));
      }
      await context.close();
    }
    expect(found).toEqual([]);
  },
);

async function fetchFaults(page: Page): Promise<string[]> {
  await untilRead(page);
  const light = await fetchViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await fetchViolations(page, ['color-contrast']);
  await page.setViewportSize({ width: 360, height: 740 });
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.scroll:has(> .stacked)')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((table) => `the cards of ${table.getAttribute('aria-label')} scroll`),
  );
  const zoomed = await fetchZoomFaults(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  return [
    ...light,
    ...dark.map((fault) => `dark, ${fault}`),
    ...(extra > 0 ? [`${extra} px wider than a phone`] : []),
    ...wide,
    ...zoomed,
  ];
}

/** Shows the page as a window of 1280 × 800 does at 200%, and returns what is wider than it, or cut off. */
async function fetchZoomFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const size = { width: 640, height: 400, deviceScaleFactor: 2, mobile: false };
  await session.send('Emulation.setDeviceMetricsOverride', size);
  await page.waitForFunction(() => devicePixelRatio === 2 && innerWidth === 640);
  const faults = await page.evaluate(() => {
    const extra = document.documentElement.scrollWidth - innerWidth;
    const cut = [...document.querySelectorAll('button, a.button, input, select, summary, h1, h2')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      // A table that scrolls by itself may be wider than the page.
      if (width === 0 || !element.checkVisibility() || element.closest('.scroll, .visually-hidden, .skip'))
        return false;
      const isClipped = element.matches('button, a.button') && element.scrollWidth > element.clientWidth + 1;
      return left < 0 || right > innerWidth + 1 || isClipped;
    });
    const names = cut.map((element) => `${element.outerHTML.slice(0, 120)} is cut off at 200%`);
    return extra > 0 ? [`${extra} px too wide at 200%`, ...names] : names;
  });
  await session.detach();
  return faults;
}

test('pages wait with a mark and without an error if requests are slow, and heal after a lost connection', async () => {
  const found: string[] = [];
  // Most of the time is spent waiting, so that several tabs work at once.
  const all = places.filter(({ as, name }) => as !== undefined && name !== 'invitation');
  // The parts that load and fail are the same on all pages.
  const queue = all.filter((_, at) => isDeep || at % 3 === 0);
  const work = async () => {
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      const { name } = place;
      found.push(...(await fetchConditionFaults(place)).map((fault) => `${name}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  expect(found).toEqual([]);
});

async function fetchConditionFaults({ path, as }: SitePage): Promise<string[]> {
  const visit = await site.visit(plainPath, { ...(as === undefined ? {} : { as }), expectedErrors: [/net::ERR_/] });
  const { page, context } = visit;
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  const line = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await page.goto(new URL(path, site.url).href);
  await untilRead(page);
  const slow = await page.evaluate(() => window.watched);
  await session.send('Network.emulateNetworkConditions', { ...line, latency: 0 });
  // The user is known, and nothing else can be read.
  await page.route('**/v1/**', (route) =>
    route.request().url().endsWith('/v1/account') ? route.continue() : route.abort('internetdisconnected'),
  );
  await page.reload();
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor();
  const offline = page.getByText(/Check your connection|You're offline/).first();
  const isSaid = await happens(offline.waitFor({ timeout: 120_000 }));
  await page.unroute('**/v1/**');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  const heals = await happens(
    page.waitForFunction(
      () => document.querySelector('h1') !== null && document.querySelector('[role=alert], .waiting') === null,
      null,
      { timeout: 120_000 },
    ),
  );
  await visit.close();
  return [
    ...slow.alerts.map((text) => `shows “${text}” while it is slow`),
    ...(slow.hasWaited ? [] : ['has no mark while it is slow']),
    ...(isSaid ? [] : ['does not say that it is offline']),
    ...(heals ? [] : ['does not heal']),
  ];
}

function happens(event: Promise<unknown>): Promise<boolean> {
  return event.then(
    () => true,
    () => false,
  );
}

declare global {
  interface Window {
    watched: { hasWaited: boolean; alerts: string[] };
  }
}

/** Runs in the page: notes waiting marks and errors, however short they are shown. */
function watch() {
  window.watched = { hasWaited: false, alerts: [] };
  new MutationObserver(() => {
    if (document.querySelector('.waiting, [aria-busy=true]') !== null) window.watched.hasWaited = true;
    for (const { textContent } of document.querySelectorAll('[role=alert]')) window.watched.alerts.push(textContent);
  }).observe(document, { childList: true, subtree: true, attributes: true });
}
