import { Refusal } from './refusal.ts';

export interface GateLimits {
  /** Maximum number of tasks that run at once. */
  readonly placesMax: number;
  /** Maximum number of running tasks for one key. */
  readonly placesPerKeyMax?: number;
  /** Maximum number of queued tasks for one key. Further tasks are refused as overloaded. */
  readonly waitingPerKeyMax?: number;
  readonly waitMilliseconds?: number;
}

/** Runs a task for a key, such as a taxpayer, that must not block other keys. */
export type Gate = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Maximum time in the queue. After that, a task is refused as overloaded. */
const waitMillisecondsDefault = 15_000;
/** More tasks than this would not run in time anyway. */
const waitingMax = 1_000;

/**
 * Limits concurrent tasks. Further tasks wait for a limited time. Keys take turns, so a key with many tasks does not
 * delay other keys.
 */
export function openGate(limits: GateLimits): Gate {
  const { placesMax, waitMilliseconds = waitMillisecondsDefault, waitingPerKeyMax = waitingMax } = limits;
  const placesPerKeyMax = limits.placesPerKeyMax ?? placesMax;
  const running = new Map<string, number>();
  /** Queued tasks by key, in the order of the keys' turns. */
  const waiting = new Map<string, Set<() => void>>();
  let free = placesMax;
  let waitingCount = 0;

  const hasFreeSlot = (key: string): boolean => free > 0 && (running.get(key) ?? 0) < placesPerKeyMax;

  const take = (key: string): void => {
    free -= 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };

  const enter = (key: string): Promise<void> => {
    if (hasFreeSlot(key)) {
      take(key);
      return Promise.resolve();
    }
    const waiters = waiting.get(key) ?? new Set();
    if (waitingCount >= waitingMax || waiters.size >= waitingPerKeyMax) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        waitingCount -= 1;
        waiters.delete(admit);
        if (waiters.size === 0) waiting.delete(key);
      };
      const admit = (): void => {
        stopWaiting();
        take(key);
        resolve();
      };
      const timer = setTimeout(() => {
        stopWaiting();
        reject(overloaded());
      }, waitMilliseconds);
      waiters.add(admit);
      waiting.set(key, waiters);
      waitingCount += 1;
    });
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

  return async (key, work) => {
    await enter(key);
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'Too many requests at once. Wait a moment, then try again.', {
    retryAfterSeconds: 5,
  });
}
