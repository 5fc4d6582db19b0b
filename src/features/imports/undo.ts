import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../http/errors.ts';
import { withdrawBalances } from '../balances/sources/sources.ts';
import { countTransactions, releaseTransactions } from '../plans/limits.ts';
import { recompute } from '../recompute/recompute.ts';
import { toClassRules } from '../transactions/elections.ts';
import { deleteRejects } from '../transactions/rejected/queries.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { removeImport } from '../transactions/store.ts';
import { handOverText } from '../transactions/texts/queries.ts';
import { inTurn } from '../transactions/turn.ts';
import { readSettings } from './settings.ts';
import { deleteImport, recordNumbers, selectImport } from './status/queries.ts';

/** Removes the rows that no other import contains, and recomputes the gains. */
export async function undoImport(deps: Deps, scope: StageScope): Promise<void> {
  const { taxpayerId } = scope;
  await inTurn(deps, taxpayerId, async (sql) => {
    const row = await selectImport(sql, scope);
    if (row === undefined) throw notFound();
    if (row.status === 'running')
      throw new Refusal('conflict', 'This import is still running. Undo it when it is done.');
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
  });
}
