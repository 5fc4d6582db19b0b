import { edenGC, fullGC } from 'bun:jsc';

/** What a step of work may leave on the heap before it is asked for back. */
const heapBytesMax = 200_000_000;

/**
 * Frees what nothing holds any more once there is much of it, between two steps of work that each leave megabytes
 * behind. Left to itself the heap of a million rows grows to a gigabyte and more.
 */
export function collectGarbage(from = heapBytesMax): void {
  if (process.memoryUsage().heapUsed > from) Bun.gc(true);
}

/** In a Worker collections hold up no request: there what a step has left is asked for back at once. */
export function collectInWorker(): void {
  if (!Bun.isMainThread) collectGarbage(heapBytesInWorker);
}

const heapBytesInWorker = 40_000_000;

/**
 * Finds what nothing holds any more, for the next step to take its room: less to do than `collectGarbage`, whose room the
 * system is asked for again at once. `young`: only among what was made since the last time.
 */
export function reuseGarbage(which: 'all' | 'young' = 'all'): void {
  if (which === 'all') fullGC();
  else edenGC();
}
