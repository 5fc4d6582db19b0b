import type { Deps } from '../../deps.ts';
import { notifyFailure } from './failure-notice.ts';
import { acceptOrder, selectLeftOrders } from './orders/queries.ts';
import { failAbandoned } from './status/queries.ts';

/** A running import moves every five seconds: one that did not for so long has lost its server. */
const idleSecondsMax = 30;
const sweepSeconds = 5;
/** Sooner: to store it twice at once would be no harm, for one of both finds it stored. */
const silentSecondsMax = 15;
const takenAtOnce = 100;

/**
 * Imports that a restart cut off: one whose file had arrived is stored by a job. Any other fails with a reason, and what it
 * had staged goes.
 */
export async function sweepImports(deps: Deps): Promise<void> {
  await takeOver(deps);
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

async function takeOver({ database, jobs, log }: Deps): Promise<void> {
  const left = { idleSeconds: silentSecondsMax, limit: takenAtOnce };
  for (const scope of await database.asService((sql) => selectLeftOrders(sql, left), { readOnly: true })) {
    const { taxpayerId, importId } = scope;
    const isTaken = await database.asTaxpayer(taxpayerId, async (sql) => {
      if (!(await acceptOrder(sql, scope, silentSecondsMax))) return false;
      await jobs.send(sql, { kind: 'import', taxpayerId, id: importId });
      return true;
    });
    if (isTaken) log.warn('import taken over', { import: importId });
  }
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
