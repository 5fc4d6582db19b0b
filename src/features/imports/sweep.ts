import type { Deps } from '../../deps.ts';
import { failAbandoned } from './queries.ts';

/** A running import moves every ten seconds: one that did not for so long has lost its server. */
const idleSecondsMax = 60;
const sweepSeconds = 30;

/** Imports that a restart cut off fail with a reason, and what they had staged goes. */
export async function sweepImports(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const problem = {
    code: 'interrupted',
    detail: 'The server was stopped during this import. Nothing of it was stored: import the file again.',
  };
  const idleSince = new Date(now.getTime() - idleSecondsMax * 1000);
  const failed = await deps.database.asService((sql) => failAbandoned(sql, idleSince, problem, now));
  if (failed > 0) deps.log.warn('imports given up', { imports: failed });
}

/** Sweeps now and then, until the returned function is called. */
export function keepSwept(deps: Deps): () => void {
  const sweep = (): void => {
    sweepImports(deps).catch((error: unknown) => deps.log.error('imports not swept', error));
  };
  sweep();
  const timer = setInterval(sweep, sweepSeconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
