import { dayIn, formatDay, type Instant } from '../../../base/day.ts';
import { formatCents, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { loadAssetNames } from './asset-names/asset-names.ts';
import { type NamedIssue, selectFirstSources, selectIssuesNaming } from './list.queries.ts';
import { selectPossible } from './matched/matched.queries.ts';
import { parseMoneyColumn, parseStatedNames, toTransaction } from './rows/columns.ts';
import type { TransactionRow } from './rows/statement-sql.ts';
import { type Review, transactionView } from './view.ts';

/** Returns today's date in the taxpayer's time zone as `YYYY-MM-DD`. Rows with a later date are in the future. */
export function getToday(deps: Pick<Deps, 'clock'>, timeZone: string): string {
  return formatDay(dayIn((deps.clock.now().getTime() * 1000) as Instant, timeZone));
}

/** Returns rows with their sources and review items. The number of queries does not depend on the number of rows. */
export async function viewRows(sql: Sql, taxpayerId: string, rows: readonly TransactionRow[], today: string) {
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return [];
  const sources = new Map((await selectFirstSources(sql, taxpayerId, ids)).map((source) => [source.id, source]));
  const issues = await selectIssuesNaming(sql, taxpayerId, ids);
  const pairs = await selectPossible(sql, taxpayerId, { ids });
  const doubted = new Map(
    pairs.flatMap(({ transactionId, otherId, detail }) => [
      [transactionId, detail] as const,
      [otherId, detail] as const,
    ]),
  );
  const naming = new Map<string, NamedIssue[]>();
  for (const issue of issues) {
    for (const id of new Set(issue.transactions)) naming.set(id, [...(naming.get(id) ?? []), issue]);
  }
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    rows.map((row) => row.asset),
  );
  return rows.map((row) => {
    const source = sources.get(row.id) ?? { importId: null, line: null };
    const future = row.on_day > today ? [futureDate] : [];
    const doubt = doubted.get(row.id);
    const twice = doubt === undefined ? [] : [{ kind: 'possible_duplicate', detail: doubt, dollars: null }];
    const reviews = [...(naming.get(row.id) ?? []).map(toReview), ...twice];
    const review = [...reviews, ...future.filter((one) => !reviews.some((other) => other.kind === one.kind))];
    const transaction = toTransaction(row);
    const assetName = nameOf(row.asset, transaction.assetClass);
    return transactionView(transaction, source, review, parseStatedNames(row), assetName);
  });
}

const futureDate: Review = {
  kind: 'future_date',
  detail: 'The date is in the future. The transaction counts as if it had already happened.',
  dollars: null,
};

function toReview(issue: NamedIssue): Review {
  const dollars = issue.dollars === null ? null : formatCents(roundToCents(parseMoneyColumn(issue.dollars)));
  return { kind: issue.issue, detail: issue.detail, dollars };
}
