import type { Deps } from '../../deps.ts';
import { notifyFailure } from './failure-notice.ts';
import { failAbandoned } from './status/queries.ts';

/**
 * A running import moves every ten seconds: one that did not for so long has lost its server, even where the database
 * does not show which servers are there.
 */
const idleSecondsMax = 60;
const sweepSeconds = 5;

/** Imports that a restart cut off fail with a reason, and what they had staged goes. */
export async function sweepImports(deps: Deps): Promise<void> {
  const at = deps.clock.now();
  const problem = {
    code: 'interrupted',
    detail: 'The server was stopped during this import. Nothing of it was stored: import the file again.',
  };
  const asked = { idleSeconds: idleSecondsMax, asker: deps.database.name, problem, at };
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
  // A session that stays open until the database is left, whatever becomes of the others: this process is there.
  deps.database.listen('presence', () => {}).catch((error: unknown) => deps.log.error('presence not announced', error));
  const sweep = (): void => {
    sweepImports(deps).catch((error: unknown) => deps.log.error('imports not swept', error));
  };
  sweep();
  const timer = setInterval(sweep, sweepSeconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
