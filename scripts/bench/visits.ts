import type { Browser, CDPSession, Page } from 'playwright-core';
import { buildClient } from '../../src/web/files/build.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { testDatabase } from '../../test/support/database.ts';
import type { Measured } from './measure.ts';
import { serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';
import { browsePages } from './use.ts';

const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const minutes = Number(process.env.BENCH_MINUTES ?? 10);
const visits = 5;
/** The slowdown that makes this machine comparable to a mid-range phone. */
const throttling = 4;
/** The compression that the binary uses. */
const brotliQuality = 11;

/** An element that appears once the page can be used. */
const usable = {
  '/': '.start .button.primary',
  '/overview?year=2024': 'a.figure',
  '/transactions?years=all': '.list-body .amount',
} as const;
type MeasuredPath = keyof typeof usable;

/**
 * Opens and uses the web client in a real browser, with its processor slowed down four times, in an account with many
 * rows.
 */
export async function benchVisits(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  const browser = await openBrowser();
  try {
    const cookie = await served.register('PRO');
    await served.importCsv(cookie, tradesCsv(rows));
    const visitor = { browser, url: served.url, cookie };
    const count = rows.toLocaleString('en-US');
    const first = await opened({ ...visitor, cookie: null }, '/');
    const year = await opened(visitor, '/overview?year=2024');
    const transactions = await opened(visitor, '/transactions?years=all');
    const slow = `processor ${throttling} × slower`;
    return [
      { what: 'web client, first load of the first page, brotli', value: first.bytes / 1000, unit: 'kB' },
      { what: 'the same of the year', value: year.bytes / 1000, unit: 'kB' },
      { what: `first paint of the first page, ${slow}`, value: first.painted, unit: 'ms' },
      { what: 'until it can be used', value: first.usable, unit: 'ms' },
      { what: `the year of ${count} rows, opened by its address, ${slow}`, value: year.usable, unit: 'ms' },
      { what: 'the transactions, opened by their address', value: transactions.usable, unit: 'ms' },
      ...(await worked(visitor)),
    ];
  } finally {
    await browser.close();
    await served.stop();
    await books.drop();
  }
}

interface Visitor {
  readonly browser: Browser;
  readonly url: string;
  /** Null if no user is signed in. */
  readonly cookie: string | null;
}

interface Opened {
  readonly bytes: number;
  readonly painted: number;
  readonly usable: number;
}

/** Returns the median of several visits, each with an empty cache. */
async function opened(visitor: Visitor, path: MeasuredPath): Promise<Opened> {
  const all: Opened[] = [];
  for (let visit = 0; visit < visits; visit++) all.push(await openOnce(visitor, path));
  const middle = (figure: keyof Opened): number =>
    all.map((each) => each[figure]).sort((a, b) => a - b)[Math.floor(visits / 2)] ?? 0;
  return { bytes: middle('bytes'), painted: middle('painted'), usable: middle('usable') };
}

async function openOnce(visitor: Visitor, path: MeasuredPath): Promise<Opened> {
  const { page } = await tab(visitor);
  try {
    await page.addInitScript(watchFor, usable[path]);
    await page.goto(new URL(path, visitor.url).href);
    const { painted, seen, busyUntil, files } = await measureTimes(page);
    const bytes = await compressedBytes(files);
    return { bytes, painted, usable: Math.max(painted, seen, busyUntil) };
  } finally {
    await page.context().close();
  }
}

async function tab({ browser, url, cookie }: Visitor): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  if (cookie !== null) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    await context.addInitScript("localStorage.setItem('signedIn', 'yes')");
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttling });
  return { page, session };
}

/** Runs in the page before its own scripts. Marks when the element is drawn, and until when the thread was busy. */
function watchFor(selector: string): void {
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      performance.mark('busy', { startTime: startTime + duration });
    }
  }).observe({ type: 'longtask', buffered: true });
  const look = (): void => {
    if (document.querySelector(selector) === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => performance.mark('seen'));
  };
  requestAnimationFrame(look);
}

interface Times {
  readonly painted: number;
  readonly seen: number;
  readonly busyUntil: number;
  readonly files: readonly string[];
}

const settlingMilliseconds = 1_000;
const readingMilliseconds = 250;
const patienceMilliseconds = 60_000;

/** Returns the times once the element has been there for a while. */
async function measureTimes(page: Page): Promise<Times> {
  const until = performance.now() + patienceMilliseconds;
  while (performance.now() < until) {
    // Polls instead of waiting for a function because that evaluates text, which the content security policy forbids.
    const times = await page.evaluate(readTimes, settlingMilliseconds);
    if (times !== null) return times;
    await Bun.sleep(readingMilliseconds);
  }
  throw new Error(`${page.url()} did not become usable.`);
}

/** This function runs in the page. */
function readTimes(settling: number): Times | null {
  const seen = performance.getEntriesByName('seen')[0]?.startTime;
  if (seen === undefined || performance.now() < seen + settling) return null;
  return {
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    seen,
    busyUntil: performance.getEntriesByName('busy').at(-1)?.startTime ?? 0,
    files: performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  };
}

/** Returns the size of the page and of the files that the browser requested, as stored in the binary. */
async function compressedBytes(files: readonly string[]): Promise<number> {
  built ??= buildClient(brotliQuality);
  const { index, files: all } = await built;
  const loaded = [index, ...all.filter(({ path }) => files.includes(path))];
  return loaded.reduce((sum, { bodies }) => sum + bodies.br.length, 0);
}

let built: ReturnType<typeof buildClient> | undefined;

/** Uses the page for several minutes without a reload and compares its memory before and after. */
async function worked(visitor: Visitor): Promise<Measured[]> {
  const { page, session } = await tab(visitor);
  await page.goto(new URL('/overview?year=2024', visitor.url).href);
  const { first, last, rounds } = await browsePages(page, session, minutes);
  await page.context().close();
  const during = `${minutes} minutes of use, ${rounds} rounds through the pages`;
  return [
    {
      what: `memory of the page's scripts after every page was opened once`,
      value: first.heap / 1_000_000,
      unit: 'MB',
    },
    { what: `the same after ${during}`, value: last.heap / 1_000_000, unit: 'MB' },
    { what: 'its nodes then, against before', value: last.nodes / first.nodes, unit: '×' },
    { what: 'its listeners then, against before', value: last.listeners / first.listeners, unit: '×' },
  ];
}
