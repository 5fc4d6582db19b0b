import { yearOf } from '../../../../base/day.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Issue } from '../../../../engine/model.ts';
import { readProposedRows } from '../../transactions/proposed-rows.ts';
import { readRejectedLines, rejectedBook } from '../../transactions/rejected/rejected-lines.ts';
import { replaceFacts } from '../facts/rewrite.ts';
import { type BookChanges, netBooks, noChanges, summarizeFacts } from './summaries.ts';

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
