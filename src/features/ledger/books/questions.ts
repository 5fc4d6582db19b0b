import { yearOf } from '../../../base/day.ts';
import { roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact, Issue, Rules, TaxYearSummary } from '../../../engine/model.ts';
import { accountTypeIssues, isSuspected } from '../../../engine/rules/questions/account-types.ts';
import { otherClassIssues } from '../../../engine/rules/questions/class-of-name.ts';
import { zoneIssues } from '../../../engine/rules/questions/new-year.ts';
import { findNamePairs, namedYears, sameSecurityIssues } from '../../../engine/rules/questions/same-security.ts';
import { formIssues } from '../../../forms/reconciliation/form-issues.ts';
import type { Elections } from '../transactions/elections.ts';
import { parseDayColumn, parseMoneyColumn } from '../transactions/rows/columns.ts';
import {
  selectAccountYears,
  selectActiveYears,
  selectBooks,
  selectLastSale,
  selectLinesOfNames,
  selectNearNewYear,
  selectSecurityNumbers,
  selectTaxed,
  selectYearsOfForms,
} from './books.queries.ts';
import { readLines, readReported } from './books.ts';
import { carryoverIssues, yearsOfOtherStatus } from './summaries/carryover.ts';
import { summaryFromText } from './summaries/netting.ts';
import { selectYears } from './summaries/summaries.queries.ts';

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

/** Reads the issues about different names with the same CUSIP or ISIN, which are one security. */
export async function readStoredNameIssues(
  sql: Sql,
  taxpayerId: string,
  { assets }: Pick<Rules, 'assets'>,
): Promise<Issue[]> {
  const books = new Map((await selectBooks(sql, taxpayerId)).map(({ asset_key, book }) => [asset_key, book]));
  const pairs = findNamePairs({ books, numbers: await selectSecurityNumbers(sql, taxpayerId), assets });
  const names = [...new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs]))];
  const lines = names.length === 0 ? [] : await selectLinesOfNames(sql, taxpayerId, names);
  return sameSecurityIssues(
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

/** Reads the issues about accounts whose names suggest that they are tax-advantaged. */
export async function readAccountIssues(sql: Sql, taxpayerId: string, rules: Rules): Promise<Issue[]> {
  const named = Object.entries(rules.evidence ?? {}).flatMap(([name, { taxFreeName }]) => (taxFreeName ? [name] : []));
  const suspects = named.filter((name) => isSuspected(rules, name));
  if (suspects.length === 0) return [];
  const years = await selectAccountYears(sql, taxpayerId, suspects);
  return accountTypeIssues(
    years.map(({ account, on, asset, transaction, dollars }) => {
      const money = parseMoneyColumn(dollars);
      return {
        account,
        on: parseDayColumn(on),
        asset,
        transaction,
        dollars: money === null ? 0n : roundToCents(money),
      };
    }),
  );
}

/** Reads the issue about the time zone, if the dates of rows near New Year's depend on it. */
export async function readZoneIssues(sql: Sql, taxpayerId: string, rules: Rules): Promise<Issue[]> {
  if (rules.timeZone !== undefined) return [];
  const years = await selectActiveYears(sql, taxpayerId);
  const days = years.flatMap((year) => [`${year}-01-01`, `${year}-12-31`]);
  const rows = await selectNearNewYear(sql, taxpayerId, days);
  const dayOfRow = new Map(rows.map(({ id, on }) => [id, on]));
  const taxed = await selectTaxed(sql, taxpayerId, rows);
  return zoneIssues(
    taxed
      .filter(({ transaction, on }) => dayOfRow.get(transaction) === on)
      .map(({ on, dollars, ...row }) => ({
        ...row,
        on: parseDayColumn(on),
        dollars: roundToCents(parseMoneyColumn(dollars)),
      })),
  );
}

/** Compares the Forms 1099 for these years with the stored lines. Returns issues about the differences. */
export async function readFormIssues(
  sql: Sql,
  taxpayerId: string,
  rules: Rules,
  isWanted: (year: number) => boolean,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const year of await selectYearsOfForms(sql, taxpayerId)) {
    if (!isWanted(year)) continue;
    const reported = await readReported(sql, taxpayerId, year, rules);
    issues.push(...formIssues({ year, rules, reported, lines: await readLines(sql, taxpayerId, year) }));
  }
  return issues;
}

/** Reads the issues about carried losses that must be divided between spouses. `before` are the stored issues. */
export async function readCarryoverIssues(
  sql: Sql,
  taxpayerId: string,
  elections: Elections,
  before: readonly Issue[],
): Promise<Issue[]> {
  const years = yearsOfOtherStatus(elections);
  if (years.length === 0) return [];
  const issueYears = before.map(({ on }) => yearOf(on));
  // Excludes years that exist only because of an earlier carryover issue. Otherwise, the issue would keep itself alive.
  const summaries = (await selectYears(sql, taxpayerId))
    .map(({ summary }) => summaryFromText(summary))
    .filter((summary) => !isEmpty(summary, issueYears.filter((year) => year === summary.year).length));
  const rows = new Map<number, string>();
  for (const year of years) {
    const row = await selectLastSale(sql, taxpayerId, `${year}-01-01`);
    if (row !== undefined) rows.set(year, row);
  }
  return carryoverIssues(summaries, elections, rows);
}

/** Returns whether a year contains nothing except this number of carryover issues. */
function isEmpty({ total, income, contracts1256, issues }: TaxYearSummary, questions: number): boolean {
  return total.count === 0 && income.length === 0 && contracts1256.count === 0 && issues === questions;
}
