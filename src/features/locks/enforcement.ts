import type { Sql } from '../../db/connection.ts';
import { selectLocks } from './queries.ts';

/**
 * Refuses a change to a locked year's lines, which rolls the transaction back. Called at the end of every change with
 * the years that it wrote. Other years cost nothing. Without locks it costs one query.
 */
export async function enforceLocks(sql: Sql, taxpayerId: string, years: ReadonlySet<number>): Promise<void> {
  if (years.size === 0) return;
  for (const lock of await selectLocks(sql, taxpayerId)) {
    if (!years.has(lock.year)) continue;
    // Loaded late: the API's lines load the framework, 15 MB that the import Worker does not need.
    const { refuseChangedLines } = await import('./changed-lines.ts');
    await refuseChangedLines(sql, taxpayerId, lock);
  }
}
