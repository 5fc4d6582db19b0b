import type { CDPSession, Page } from 'playwright-core';
import { ofAllYears, ofYear, tools } from '../../src/web/destinations.ts';

/** What a page holds after garbage collection. */
interface Held {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

interface Use {
  /** Measured after every page was opened once, so that the code of the pages is loaded. */
  readonly first: Held;
  readonly last: Held;
  readonly rounds: number;
}

/** Goes through the pages in the navigation for several minutes as a user does: opens, scrolls, searches. */
export async function browsePages(page: Page, session: CDPSession, minutes: number): Promise<Use> {
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  await round(page);
  const first = await held(session);
  const until = performance.now() + minutes * 60_000;
  let rounds = 0;
  while (performance.now() < until) {
    await round(page);
    rounds += 1;
  }
  return { first, last: await held(session), rounds };
}

const entries = [...ofYear, ...ofAllYears, ...tools];

/** Ends on the page where it started so that each measurement shows the same page. */
async function round(page: Page): Promise<void> {
  for (const { label, href } of [...entries, ...entries.slice(0, 1)]) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: label }).first().click();
    await page.waitForURL((url) => url.pathname.startsWith(href));
    await page.waitForLoadState('networkidle').catch(() => undefined);
    for (let turn = 0; turn < 5; turn++) {
      await page.mouse.move(640, 500);
      await page.mouse.wheel(0, 1_500);
      await page.waitForTimeout(120);
    }
  }
}

async function held(session: CDPSession): Promise<Held> {
  // Collects twice because objects that only finalizers release are gone after the second time.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}
