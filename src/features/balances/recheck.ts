import type { Sql } from '../../db/connection.ts';
import type { Issue } from '../../engine/model.ts';
import type { BookChanges } from '../books/summaries/summaries.ts';
import { storeUnbooked } from '../books/unbooked-issues.ts';
import { openIssues } from '../transactions/resolutions/accepted.ts';
import { readBalanceIssues } from './checked.ts';

/** Compares the balances stated of some assets with the rows again; of all assets where none are named. */
export async function recheckBalances(
  sql: Sql,
  taxpayerId: string,
  assets: ReadonlySet<string> | null,
  before: readonly Issue[],
): Promise<BookChanges> {
  const found = await readBalanceIssues(sql, taxpayerId, assets === null ? null : [...assets]);
  const open = await openIssues(sql, taxpayerId, found);
  const kept = before.filter(({ asset }) => assets !== null && !assets.has(asset));
  const after = [...kept, ...open];
  return storeUnbooked(sql, { taxpayerId, book: 'balances' }, before, after);
}
