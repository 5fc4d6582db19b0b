import type { ReportBooks } from './report.ts';

/** Describes the source of a fact or lot, whose id begins with its transaction's: `transactionId/ordinal`. */
export function describeSource({ sources }: Pick<ReportBooks, 'sources'>, id: string): string {
  const source = sources.get(id) ?? sources.get(id.split('/')[0] ?? id);
  return source === undefined ? `transaction ${id}` : `${source.file}, line ${source.line}`;
}
