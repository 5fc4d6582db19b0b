import { sleepUnless } from '../base/deadline.ts';
import { hasProc } from '../base/processes.ts';
import { isAlive, type RunningServer } from './postgres-server.ts';

/** Reports an event of the server to its operator. */
export type ReportEvent = (event: string, fields: Readonly<Record<string, string | number>>) => void;

interface Watch {
  /** Stops watching, so no server is started any more. Returns the running server, if any. */
  end(): Promise<RunningServer | null>;
  /** Seconds since the server ended, or 0 while it runs. */
  secondsAway(): number;
}

const lookMilliseconds = hasProc ? 250 : 2_000;
const pauseMillisecondsMin = 1_000;
const pauseMillisecondsMax = 10_000;
/** A server that ran for this long started successfully, so the pause before the next start is short again. */
const soundMilliseconds = 60_000;

/**
 * Restarts the server whenever it ends. On a full disk PostgreSQL exits permanently, and nothing else would start it
 * once there is space. When its signal aborts, `start` stops and leaves nothing running.
 */
export function keepRunning(
  first: RunningServer,
  start: (ending: AbortSignal) => Promise<RunningServer>,
  report: ReportEvent,
): Watch {
  const ending = new AbortController();
  let server: RunningServer | null = first;
  let startedAt = performance.now();
  let endedAt = startedAt;
  let pause = pauseMillisecondsMin;

  const startAgain = async (): Promise<void> => {
    if (performance.now() - startedAt > soundMilliseconds) pause = pauseMillisecondsMin;
    startedAt = performance.now();
    try {
      server = await start(ending.signal);
      report('PostgreSQL was started again', { process: server.pid });
    } catch (error) {
      if (ending.signal.aborted) return;
      report('PostgreSQL was not started again', {
        reason: error instanceof Error ? error.message : String(error),
        nextTrySeconds: pause / 1000,
      });
    }
    await sleepUnless(ending.signal, pause);
    pause = Math.min(pause * 2, pauseMillisecondsMax);
  };

  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      if (server !== null && !isAlive(server.pid)) {
        report('PostgreSQL has ended', { process: server.pid });
        server = null;
        endedAt = performance.now();
      }
      if (server === null) await startAgain();
      else await sleepUnless(ending.signal, lookMilliseconds);
    }
  };
  const watching = watch();

  return {
    end: async () => {
      ending.abort();
      await watching;
      return server;
    },
    secondsAway: () => (server === null ? (performance.now() - endedAt) / 1000 : 0),
  };
}
