import { roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue, Rules } from '../../../engine/model.ts';
import { zoneIssues } from '../../../engine/rules/questions/new-year.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { parseDayColumn, parseMoneyColumn } from '../transactions/rows/columns.ts';
import { selectActiveYears, selectNearNewYear, selectTaxed } from './books.queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

/**
 * Checks the stored data again. If the dates of rows near New Year's depend on the time zone, asks the taxpayer for it.
 */
export async function recheckZone(
  sql: Sql,
  taxpayerId: string,
  rules: Rules,
  { beside }: StoredIssues,
): Promise<BookChanges> {
  const issues = await readZoneIssues(sql, taxpayerId, rules);
  const open = await openIssues(sql, taxpayerId, issues);
  return storeUnbooked(sql, { taxpayerId, book: 'zones' }, beside.zones, open);
}

async function readZoneIssues(sql: Sql, taxpayerId: string, rules: Rules): Promise<Issue[]> {
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
