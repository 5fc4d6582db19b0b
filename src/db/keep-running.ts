import { isAlive, type RunningServer } from './postgres-server.ts';

/** Where an operator reads what became of the server. */
export type ReportEvent = (event: string, fields: Readonly<Record<string, string | number>>) => void;

export interface Watch {
  /** Nothing is started after it; the server that runs then, if one does. */
  end(): Promise<RunningServer | null>;
}

const lookMilliseconds = 250;
const pauseMillisecondsMin = 1_000;
const pauseMillisecondsMax = 10_000;
/** A server that ran for so long ended for a new reason. */
const soundMilliseconds = 60_000;

/**
 * Starts the server again whenever it has ended: on a full disk PostgreSQL gives up for good, and there is nobody else to
 * start it once there is room. `start` gives up, with nothing left running, where its signal aborts.
 */
export function keepRunning(
  first: RunningServer,
  start: (ending: AbortSignal) => Promise<RunningServer>,
  tell: ReportEvent,
): Watch {
  const ending = new AbortController();
  let server: RunningServer | null = first;
  let startedAt = performance.now();
  let pause = pauseMillisecondsMin;

  const startAgain = async (): Promise<void> => {
    if (performance.now() - startedAt > soundMilliseconds) pause = pauseMillisecondsMin;
    startedAt = performance.now();
    try {
      server = await start(ending.signal);
      tell('PostgreSQL was started again', { process: server.pid });
    } catch (error) {
      if (ending.signal.aborted) return;
      tell('PostgreSQL was not started again', {
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
        tell('PostgreSQL has ended', { process: server.pid });
        server = null;
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
  };
}

function sleepUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
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
