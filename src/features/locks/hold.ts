import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import { readLines } from '../books/books.ts';
import { changesBetween, type LineChange, lineOf, sentenceOf } from './compare.ts';
import { lockedLine, unpackLines } from './lines.ts';
import { selectLockedLines, selectLocks } from './queries.ts';

/**
 * Refuses where lines of a locked year are not what was locked; thrown, it takes the whole transaction back. Asked at
 * the end of every change, with the years whose facts it wrote: others cost nothing, and no lock costs one question.
 */
export async function holdLocks(sql: Sql, taxpayerId: string, years: ReadonlySet<number>): Promise<void> {
  if (years.size === 0) return;
  for (const lock of await selectLocks(sql, taxpayerId)) {
    if (!years.has(lock.year)) continue;
    const before = unpackLines(await selectLockedLines(sql, taxpayerId, lock.digest));
    const after = (await readLines(sql, taxpayerId, lock.year)).map(lockedLine);
    const changes = changesBetween(before, after);
    if (changes.length > 0) throw yearLocked(lock.year, changes);
  }
}

const namedMax = 20;
const toldMax = 3;

function yearLocked(year: number, changes: readonly LineChange[]): Refusal {
  const told = changes.slice(0, toldMax).map(sentenceOf).join('; ');
  const rest = changes.length > toldMax ? `; and ${changes.length - toldMax} more` : '';
  const lines = changes.length === 1 ? 'one of its lines' : `${changes.length} of its lines`;
  const detail = `${year} is locked, and this would change ${lines}: ${told}${rest}. Nothing was changed. Unlock the year first.`;
  return new Refusal('year_locked', detail, {
    members: { year, changes: changes.length, lines: changes.slice(0, namedMax) },
    errors: changes
      .slice(0, namedMax)
      .map((change) => ({ code: `line_${change.change}`, detail: `${lineOf(change).id}: ${sentenceOf(change)}` })),
  });
}
