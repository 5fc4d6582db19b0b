import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../http/errors.ts';
import { withdrawBalances } from '../balances/sources/sources.ts';
import { readYearsSeen, yearChanges } from '../books/summaries/year-changes.ts';
import { countTransactions, releaseTransactions } from '../plans/limits.ts';
import { recompute } from '../recompute/recompute.ts';
import { toClassRules } from '../transactions/elections.ts';
import { deleteRejects } from '../transactions/rejected/queries.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { removeImport } from '../transactions/store.ts';
import { handOverText } from '../transactions/texts/queries.ts';
import { inTurn, inTurnTakenBack } from '../transactions/turn.ts';
import type { UndoPreview } from './schemas.ts';
import { readSettings } from './settings.ts';
import { deleteImport, recordNumbers, selectImport } from './status/queries.ts';

/** Removes the rows that no other import contains, and recomputes the gains. */
export async function undoImport(deps: Deps, scope: StageScope): Promise<void> {
  await inTurn(deps, scope.taxpayerId, (sql) => removeStored(deps, sql, scope));
}

/** Undoes an import, rolls it back, and returns the removed transactions and the years that would change. */
export async function previewUndo(deps: Deps, scope: StageScope): Promise<typeof UndoPreview.static> {
  return inTurnTakenBack(deps, scope.taxpayerId, async (sql) => {
    const before = await readYearsSeen(sql, scope.taxpayerId);
    const transactions = await removeStored(deps, sql, scope);
    return { transactions, years: yearChanges(before, await readYearsSeen(sql, scope.taxpayerId)) };
  });
}

/** Returns the number of removed transactions. The caller must hold the taxpayer's lock. */
async function removeStored(deps: Deps, sql: Sql, scope: StageScope): Promise<number> {
  const { taxpayerId } = scope;
  const row = await selectImport(sql, scope);
  if (row === undefined) throw notFound();
  if (row.status === 'running') throw new Refusal('conflict', 'This import is still running. Undo it when it is done.');
  const { stored, timeZone } = await readSettings(sql, taxpayerId);
  const resolution = { ...toClassRules(stored), timeZone };
  const { removed, touched, ...others } = await removeImport(sql, scope, resolution, deps.clock.now());
  if (removed > 0) await releaseTransactions(sql, taxpayerId, removed);
  if (others.stored > 0) await countTransactions(sql, taxpayerId, others.stored);
  await deleteRejects(sql, scope);
  await recordNumbers(sql, scope, []);
  const stated = new Set(await withdrawBalances(deps, sql, scope));
  await recompute(sql, taxpayerId, touched, { stated });
  await handOverText(sql, scope);
  await deleteImport(sql, scope);
  return removed;
}
