import { Refusal } from '../base/refusal.ts';

/** A request waits so long for a free connection. Then it is refused as overloaded. */
const waitMilliseconds = 15_000;
/** More requests than this would not be served in time anyway. */
const waitingMax = 1_000;

/**
 * Lets so many through at once. The others wait in a queue, for a limited time: postgres.js itself waits for ever
 * where its pool is full.
 */
export function openGate(placesMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = placesMax;
  const waiting = new Set<() => void>();

  const enter = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    if (waiting.size >= waitingMax) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        waiting.delete(admit);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(overloaded());
      }, waitMilliseconds);
      waiting.add(admit);
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'Too many requests at once. Try again soon.', { retryAfterSeconds: 5 });
}
