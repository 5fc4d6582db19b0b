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

const formatOfMediaType: Readonly<Record<string, string>> = {
  'application/pdf': '8949',
  'text/csv': 'csv',
  'application/json': 'json',
};

const formatDefault = '8949';

/**
 * Returns the format for a request that names none, according to its Accept header. Chooses the media type with the
 * highest weight. Among equal weights, the first one in the header is chosen.
 */
export function acceptedFormat(accept: string | null): string {
  let best = { format: formatDefault, weight: 0 };
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [mediaType = '', ...parameters] = range.split(';').map((text) => text.trim());
    const format = Object.hasOwn(formatOfMediaType, mediaType) ? formatOfMediaType[mediaType] : undefined;
    const weight = parseWeight(parameters);
    if (format !== undefined && weight > best.weight) best = { format, weight };
  }
  return best.format;
}

/** Parses the weight `q=0.5` (RFC 9110, 12.4.2). The default is 1. Invalid weights are 0. */
function parseWeight(parameters: readonly string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith('q='));
  if (stated === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(stated) ? Number(stated.slice(2)) : 0;
}
