import type { Deps } from '../../deps.ts';
import { notifyFailure } from './failure-notice.ts';
import { failAbandoned } from './status/queries.ts';

/** A running import moves every five seconds: one that did not for so long has lost its server. */
const idleSecondsMax = 30;
const sweepSeconds = 5;

/** Imports that a restart cut off fail with a reason, and what they had staged goes. */
export async function sweepImports(deps: Deps): Promise<void> {
  const at = deps.clock.now();
  const problem = {
    code: 'interrupted',
    detail: 'The server was stopped during this import. Nothing of it was stored: import the file again.',
  };
  const asked = { idleSeconds: idleSecondsMax, problem, at };
  const failed = await deps.database.asService(async (sql) => {
    const given = await failAbandoned(sql, asked);
    for (const { taxpayerId, id, fileName } of given)
      await notifyFailure(sql, { taxpayerId, importId: id }, { fileName, problem, at });
    return given.length;
  });
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
