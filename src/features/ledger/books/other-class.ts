import type { Sql } from '../../../db/connection.ts';
import type { Issue } from '../../../engine/model.ts';
import { otherClassIssues } from '../../../engine/rules/questions/class-of-name.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { selectBooks } from './books.queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

/** Checks the stored data again for names that have two asset classes. Ignores accepted issues. */
export async function recheckClasses(
  sql: Sql,
  taxpayerId: string,
  { oversold, beside }: StoredIssues,
): Promise<BookChanges> {
  const issues = await readOtherClassIssues(sql, taxpayerId, oversold);
  const open = await openIssues(sql, taxpayerId, issues);
  return storeUnbooked(sql, { taxpayerId, book: 'classes' }, beside.classes, open);
}

/**
 * Reads the issues about names with two asset classes. `oversold` contains the issues about units that were sold but
 * not held.
 */
export async function readOtherClassIssues(sql: Sql, taxpayerId: string, oversold: readonly Issue[]): Promise<Issue[]> {
  if (oversold.length === 0) return [];
  const books = await selectBooks(sql, taxpayerId);
  return otherClassIssues(
    oversold,
    books.map(({ asset_key }) => asset_key),
  );
}
