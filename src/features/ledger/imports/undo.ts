import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { countTransactions, releaseTransactions } from '../../people/plans/limits.ts';
import { withdrawBalances } from '../balances/store.ts';
import { readYearsSeen, yearChanges } from '../books/summaries/year-changes.ts';
import { recompute } from '../recompute/recompute.ts';
import { toClassRules } from '../transactions/elections.ts';
import { deleteRejects } from '../transactions/rejected.queries.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';
import { removeImport } from '../transactions/store.ts';
import { handOverText } from '../transactions/texts.queries.ts';
import { inTurn, inTurnTakenBack } from '../transactions/turn.ts';
import type { UndoPreview } from './imports.schemas.ts';
import { undoRestorably } from './restore.ts';
import { readSettings } from './settings.ts';
import { deleteImport, recordNumbers, selectImport } from './status/status.queries.ts';

/** Removes the rows that no other import contains, and recomputes the gains. A restore is possible for a day. */
export async function undoImport(deps: Deps, taxpayer: Taxpayer, scope: StageScope): Promise<void> {
  await inTurn(deps, scope.taxpayerId, (sql) =>
    undoRestorably(deps, sql, { taxpayer, scope }, async () => {
      const { removed, stored } = await removeStored(deps, sql, scope);
      return removed - stored;
    }),
  );
}

/** Undoes an import, rolls it back, and returns the removed transactions and the years that would change. */
export async function previewUndo(deps: Deps, scope: StageScope): Promise<typeof UndoPreview.static> {
  return inTurnTakenBack(deps, scope.taxpayerId, async (sql) => {
    const before = await readYearsSeen(sql, scope.taxpayerId);
    const { removed } = await removeStored(deps, sql, scope);
    return { transactions: removed, years: yearChanges(before, await readYearsSeen(sql, scope.taxpayerId)) };
  });
}

/** Returns the numbers of transactions that were removed, and stored in their place. The caller must hold the taxpayer's lock. */
async function removeStored(deps: Deps, sql: Sql, scope: StageScope) {
  const { taxpayerId } = scope;
  const row = await selectImport(sql, scope);
  if (row === undefined) throw notFound();
  if (row.status === 'running') throw new Refusal('conflict', 'This import is still running. Undo it when it is done.');
  const { stored, timeZone } = await readSettings(sql, taxpayerId);
  const resolution = { ...toClassRules(stored), timeZone };
  const { removed, stored: others, touched } = await removeImport(sql, scope, resolution, deps.clock.now());
  if (removed > 0) await releaseTransactions(sql, taxpayerId, removed);
  if (others > 0) await countTransactions(sql, taxpayerId, others);
  await deleteRejects(sql, scope);
  await recordNumbers(sql, scope, []);
  const stated = new Set(await withdrawBalances(deps, sql, scope));
  await recompute(sql, taxpayerId, touched, { stated });
  await handOverText(sql, scope);
  await deleteImport(sql, scope);
  return { removed, stored: others };
}
