import type { Sql } from '../../db/connection.ts';
import type { Issue } from '../../engine/model.ts';
import { otherClassIssues } from '../../engine/rules/questions/class-of-name.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { selectBooks } from './queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

/** Rechecks the stored data for names with two asset classes. Accepted issues do not count. */
export async function recheckClasses(
  sql: Sql,
  taxpayerId: string,
  { oversold, beside }: StoredIssues,
): Promise<BookChanges> {
  const found = await readOtherClassIssues(sql, taxpayerId, oversold);
  const open = await openIssues(sql, taxpayerId, found);
  return storeUnbooked(sql, { taxpayerId, book: 'classes' }, beside.classes, open);
}

/** `oversold`: the issues about units that were sold but not held. */
export async function readOtherClassIssues(sql: Sql, taxpayerId: string, oversold: readonly Issue[]): Promise<Issue[]> {
  if (oversold.length === 0) return [];
  const books = await selectBooks(sql, taxpayerId);
  return otherClassIssues(
    oversold,
    books.map(({ asset_key }) => asset_key),
  );
}
