import type { Deps } from '../../../../deps.ts';
import type { ServerEvent } from '../../../../http/sse.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import { selectEvents, selectImport } from './status.queries.ts';

const pollMilliseconds = 300;

/** Yields the events of an import after `lastEventId`, until the import is done. */
export async function* importEvents(
  deps: Deps,
  scope: StageScope,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let after = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId) ? lastEventId : '0';
  while (!signal.aborted) {
    const from = after;
    // Checked before the events are read. If the import ends between the two queries, its last event is included.
    const running = await isRunning(deps, scope);
    const rows = await deps.database.asTaxpayer(scope.taxpayerId, (sql) => selectEvents(sql, scope, from), {
      readOnly: true,
    });
    for (const row of rows) {
      yield { id: row.id, event: row.kind, data: row.data };
      after = row.id;
      if (row.kind === 'done' || row.kind === 'failed') return;
    }
    if (rows.length === 0 && !running) return;
    await pause(pollMilliseconds, signal);
  }
}

/**
 * Returns whether the import is running. If it was deleted or has ended, there are no more events after the requested
 * ones.
 */
async function isRunning(deps: Deps, scope: StageScope): Promise<boolean> {
  return deps.database.asTaxpayer(
    scope.taxpayerId,
    async (sql) => {
      const row = await selectImport(sql, scope);
      return row?.status === 'running';
    },
    { readOnly: true },
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
