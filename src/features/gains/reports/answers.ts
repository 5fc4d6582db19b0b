import type { Sql } from '../../../db/connection.ts';
import type { StoredAnswer } from '../../../forms/report.ts';
import { selectWorklist, type WorklistRow } from '../../ledger/issues/issues.queries.ts';
import { parseCentsColumn, parseDayColumn } from '../../ledger/transactions/rows/columns.ts';
import { selectAnswers } from './reports.queries.ts';

/** More items than anyone keeps by hand. A batch of one filter counts item by item. */
const keptMax = 10_000;

/** Returns the taxpayer's answers to issues of a year: kept items, largest amount first, and then all others. */
export async function readAnswers(sql: Sql, taxpayerId: string, year: number): Promise<StoredAnswer[]> {
  const filter = { status: 'accepted', kind: null, year, asset: null, account: null } as const;
  const kept = await selectWorklist(sql, taxpayerId, filter, null, keptMax);
  return [...kept, ...(await selectAnswers(sql, taxpayerId, year))].map(toAnswer);
}

function toAnswer(
  row: Pick<WorklistRow, 'action' | 'issue' | 'on' | 'asset' | 'account' | 'dollars' | 'note' | 'given'>,
): StoredAnswer {
  const { basis, acquired, quantity, amount, assetClass } = row.given ?? {};
  const values = Object.entries({ basis, acquired, quantity, amount, assetClass });
  return {
    action: row.action ?? 'accept',
    issue: row.issue,
    on: parseDayColumn(row.on),
    asset: row.asset,
    account: row.account,
    dollars: row.dollars === null ? null : parseCentsColumn(row.dollars),
    note: row.note ?? '',
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  };
}
