import type { Sql } from '../../../db/connection.ts';
import type { Issue } from '../../../engine/model.ts';
import type { BookChanges } from '../books/summaries/summaries.ts';
import { storeUnbooked } from '../books/unbooked-issues.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { namesInBalances, readBalanceIssues } from './checked.ts';

/**
 * Compares the stated balances of some assets with the rows again, under any of the assets' names. Null means all
 * assets.
 */
export async function recheckBalances(
  sql: Sql,
  taxpayerId: string,
  assets: ReadonlySet<string> | null,
  before: readonly Issue[],
): Promise<BookChanges> {
  const names = assets === null ? null : await namesInBalances(sql, taxpayerId, [...assets]);
  const issues = await readBalanceIssues(sql, taxpayerId, names);
  const open = await openIssues(sql, taxpayerId, issues);
  const kept = before.filter(({ asset }) => names !== null && !names.includes(asset));
  const after = [...kept, ...open];
  return storeUnbooked(sql, { taxpayerId, book: 'balances' }, before, after);
}
