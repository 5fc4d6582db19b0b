import { sleepUnless } from './deadline.ts';

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
