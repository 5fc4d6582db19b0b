import type { Sql } from '../../../db/connection.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import { type Elections, type StoredSettings, toElections } from '../transactions/elections.ts';

export async function readSettings(sql: Sql, taxpayerId: string): Promise<Settings> {
  const row = await selectTaxpayer(sql, taxpayerId);
  return { elections: toElections(row.settings, row.time_zone), timeZone: row.time_zone, stored: row.settings };
}

/** The taxpayer's settings when the rows were staged. */
export interface Settings {
  readonly elections: Elections;
  readonly timeZone: string;
  readonly stored: StoredSettings;
}
