import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import { allBytes } from '../../ledger/blobs/read.ts';
import { type ReportRow, selectBooks, selectBytes, selectReport } from './reports.queries.ts';

export async function findReport(deps: Deps, taxpayerId: string, reportId: string): Promise<ReportRow> {
  const report = await deps.database.asTaxpayer(taxpayerId, (sql) => selectReport(sql, taxpayerId, reportId), {
    readOnly: true,
  });
  if (report === undefined) throw notFound();
  return report;
}

/** Returns the books of a report, to be read when it is the request's turn. */
export async function findBooks(deps: Deps, taxpayerId: string, reportId: string) {
  const { digest, revision, asOf } = await findReport(deps, taxpayerId, reportId);
  const read = <Result>(work: (sql: Sql) => Promise<Result>) =>
    deps.database.asTaxpayer(taxpayerId, work, { readOnly: true });
  return {
    taxpayerId,
    stamp: { revision, asOf },
    bytes: await read((sql) => selectBytes(sql, taxpayerId, digest)),
    readParts: async () => allBytes(deps, taxpayerId, await read((sql) => selectBooks(sql, taxpayerId, digest))),
  };
}
