import type { yearChanges } from '../books/summaries.ts';
import type { ImportRow } from './imports.queries.ts';
import type { Preview } from './preview.ts';
import type { compareRows } from './reread.ts';

/** Formats an import with the field names of the API. */
export function importView(row: ImportRow) {
  return {
    id: row.id,
    status: row.status,
    format: row.format,
    fileName: row.fileName,
    bytes: Number(row.bytes),
    rows: row.rows,
    imported: row.imported,
    transactions: row.transactions,
    duplicates: row.duplicates,
    skipped: row.skipped,
    rejected: row.rejected,
    firstDate: row.firstDate,
    lastDate: row.lastDate,
    years: row.years,
    skips: row.skips,
    warnings: { ...row.warnings, results: row.warnings.results ?? [] },
    issues: row.issues,
    possibleDuplicates: row.possibleDuplicates,
    proposedRows: row.proposedRows,
    accounts: row.accounts ?? [],
    accountOffers: row.accountOffers,
    accountQuestions: row.accountQuestions,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    ...(row.problem === null ? {} : { problem: row.problem as ImportProblem }),
  };
}

export interface ImportProblem {
  readonly code: string;
  readonly detail: string;
  /** The locked year, for `year_locked`. */
  readonly year?: number;
}

/** An import in a response. A dry run also returns its effects, and a reread its changes. */
export type ImportView = ReturnType<typeof importView> & {
  readonly preview?: Preview;
  readonly reread?: Reread;
};

export interface Reread {
  readonly changes: Awaited<ReturnType<typeof compareRows>>;
  readonly years: ReturnType<typeof yearChanges>;
}

/** The response of a reread. */
export interface RereadView extends Reread {
  readonly applied: boolean;
  readonly import: Omit<ImportView, 'reread' | 'preview'>;
}

export function rereadView({ reread, preview: _, ...view }: ImportView, applied: boolean): RereadView {
  if (reread === undefined) throw new Error('A reread has no comparison.');
  return { applied, import: view, ...reread };
}
