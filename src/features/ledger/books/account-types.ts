import { roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue, Rules } from '../../../engine/model.ts';
import { accountTypeIssues, isSuspected } from '../../../engine/rules/questions/account-types.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { parseDayColumn, parseMoneyColumn } from '../transactions/rows/columns.ts';
import { selectAccountYears } from './books.queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { type StoredIssues, storeUnbooked } from './unbooked-issues.ts';

/** Checks the stored data again for accounts whose names suggest that they are tax-advantaged. */
export async function recheckAccounts(
  sql: Sql,
  taxpayerId: string,
  rules: Rules,
  { beside }: StoredIssues,
): Promise<BookChanges> {
  const issues = await readAccountIssues(sql, taxpayerId, rules);
  const open = await openIssues(sql, taxpayerId, issues);
  return storeUnbooked(sql, { taxpayerId, book: 'accounts' }, beside.accounts, open);
}

async function readAccountIssues(sql: Sql, taxpayerId: string, rules: Rules): Promise<Issue[]> {
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
