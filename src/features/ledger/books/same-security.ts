import { roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact, Issue, Rules } from '../../../engine/model.ts';
import { findNamePairs, namedYears, sameSecurityIssues } from '../../../engine/rules/questions/same-security.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { parseDayColumn, parseMoneyColumn } from '../transactions/rows/columns.ts';
import { selectBooks, selectLinesOfNames, selectSecurityNumbers } from './books.queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

/** Checks the stored data again for different names with the same CUSIP or ISIN, which are one security. */
export async function recheckNames(
  sql: Sql,
  taxpayerId: string,
  { assets }: Pick<Rules, 'assets'>,
  { beside }: StoredIssues,
): Promise<BookChanges> {
  const books = new Map((await selectBooks(sql, taxpayerId)).map(({ asset_key, book }) => [asset_key, book]));
  const pairs = findNamePairs({ books, numbers: await selectSecurityNumbers(sql, taxpayerId), assets });
  const names = [...new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs]))];
  const lines = names.length === 0 ? [] : await selectLinesOfNames(sql, taxpayerId, names);
  const issues = sameSecurityIssues(
    pairs,
    lines.map(({ on, losses, gains, ...line }) => {
      return {
        ...line,
        on: parseDayColumn(on),
        losses: roundToCents(parseMoneyColumn(losses)),
        gains: roundToCents(parseMoneyColumn(gains)),
      };
    }),
  );
  const open = await openIssues(sql, taxpayerId, issues);
  return storeUnbooked(sql, { taxpayerId, book: 'names' }, beside.names, open);
}

/**
 * Finds different names for one security in facts that were just calculated. `books` contains the keys of each book.
 */
export async function readNameIssues(
  sql: Sql,
  taxpayerId: string,
  { assets }: Pick<Rules, 'assets'>,
  books: readonly ReadonlySet<string>[],
  facts: readonly Fact[],
): Promise<Issue[]> {
  const named = new Map(books.flatMap((keys, book) => [...keys].map((key) => [key, String(book)] as const)));
  const pairs = findNamePairs({ books: named, numbers: await selectSecurityNumbers(sql, taxpayerId), assets });
  return sameSecurityIssues(pairs, namedYears(facts.filter((fact) => fact.kind === 'disposal')));
}
