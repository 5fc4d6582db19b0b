import type { Page } from 'playwright-core';
import { until } from './until.ts';

/** The duration of a walk through a long list, in milliseconds, and the highest number of rows in the page. */
export interface ListWalk {
  readonly opened: number;
  readonly frames: readonly number[];
  readonly jumped: number;
  readonly filtered: number;
  readonly edited: number;
  readonly rowsDrawn: number;
  readonly shown: ShownRows;
}

/** The contents of the screen as read by a user. */
interface ShownRows {
  /** Above all transactions, and above the filtered ones. */
  readonly counts: readonly [all: string, filtered: string];
  /** At the top, in the middle and at the end of the list. */
  readonly all: readonly ShownRow[];
  readonly filtered: readonly string[];
  readonly edited: string;
}

interface ShownRow {
  /** Counted from 0, including day headings. */
  readonly item: number;
  readonly text: string;
}

/** Opens the list of a signed-in user, scrolls, jumps to its middle and its end, filters, and edits a row. */
export async function walkList(page: Page, url: string, asset: string): Promise<ListWalk> {
  const drawn: number[] = [];
  const look = async (): Promise<void> => void drawn.push(await page.locator('tbody tr').count());
  const rows = page.locator('[data-item]');
  const readCount = async (pattern: RegExp) => (await page.getByText(pattern).first().textContent()) ?? '';
  const opened = await createTime(async () => {
    await page.goto(new URL('/transactions?years=all', url).href);
    await rows.first().waitFor();
  });
  await look();
  const count = await readCount(/^[\d,]+ transactions$/);
  const first = await shownAt(page, 0.5);
  const frames = await fetchFrames(page);
  await look();
  const jumped = await createTime(async () => {
    await scrollTo(page, 0.5);
    await rowsInWindow(page);
  });
  await look();
  const inMiddle = await shownAt(page, 0.5);
  await scrollTo(page, 1);
  await rowsInWindow(page);
  await look();
  const all = [first, inMiddle, await shownAt(page, 1)];
  const filtered = await createTime(async () => {
    await page.goto(new URL(`/transactions?years=all&asset=${asset}`, url).href);
    await rows.first().waitFor();
  });
  const counts = [count, await readCount(/^[\d,]+ transactions found$/)] as const;
  const ofFilter = await rows.evaluateAll(textsOf);
  const edit = page.getByRole('button', { name: 'Edit' });
  // An event of the import can reload the list at the moment of the click.
  await until('the row is open', async () => {
    if (await edit.isVisible()) return true;
    await rows.first().click();
    return edit.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  await edit.click();
  await page.getByLabel('Fee', { exact: true }).first().fill('7.77');
  const changed = rows.filter({ hasText: '$7.77' });
  const edited = await createTime(async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await changed.waitFor();
  });
  const [said = ''] = await changed.evaluateAll(textsOf);
  const shown = { counts, all, filtered: ofFilter, edited: said };
  return { opened, frames, jumped, filtered, edited, rowsDrawn: Math.max(...drawn), shown };
}

/** Returns the timings of a walk as text. */
export function walkText({ frames, opened, jumped, filtered, edited, rowsDrawn }: Omit<ListWalk, 'shown'>): string {
  const times = Object.entries({ opened, jumped, filtered, edited }).map(([what, ms]) => `${what} ${ms.toFixed(0)} ms`);
  return [...times, `at most ${rowsDrawn} rows drawn`, framesText(frames)].join(', ');
}

/** Returns text such as `120 frames, median 16.7 ms, 95th 17.1 ms, longest 33 ms`. */
function framesText(frames: readonly number[]): string {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `${frames.length} frames, median ${at(0.5)} ms, 95th ${at(0.95)} ms, longest ${at(1)} ms`;
}

async function createTime(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Scrolls by 60 pixels per frame for two seconds. */
function fetchFrames(page: Page): Promise<number[]> {
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

/**
 * Returns the row at a fraction of the window's height. If no row is there, returns the next one below, or the one
 * above at the end.
 */
function shownAt(page: Page, share: number): Promise<ShownRow> {
  return page.evaluate((part) => {
    const { innerHeight } = window;
    for (let y = innerHeight * part; y >= 0 && y <= innerHeight; y += part < 1 ? 10 : -10) {
      const row = document.elementFromPoint(window.innerWidth / 2, y)?.closest('tr');
      if (row instanceof HTMLTableRowElement && row.dataset.item !== undefined)
        return { item: Number(row.dataset.item), text: [...row.cells].map((cell) => cell.textContent).join(' ') };
    }
    throw new Error('No row is on the screen.');
  }, share);
}

/** Runs in the page and returns the cell texts of each row. */
function textsOf(rows: readonly Element[]): string[] {
  return rows.map((row) => [...row.children].map((cell) => cell.textContent).join(' '));
}

/** Waits until the rows in the window are loaded. */
async function rowsInWindow(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const row = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest('tr') ?? null;
    return row !== null && document.querySelector('.row-to-come') === null;
  });
}
