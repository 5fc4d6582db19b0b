import type { Sql } from '../../../db/connection.ts';
import { selectLocks } from './locks.queries.ts';

/**
 * Refuses changes to the lines of locked years, which rolls back the transaction. Every change calls this last, with
 * the years that it wrote. Checks only these years. Without locks, it costs one query.
 */
export async function enforceLocks(sql: Sql, taxpayerId: string, years: ReadonlySet<number>): Promise<void> {
  if (years.size === 0) return;
  for (const lock of await selectLocks(sql, taxpayerId)) {
    if (!years.has(lock.year)) continue;
    // Imported dynamically, because the API's line views load the framework: 15 MB that the import Worker does not
    // need.
    const { refuseChangedLines } = await import('./changed-lines.ts');
    await refuseChangedLines(sql, taxpayerId, lock);
  }
}
