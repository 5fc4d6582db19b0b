import { yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue } from '../../../engine/model.ts';
import { readProposedRows } from '../transactions/proposed-rows.ts';
import { readRejectedLines, rejectedBook } from '../transactions/rejected-lines.ts';
import { openIssues } from '../transactions/resolutions.ts';
import { selectUnbookedIssues } from './books.queries.ts';
import { deleteFacts, spanAllDays } from './facts/facts.queries.ts';
import { replaceFacts } from './facts/rewrite.ts';
import { toFact } from './facts/tables.ts';
import { writeFacts } from './facts/writer.ts';
import { type BookChanges, netBooks, noChanges, summariesOfIssues, summarizeFacts } from './summaries/summaries.ts';

/** Storage names for issues that belong to no book. No asset key has these names. */
const unbookedNames = [
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
export type UnbookedName = (typeof unbookedNames)[number];

/** Stored issues that other issues depend on. */
export interface StoredIssues {
  /** Issues about units that were sold but not held. */
  readonly oversold: readonly Issue[];
  /** Issues that belong to no book, by name. */
  readonly beside: Readonly<Record<UnbookedName, readonly Issue[]>>;
}

export async function readStoredIssues(sql: Sql, taxpayerId: string): Promise<StoredIssues> {
  const rows = await selectUnbookedIssues(sql, taxpayerId, unbookedNames);
  const listIssues = (isWanted: (row: (typeof rows)[number]) => boolean): Issue[] =>
    rows.filter(isWanted).map((row) => toFact('issue', row));
  const beside = unbookedNames.map((name) => [name, listIssues(({ book }) => book === name)] as const);
  return {
    oversold: listIssues(({ issue }) => issue === 'oversold'),
    beside: Object.fromEntries(beside) as unknown as StoredIssues['beside'],
  };
}

/** The current issues of one kind, before those that the taxpayer accepted are removed. */
export interface FoundIssues {
  readonly found: readonly Issue[];
  /** Whether a stored issue stays, because what it is about did not change and was not checked again. */
  readonly isKept?: (stored: Issue) => boolean;
}

/** Replaces the issues stored under a name. Returns the effect on the years and the issues that are now stored. */
export async function updateUnbooked(
  sql: Sql,
  taxpayerId: string,
  name: UnbookedName,
  { beside }: StoredIssues,
  { found, isKept = () => false }: FoundIssues,
): Promise<{ readonly changes: BookChanges; readonly issues: readonly Issue[] }> {
  const before = beside[name];
  const issues = [...before.filter(isKept), ...(await openIssues(sql, taxpayerId, found))];
  if (serializeIssues(before) === serializeIssues(issues)) return { changes: noChanges(), issues };
  await deleteFacts(sql, taxpayerId, [spanAllDays(name)]);
  await writeFacts(sql, taxpayerId, [{ book: name, come: issues }]);
  const changes = await netBooks(sql, taxpayerId, new Map([[name, summariesOfIssues(issues)]]));
  return { changes: { years: new Set(changes.keys()), changes }, issues };
}

function serializeIssues(issues: readonly Issue[]): string {
  return issues
    .map((issue) => JSON.stringify(issue, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort()
    .join('\n');
}

/** The effect of rejected lines on the books. */
interface RejectedLinesChange {
  readonly changes: BookChanges;
  /** The ids of the open lines. */
  readonly lines: readonly string[];
}

/** Replaces the issues about rejected lines with those about the open ones. Stores them under a separate book name. */
export async function renewRejectedLines(
  sql: Sql,
  taxpayerId: string,
  stored: readonly Issue[],
): Promise<RejectedLinesChange> {
  const open = [...(await readRejectedLines(sql, taxpayerId)), ...(await readProposedRows(sql, taxpayerId))];
  const lines = open.map(({ id }) => id);
  if (sameTexts(open.map(textOf), stored.map(textOf))) return { changes: noChanges(), lines };
  const days = Map.groupBy(open, ({ causedOn }) => causedOn);
  const changed = { gone: [], come: new Set(days.keys()) };
  const book = rejectedBook;
  const years = await replaceFacts(sql, taxpayerId, [{ book, days, changed, asOf: null, waitedAfter: '-infinity' }]);
  const summaries = [...Map.groupBy(open, ({ on }) => yearOf(on))].map(([year, own]) => summarizeFacts(year, own));
  return {
    changes: { years: new Set(years), changes: await netBooks(sql, taxpayerId, new Map([[book, summaries]])) },
    lines,
  };
}

function textOf({ id, on, dollars, detail }: Issue): string {
  return [id, on, dollars, detail].join('\n');
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  const known = new Set(right);
  return left.length === right.length && left.every((text) => known.has(text));
}
