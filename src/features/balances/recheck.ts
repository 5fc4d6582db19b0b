import { yearOf } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Issue } from '../../engine/model.ts';
import { deleteAllFacts, selectFacts } from '../books/facts/queries.ts';
import { writeFacts } from '../books/facts/rewrite.ts';
import { type BookChanges, netBook, noChanges, summaryOf } from '../books/summaries/summaries.ts';
import { readAccepted, withoutAccepted } from '../transactions/resolutions/accepted.ts';
import { readBalanceIssues } from './checked.ts';

/** The issues of balances belong to no book: they stand under a name that no asset key has. */
const book = 'balances';

/** Compares the balances stated of some assets with the rows again; of all assets where none are named. */
export async function recheckBalances(
  sql: Sql,
  taxpayerId: string,
  assets: ReadonlySet<string> | null,
): Promise<BookChanges> {
  const scope = { taxpayerId, book };
  const before = await selectFacts(sql, 'issue', scope);
  const found = await readBalanceIssues(sql, taxpayerId, assets === null ? null : [...assets]);
  const open = found.length === 0 ? [] : withoutAccepted(found, await readAccepted(sql, taxpayerId));
  const kept = before.filter(({ asset }) => assets !== null && !assets.has(asset));
  const after = [...kept, ...open] as Issue[];
  if (textOf(before) === textOf(after)) return noChanges();
  await deleteAllFacts(sql, scope);
  await writeFacts(sql, scope, after);
  const years = Map.groupBy(after, (issue) => yearOf(issue.on));
  const summaries = [...years].map(([year, own]) => summaryOf(year, own));
  const changes = await netBook(sql, scope, summaries);
  return { years: new Set(changes.keys()), changes };
}

function textOf(issues: readonly Issue[]): string {
  return issues
    .map((issue) => JSON.stringify(issue, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort()
    .join('\n');
}
