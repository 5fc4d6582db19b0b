import { yearOf } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Issue } from '../../engine/model.ts';
import { allOf, type BookScope, deleteFacts, selectFacts } from './facts/queries.ts';
import { writeFacts } from './facts/rewrite.ts';
import { type BookChanges, netBooks, noChanges, summaryOf } from './summaries/summaries.ts';

/** Stores issues that belong to no book, under a name that no asset key has, in place of those that stand under it. */
export async function storeUnbooked(sql: Sql, scope: BookScope, after: readonly Issue[]): Promise<BookChanges> {
  const before = await selectFacts(sql, 'issue', scope);
  if (textOf(before) === textOf(after)) return noChanges();
  const { taxpayerId, book } = scope;
  await deleteFacts(sql, taxpayerId, [allOf(book)]);
  await writeFacts(sql, taxpayerId, [{ book, come: after }]);
  const years = Map.groupBy(after, (issue) => yearOf(issue.on));
  const summaries = [...years].map(([year, own]) => summaryOf(year, own));
  const changes = await netBooks(sql, taxpayerId, new Map([[book, summaries]]));
  return { years: new Set(changes.keys()), changes };
}

function textOf(issues: readonly Issue[]): string {
  return issues
    .map((issue) => JSON.stringify(issue, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort()
    .join('\n');
}
