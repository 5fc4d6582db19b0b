import type { Deps } from '../../../deps.ts';
import { notifyFailure } from './failed-import.ts';
import { acceptStoreRequest, failAbandoned, selectAbandonedStoreRequests } from './imports.queries.ts';
import { sweepUndone } from './undo.ts';

/**
 * The maximum number of seconds without a heartbeat. After that, the server of a running import counts as stopped. A
 * heartbeat is recorded every five seconds.
 */
const idleSecondsMax = 30;
const sweepSeconds = 5;
/** Shorter than `idleSecondsMax`, because storing an import twice does no harm: the second attempt finds it stored. */
const silentSecondsMax = 15;
const takenAtOnce = 100;

/**
 * Handles imports that a restart interrupted. If the file arrived completely, a job stores it. Otherwise, the import
 * fails with a reason, and its staged rows are removed.
 */
export async function sweepImports(deps: Deps): Promise<void> {
  await takeOver(deps);
  await sweepUndone(deps);
  const at = deps.clock.now();
  const problem = {
    code: 'interrupted',
    detail: 'The server stopped during this import. No rows were imported. Import the file again.',
  };
  const sweepRequest = { idleSeconds: idleSecondsMax, problem, at };
  const failed = await deps.database.asService(async (sql) => {
    const abandoned = await failAbandoned(sql, sweepRequest);
    for (const { taxpayerId, id, fileName } of abandoned)
      await notifyFailure(sql, { taxpayerId, importId: id }, { fileName, problem, at });
    return abandoned.length;
  });
  if (failed > 0) deps.log.warn('imports given up', { imports: failed });
}

async function takeOver({ database, jobs, log }: Deps): Promise<void> {
  const left = { idleSeconds: silentSecondsMax, limit: takenAtOnce };
  for (const scope of await database.asService((sql) => selectAbandonedStoreRequests(sql, left), { readOnly: true })) {
    const { taxpayerId, importId } = scope;
    const isTaken = await database.asTaxpayer(taxpayerId, async (sql) => {
      if (!(await acceptStoreRequest(sql, scope, silentSecondsMax))) return false;
      await jobs.send(sql, { kind: 'import', taxpayerId, id: importId });
      return true;
    });
    if (isTaken) log.warn('import taken over', { import: importId });
  }
}

/** Sweeps regularly until the returned function is called. */
export function keepSwept(deps: Deps): () => void {
  const sweep = (): void => {
    sweepImports(deps).catch((error: unknown) => deps.log.error('imports not swept', error));
  };
  sweep();
  const timer = setInterval(sweep, sweepSeconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
