import { openBrowser } from '../../test/support/browser.ts';
import { testDatabase } from '../../test/support/database.ts';
import { walkList } from '../../test/support/long-list.ts';
import type { Measured } from './measure.ts';
import { serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

const rows = 100_000;

/**
 * Measures the list of transactions in a browser at the given number of rows: opening, scrolling, jumping, filtering
 * and editing one row.
 */
export async function benchClient(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  const browser = await openBrowser();
  try {
    const cookie = await served.register('PRO');
    await served.importCsv(cookie, tradesCsv(rows));
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: served.url }]);
    await context.addInitScript("localStorage.setItem('signedIn', 'yes')");
    const page = await context.newPage();
    // Warms up the browser's compiled code and the server's caches.
    await walkList(page, served.url, 'S4');
    const walk = await walkList(page, served.url, 'S3');
    const frames = walk.frames.toSorted((a, b) => a - b);
    const at = (share: number): number => frames[Math.floor((frames.length - 1) * share)] ?? 0;
    const what = `${rows.toLocaleString('en-US')} transactions in the browser`;
    return [
      { what: `${what}: opened`, value: walk.opened, unit: 'ms' },
      { what: `${what}: a frame while scrolling, median of ${frames.length}`, value: at(0.5), unit: 'ms' },
      { what: `${what}: the 95th of 100 frames`, value: at(0.95), unit: 'ms' },
      { what: `${what}: the longest frame`, value: at(1), unit: 'ms' },
      { what: `${what}: a jump to the middle, until its rows are there`, value: walk.jumped, unit: 'ms' },
      { what: `${what}: the address of a filter opened`, value: walk.filtered, unit: 'ms' },
      { what: `${what}: one row edited, until the list shows it`, value: walk.edited, unit: 'ms' },
      { what: `${what}: rows drawn at most`, value: walk.rowsDrawn, unit: 'rows' },
    ];
  } finally {
    await browser.close();
    await served.stop();
    await books.drop();
  }
}
