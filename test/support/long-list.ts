import type { Page } from 'playwright-core';

/** What a walk through a long list cost, in milliseconds, and how many rows were in the page at most. */
export interface ListWalk {
  readonly opened: number;
  readonly frames: readonly number[];
  readonly jumped: number;
  readonly filtered: number;
  readonly edited: number;
  readonly rowsDrawn: number;
}

/** Opens the list of a person who is signed in, scrolls, jumps to its middle and its end, filters, and edits a row. */
export async function walkList(page: Page, url: string, asset: string): Promise<ListWalk> {
  const drawn: number[] = [];
  const look = async (): Promise<void> => void drawn.push(await page.locator('tbody tr').count());
  const opened = await timeOf(async () => {
    await page.goto(new URL('/transactions', url).href);
    await page.locator('[data-item]').first().waitFor();
  });
  await look();
  const frames = await framesOf(page);
  await look();
  const jumped = await timeOf(async () => {
    await scrollTo(page, 0.5);
    await rowsInWindow(page);
  });
  await look();
  await scrollTo(page, 1);
  await rowsInWindow(page);
  await look();
  const filtered = await timeOf(async () => {
    await page.goto(new URL(`/transactions?asset=${asset}`, url).href);
    await page.locator('[data-item]').first().waitFor();
  });
  await page.locator('[data-item]').first().click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Fee', { exact: true }).first().fill('7.77');
  const edited = await timeOf(async () => {
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('$7.77').waitFor();
  });
  return { opened, frames, jumped, filtered, edited, rowsDrawn: Math.max(...drawn) };
}

/** `median 16.7 ms, 95th 17.1 ms, longest 33 ms`. */
export function framesText(frames: readonly number[]): string {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `${frames.length} frames, median ${at(0.5)} ms, 95th ${at(0.95)} ms, longest ${at(1)} ms`;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Scrolls on by 60 pixels a frame for two seconds. */
function framesOf(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const started = performance.now();
        let last = started;
        const step = (now: number): void => {
          frames.push(now - last);
          last = now;
          window.scrollBy(0, 60);
          if (now - started > 2_000) resolve(frames.slice(1));
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
}

async function scrollTo(page: Page, share: number): Promise<void> {
  await page.evaluate((part) => window.scrollTo(0, document.documentElement.scrollHeight * part), share);
}

/** Until the rows in the window are read. */
async function rowsInWindow(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const row = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest('tr');
    return row !== null && row !== undefined && row.querySelector('.row-to-come') === null;
  });
}
