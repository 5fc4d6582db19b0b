import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { readLines } from '../books/books.ts';
import { changesBetween, describeChange, type LineChange, lineOf } from './line-changes.ts';
import { lockedLine, unpackLines } from './locked-lines.ts';
import { selectLockedLines } from './locks.queries.ts';

/** Refuses a change that alters lines of a locked year. */
export async function refuseChangedLines(
  sql: Sql,
  taxpayerId: string,
  { year, digest }: { readonly year: number; readonly digest: string },
): Promise<void> {
  const before = unpackLines(await selectLockedLines(sql, taxpayerId, digest));
  const after = (await readLines(sql, taxpayerId, year)).map(lockedLine);
  const changes = changesBetween(before, after);
  if (changes.length > 0) throw yearLocked(year, changes);
}

const linesMax = 20;
const describedMax = 3;

function yearLocked(year: number, changes: readonly LineChange[]): Refusal {
  const described = changes.slice(0, describedMax).map(describeChange).join('; ');
  const others = changes.length > describedMax ? `; and ${changes.length - describedMax} more` : '';
  const lines = changes.length === 1 ? 'one of its Form 8949 entries' : `${changes.length} of its Form 8949 entries`;
  const detail = `${year} is locked, and this change would alter ${lines}: ${described}${others}. Nothing was changed. Unlock the year first.`;
  return new Refusal('year_locked', detail, {
    members: { year, changes: changes.length, lines: changes.slice(0, linesMax) },
    errors: changes
      .slice(0, linesMax)
      .map((change) => ({ code: `line_${change.change}`, detail: `${lineOf(change).id}: ${describeChange(change)}` })),
  });
}
