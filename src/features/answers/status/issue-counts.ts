import { formatCents, zeroCents } from '../../../base/decimal.ts';
import { parseCentsColumn } from '../../ledger/transactions/rows/columns.ts';
import type { IssueCountRow } from './status.queries.ts';

export function issueCountView({ kind, count, unknown, dollars }: IssueCountRow) {
  return { kind, count, dollars: formatCents(parseCentsColumn(dollars)), unknown };
}

export function sumOfIssues(kinds: readonly IssueCountRow[]) {
  let [count, unknown, dollars] = [0, 0, zeroCents as bigint];
  for (const one of kinds) {
    count += one.count;
    unknown += one.unknown;
    dollars += parseCentsColumn(one.dollars);
  }
  return { count, dollars: formatCents(dollars as typeof zeroCents), unknown };
}
