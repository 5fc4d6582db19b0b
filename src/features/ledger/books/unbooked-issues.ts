import type { Sql } from '../../../db/connection.ts';
import type { Issue } from '../../../engine/model.ts';
import { rejectedBook } from '../transactions/rejected/rejected-lines.ts';
import { selectUnbookedIssues } from './books.queries.ts';
import { deleteFacts, spanAllDays } from './facts/facts.queries.ts';
import { toFact } from './facts/tables.ts';
import { writeFacts } from './facts/writer.ts';
import { type BookChanges, netBooks, noChanges, summariesOfIssues } from './summaries/summaries.ts';

/** Storage names for issues that belong to no book. No asset key has these names. */
export const unbookedNames = [
  'balances',
  'classes',
  'accounts',
  'zones',
  'forms',
  'carryover',
  'gains',
  'names',
  rejectedBook,
] as const;

/** Stored issues that other issues depend on. */
export interface StoredIssues {
  /** Issues about units that were sold but not held. */
  readonly oversold: readonly Issue[];
  /** Issues that belong to no book, by name. */
  readonly beside: Readonly<Record<(typeof unbookedNames)[number], readonly Issue[]>>;
}

export async function readStoredIssues(sql: Sql, taxpayerId: string): Promise<StoredIssues> {
  const rows = await selectUnbookedIssues(sql, taxpayerId, unbookedNames);
  const listIssuesNamed = (name: string): Issue[] =>
    rows.filter(({ book }) => book === name).map((row) => toFact('issue', row));
  return {
    oversold: rows.filter(({ issue }) => issue === 'oversold').map((row) => toFact('issue', row)),
    beside: {
      balances: listIssuesNamed('balances'),
      classes: listIssuesNamed('classes'),
      accounts: listIssuesNamed('accounts'),
      zones: listIssuesNamed('zones'),
      forms: listIssuesNamed('forms'),
      carryover: listIssuesNamed('carryover'),
      gains: listIssuesNamed('gains'),
      names: listIssuesNamed('names'),
      [rejectedBook]: listIssuesNamed(rejectedBook),
    },
  };
}

/** Replaces the issues stored under this name. */
export async function storeUnbooked(
  sql: Sql,
  { taxpayerId, book }: { readonly taxpayerId: string; readonly book: (typeof unbookedNames)[number] },
  before: readonly Issue[],
  after: readonly Issue[],
): Promise<BookChanges> {
  if (serializeIssues(before) === serializeIssues(after)) return noChanges();
  await deleteFacts(sql, taxpayerId, [spanAllDays(book)]);
  await writeFacts(sql, taxpayerId, [{ book, come: after }]);
  const changes = await netBooks(sql, taxpayerId, new Map([[book, summariesOfIssues(after)]]));
  return { years: new Set(changes.keys()), changes };
}

function serializeIssues(issues: readonly Issue[]): string {
  return issues
    .map((issue) => JSON.stringify(issue, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort()
    .join('\n');
}
