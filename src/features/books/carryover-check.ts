import type { Sql } from '../../db/connection.ts';
import type { Issue } from '../../engine/model.ts';
import type { Elections } from '../transactions/elections.ts';
import { readAccepted, withoutAccepted } from '../transactions/resolutions/accepted.ts';
import { selectLastSale } from './queries.ts';
import { carryoverIssues, yearsOfOtherStatus } from './summaries/carryover-questions.ts';
import { summaryFromText } from './summaries/netting.ts';
import { selectYears } from './summaries/queries.ts';
import type { BookChanges } from './summaries/summaries.ts';
import { storeUnbooked } from './unbooked-issues.ts';

/** Asks again, of the years as they are stored, which carried losses are to be divided between spouses. */
export async function recheckCarryover(sql: Sql, taxpayerId: string, elections: Elections): Promise<BookChanges> {
  const found = await readCarryoverIssues(sql, taxpayerId, elections);
  const open = found.length === 0 ? [] : withoutAccepted(found, await readAccepted(sql, taxpayerId));
  return storeUnbooked(sql, { taxpayerId, book: 'carryover' }, open as Issue[]);
}

async function readCarryoverIssues(sql: Sql, taxpayerId: string, elections: Elections): Promise<Issue[]> {
  const years = yearsOfOtherStatus(elections);
  if (years.length === 0) return [];
  const summaries = (await selectYears(sql, taxpayerId)).map(({ summary }) => summaryFromText(summary));
  const rows = new Map<number, string>();
  for (const year of years) {
    const row = await selectLastSale(sql, taxpayerId, `${year}-01-01`);
    if (row !== undefined) rows.set(year, row);
  }
  return carryoverIssues(summaries, elections, rows);
}
