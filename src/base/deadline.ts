/** Waits for work that may never end, and throws after the deadline. The work continues, and its result is ignored. */
export function withDeadline<Value>(work: Promise<Value>, milliseconds: number, otherwise: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Waits until all work has ended, and then throws the first error. Unlike with `Promise.all`, none of it is still running
 * after an error, for example in a transaction that is rolled back.
 */
export async function allEnded<const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as { -readonly [Index in keyof Work]: Awaited<Work[Index]> };
}

/** Sleeps for the given time, or until the signal aborts. */
export function sleepUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const done = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, milliseconds);
  signal.addEventListener('abort', done);
  return promise;
}

/** The pause before the second try. Each further pause is twice as long, up to `millisecondsMax`. */
interface RetryPauses {
  readonly millisecondsMin: number;
  readonly millisecondsMax: number;
}

/** For work that waits for the database, which often recovers within seconds. */
const databasePauses: RetryPauses = { millisecondsMin: 500, millisecondsMax: 10_000 };

/** Retries until the work succeeds or the signal aborts. Reports each failure with the pause that follows. */
export async function retryUntilDone(
  ended: AbortSignal,
  work: () => Promise<unknown>,
  report: (error: unknown, pauseSeconds: number) => void,
  { millisecondsMin, millisecondsMax }: RetryPauses = databasePauses,
): Promise<void> {
  for (let pause = millisecondsMin; !ended.aborted; pause = Math.min(2 * pause, millisecondsMax)) {
    try {
      await work();
      return;
    } catch (error) {
      if (ended.aborted) return;
      report(error, pause / 1000);
    }
    await sleepUnless(ended, pause);
  }
}

let last: Promise<void> = Promise.resolve();

/**
 * Gives other requests a turn of the event loop. Long work calls it between its parts. Only one caller continues in
 * each turn, so another request waits for only one part of such work at a time. The order of the turns belongs to the
 * thread, like the event loop, so it is stored in the module.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
