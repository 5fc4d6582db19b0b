import { formatCents } from '../../../base/decimal.ts';
import { issueName } from '../../../forms/lines.ts';
import { parseCentsColumn } from '../transactions/rows.ts';
import type { WorklistRow } from './issues.queries.ts';
import type { Proposal } from './resolution.ts';

/** An issue in the format of the API. */
export function issueView(row: WorklistRow, proposals: readonly Proposal[]) {
  const { figure: _figure, accounts: _accounts, ...given } = row.given ?? {};
  return {
    id: issueName(row.id),
    kind: row.issue,
    status: row.status,
    year: Number(row.on.slice(0, 4)),
    otherYears: row.otherYears.map(Number),
    date: row.on,
    asset: row.asset,
    account: row.account,
    transactions: row.transactions,
    dollars: row.dollars === null ? null : formatCents(parseCentsColumn(row.dollars)),
    units: row.units,
    closesOn: row.closesOn,
    detail: row.detail,
    proposals: [...proposals],
    resolution:
      row.action === null
        ? null
        : {
            action: row.action,
            note: row.note ?? '',
            at: row.at ?? '',
            with: row.other,
            transactionId: row.added,
            ...given,
          },
  };
}
