import type { Sql } from '../../../db/connection.ts';
import type { Resolution } from '../../transactions/derived/derive.ts';
import { deleteRejects } from '../../transactions/rejected/queries.ts';
import type { StageScope } from '../../transactions/rows/queries.ts';
import { type Touched, touch } from '../../transactions/rows/touched.ts';
import { type Arriving, removeImport } from '../../transactions/store.ts';
import { handOverText } from '../../transactions/texts/queries.ts';
import { compareRows } from '../changes/compare.ts';
import { deleteImport, recordNumbers } from '../status/queries.ts';
import { countShared, handOverDuplicates } from './queries.ts';

/**
 * A new reading of a file takes the place of the one before. The new rows are stored beside the old ones, then the old
 * import is taken out: rows that both have stay, with what was corrected or answered about them; what only the old one
 * had leaves; and a row that the two state otherwise is the new one's.
 */
export async function replaceRows(
  sql: Sql,
  scope: StageScope,
  order: {
    readonly replaces: string;
    readonly stored: Arriving;
    readonly resolution: Resolution;
    readonly at: Date;
  },
) {
  const { replaces, stored, resolution, at } = order;
  const old = { ...scope, importId: replaces };
  await stored.close();
  const changes = await compareRows(sql, scope, replaces, false);
  await handOverDuplicates(sql, scope, replaces);
  const removal = await removeImport(sql, old, resolution, at);
  await deleteRejects(sql, old);
  await recordNumbers(sql, old, []);
  return {
    changes,
    /** Rows that there are more, or fewer, beside those that the import brought itself. */
    added: removal.stored - removal.removed,
    shared: await countShared(sql, scope),
    touched: both(stored.touched, removal.touched),
  };
}

/** The old import itself, once the new one keeps the text of the file. */
export async function dropReplaced(sql: Sql, old: StageScope): Promise<void> {
  await handOverText(sql, old);
  await deleteImport(sql, old);
}

function both(one: Touched, other: Touched): Touched {
  const all = new Map(one);
  for (const [key, day] of other) touch(all, key, day);
  return all;
}
