import type { Sql } from '../../../../db/connection.ts';
import type { Resolution } from '../../transactions/derive.ts';
import { deleteRejects } from '../../transactions/rejected.queries.ts';
import { type TouchedKeys, touch } from '../../transactions/rows/columns.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import { type ArrivingRows, removeImport } from '../../transactions/store.ts';
import { handOverText } from '../../transactions/texts.queries.ts';
import { compareRows } from '../changes/compare.ts';
import { deleteImport, recordNumbers } from '../status/status.queries.ts';
import { countShared, handOverDuplicates } from './reread.queries.ts';

/**
 * Replaces an import with a reread of its file. Stores the new rows in addition to the old ones, and then removes the
 * old import. Rows in both versions stay, with their corrections and answers. Rows that are only in the old version are
 * removed. If a row differs, the new version takes precedence.
 */
export async function replaceRows(
  sql: Sql,
  scope: StageScope,
  replacement: {
    readonly replaces: string;
    readonly stored: ArrivingRows;
    readonly resolution: Resolution;
    readonly at: Date;
  },
) {
  const { replaces, stored, resolution, at } = replacement;
  const old = { ...scope, importId: replaces };
  await stored.close();
  const changes = await compareRows(sql, scope, replaces, false);
  await handOverDuplicates(sql, scope, replaces);
  const removal = await removeImport(sql, old, resolution, at);
  await deleteRejects(sql, old);
  await recordNumbers(sql, old, []);
  return {
    changes,
    /** The change in the number of rows, in addition to the rows that the import itself added. */
    added: removal.stored - removal.removed,
    shared: await countShared(sql, scope),
    touched: mergeTouched(stored.touched, removal.touched),
  };
}

/** Deletes the old import after its text has been handed over to the new one. */
export async function dropReplaced(sql: Sql, old: StageScope): Promise<void> {
  await handOverText(sql, old);
  await deleteImport(sql, old);
}

function mergeTouched(one: TouchedKeys, other: TouchedKeys): TouchedKeys {
  const all = new Map(one);
  for (const [key, day] of other) touch(all, key, day);
  return all;
}
