import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import { readLines } from '../books/books.ts';
import { changesBetween, describeChange, type LineChange, lineOf } from './line-changes.ts';
import { lockedLine, unpackLines } from './locked-lines.ts';
import { selectLockedLines, selectLocks } from './queries.ts';

/**
 * Refuses a change of a locked year's lines, which rolls the transaction back. Called at the end of every change with
 * the years that it wrote. Other years cost nothing; without locks it costs one query.
 */
export async function enforceLocks(sql: Sql, taxpayerId: string, years: ReadonlySet<number>): Promise<void> {
  if (years.size === 0) return;
  for (const lock of await selectLocks(sql, taxpayerId)) {
    if (!years.has(lock.year)) continue;
    const before = unpackLines(await selectLockedLines(sql, taxpayerId, lock.digest));
    const after = (await readLines(sql, taxpayerId, lock.year)).map(lockedLine);
    const changes = changesBetween(before, after);
    if (changes.length > 0) throw yearLocked(lock.year, changes);
  }
}

const linesMax = 20;
const describedMax = 3;

function yearLocked(year: number, changes: readonly LineChange[]): Refusal {
  const described = changes.slice(0, describedMax).map(describeChange).join('; ');
  const others = changes.length > describedMax ? `; and ${changes.length - describedMax} more` : '';
  const lines = changes.length === 1 ? 'one of its lines' : `${changes.length} of its lines`;
  const detail = `${year} is locked, and this change would alter ${lines}: ${described}${others}. Nothing was changed. Unlock the year first.`;
  return new Refusal('year_locked', detail, {
    members: { year, changes: changes.length, lines: changes.slice(0, linesMax) },
    errors: changes
      .slice(0, linesMax)
      .map((change) => ({ code: `line_${change.change}`, detail: `${lineOf(change).id}: ${describeChange(change)}` })),
  });
}
