import { expect } from 'bun:test';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { AppOptions } from '../../src/app.ts';
import { createSite } from '../../src/web/index.ts';
import { type TestApp, type TestAppOptions, type TestClient, testApp } from './app.ts';
import { sharedBrowser } from './browser.ts';

/** The whole site on its own port, and the browser of this process. */
export interface Site {
  readonly app: TestApp;
  readonly browser: Browser;
  readonly url: string;
  /** A separate tab, without a session or signed in as a user. Its `close` expects no errors in it. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

interface VisitOptions {
  readonly as?: Pick<TestClient, 'cookie'>;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** The browser's time zone, such as `America/New_York`. */
  readonly timeZone?: string;
  /** Allowed console messages: a refusal that the test triggers. */
  readonly expectedErrors?: readonly RegExp[];
  /** Another origin that the site may use, such as a sign-in provider. */
  readonly expectedHosts?: readonly string[];
}

/** A busy machine may need this long to show an element, and a test may take longer (preload.ts). */
const pageMilliseconds = 120_000;

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Expects no violation of WCAG 2.2 AA on the current page. */
  expectAccessible(): Promise<void>;
  /** Expects that neither the page nor a table in it scrolls sideways on a phone. */
  expectPhoneFit(): Promise<void>;
  /**
   * Expects no error in the console, no request to another host, and nothing blocked by the content security policy.
   */
  close(): Promise<void>;
}

export async function siteWithBrowser({ endpoints, ...options }: TestAppOptions & AppOptions = {}): Promise<Site> {
  // The address is known once the server listens. The site needs it, because providers redirect the browser to it.
  let site: ReturnType<typeof createSite> | undefined;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request) => site?.fetch(request) ?? new Response(null, { status: 503 }),
  });
  // Uses the host name, because a numeric address cannot have passkeys.
  const url = new URL(`http://localhost:${server.port}`);
  const app = await testApp({ ...options, env: { BASE_URL: url.origin, ...options.env } });
  site = createSite(app.deps, endpoints === undefined ? {} : { endpoints });
  const browser = await sharedBrowser();
  return {
    app,
    browser,
    url: url.href,
    visit: (path, visitOptions = {}) => visited(browser, new URL(path, url), visitOptions),
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await server.stop(true);
      await app.close();
    },
  };
}

/** Adds a device to the page that keeps passkeys and verifies its user. */
export async function virtualAuthenticator(page: Page): Promise<{ refuse(isRefused: boolean): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Makes the device refuse to verify the user. */
    refuse: async (isRefused) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused });
    },
  };
}

/**
 * Runs axe within the page, with all rules or the given ones. By default, axe finishes in a second page, which no page
 * without frames needs, and describes every element that passes, which takes longer than to check it.
 */
export async function fetchViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules === undefined ? axe : axe.withRules([...rules])).analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
}

async function visited(browser: Browser, url: URL, options: VisitOptions): Promise<Visit> {
  const { as, width = 1280, height = 800, dark = false, expectedErrors = [], expectedHosts = [] } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
  });
  if (as !== undefined) {
    const [name = '', value = ''] = as.cookie.split('=');
    await context.addCookies([{ name, value, url: url.origin }]);
    await context.addInitScript("localStorage.setItem('signedIn', 'yes')");
  }
  const page = await context.newPage();
  page.setDefaultTimeout(pageMilliseconds);
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url.href);
  return {
    page,
    context,
    expectAccessible: async () => {
      expect(await fetchViolations(page)).toEqual([]);
    },
    expectPhoneFit: async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.scroll')]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => box.getAttribute('aria-label') ?? box.textContent),
      );
      expect(wide).toEqual([]);
      await page.setViewportSize({ width, height });
    },
    close: async () => {
      await context.close();
      expect(complaints.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([]);
      expect([...hosts].filter((host) => !expectedHosts.includes(host))).toEqual([url.host]);
    },
  };
}
