import type { Day } from '../../../../base/day.ts';
import { parseDayColumn } from './columns.ts';
import type { TouchedRow } from './rows.queries.ts';

/** The keys of books that a change affected, each with its first affected day. This is the input of `recompute`. */
export type TouchedKeys = ReadonlyMap<string, Day>;

export function collectTouched(...changes: readonly (readonly TouchedRow[])[]): Map<string, Day> {
  const touched = new Map<string, Day>();
  for (const rows of changes) for (const row of rows) touch(touched, row.asset_key, parseDayColumn(row.day));
  return touched;
}

export function touch(touched: Map<string, Day>, key: string, day: Day): void {
  const known = touched.get(key);
  if (known === undefined || day < known) touched.set(key, day);
}
