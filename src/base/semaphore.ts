import { Refusal } from './refusal.ts';

interface SemaphoreLimits {
  /** Maximum number of tasks that run at once. */
  readonly placesMax: number;
  /** Maximum number of running tasks for one key. */
  readonly placesPerKeyMax?: number;
  /** Maximum number of queued tasks. By default, more would not run in time anyway. */
  readonly waitingMax?: number;
  /** Maximum number of queued tasks for one key. Further tasks are refused as overloaded. */
  readonly waitingPerKeyMax?: number;
  /** Maximum time in the queue, 15 seconds by default. After that, a task is refused as overloaded. */
  readonly waitMilliseconds?: number;
  /** The error for a refused task. */
  readonly overloaded?: () => Refusal;
}

/** Runs a task for a key, such as a taxpayer, that must not block other keys. */
export interface Semaphore {
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Waits for a place, which is taken until the returned function is called. An abort ends the wait. */
  enter(key: string, signal?: AbortSignal): Promise<() => void>;
}

/**
 * Limits concurrent tasks. Further tasks wait for a limited time. Keys take turns, so a key with many tasks does not
 * delay other keys.
 */
export function openSemaphore(limits: SemaphoreLimits): Semaphore {
  const { placesMax, placesPerKeyMax = placesMax, waitingMax = 1_000, waitMilliseconds = 15_000 } = limits;
  const { waitingPerKeyMax = waitingMax, overloaded = tooManyAtOnce } = limits;
  const running = new Map<string, number>();
  /** Queued tasks by key, in the order of the keys' turns. */
  const waiting = new Map<string, Set<() => void>>();
  let free = placesMax;
  let waitingCount = 0;

  const hasFreeSlot = (key: string): boolean => free > 0 && (running.get(key) ?? 0) < placesPerKeyMax;

  const take = (key: string): (() => void) => {
    free -= 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    return () => leave(key);
  };

  const enter = async (key: string, signal?: AbortSignal): Promise<() => void> => {
    signal?.throwIfAborted();
    if (hasFreeSlot(key)) return take(key);
    const waiters = waiting.get(key) ?? new Set();
    if (waitingCount >= waitingMax || waiters.size >= waitingPerKeyMax) throw overloaded();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      waitingCount -= 1;
      waiters.delete(admit);
      if (waiters.size === 0) waiting.delete(key);
    };
    const admit = (): void => {
      stopWaiting();
      resolve(take(key));
    };
    const refuse = (error: unknown): void => {
      stopWaiting();
      reject(error);
    };
    const abort = (): void => refuse(signal?.reason);
    const timer = Number.isFinite(waitMilliseconds)
      ? setTimeout(() => refuse(overloaded()), waitMilliseconds)
      : undefined;
    signal?.addEventListener('abort', abort);
    waiters.add(admit);
    waiting.set(key, waiters);
    waitingCount += 1;
    return promise;
  };

  const leave = (key: string): void => {
    free += 1;
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    const next = [...waiting].find(([one]) => hasFreeSlot(one));
    if (next === undefined) return;
    const [turn, own] = next;
    // Moves the key to the end, so that the other keys come before its next task.
    waiting.delete(turn);
    waiting.set(turn, own);
    const [admit] = own;
    admit?.();
  };

  const run = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const end = await enter(key);
    try {
      return await work();
    } finally {
      end();
    }
  };
  return Object.assign(run, { enter });
}

function tooManyAtOnce(): Refusal {
  return new Refusal('overloaded', 'Too many requests at once. Wait a moment, then try again.', {
    retryAfterSeconds: 5,
  });
}
