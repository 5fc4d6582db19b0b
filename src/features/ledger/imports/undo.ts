import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { countTransactions, planLimits, releaseTransactions, reserveTransactions } from '../../people/plans.ts';
import { withdrawBalances } from '../balances/store.ts';
import { readYearsSeen, yearChanges } from '../books/summaries.ts';
import { recompute } from '../recompute/recompute.ts';
import { addTouched, createResolver } from '../transactions/change.ts';
import { deriveRestored } from '../transactions/derive.ts';
import { toClassRules } from '../transactions/elections.ts';
import { deleteRejects } from '../transactions/row-issues.queries.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { collectTouched } from '../transactions/rows.ts';
import { inTurn, inTurnTakenBack, removeImport } from '../transactions/store.ts';
import { handOverText, shareText } from '../transactions/transactions.queries.ts';
import { deleteImport, type ImportRow, recordNumbers, selectImport } from './imports.queries.ts';
import type { UndoPreview } from './imports.schemas.ts';
import { readSettings } from './options.ts';
import {
  deleteUndone,
  deleteUndoneBeyond,
  digestRemaining,
  keepUndone,
  putBack,
  recordUndone,
  selectLaterImport,
  selectTouchedUndone,
  selectUndone,
  selectUndoneBefore,
} from './undone.queries.ts';
import { readSpace, takeSpace } from './upload.ts';
import { type ImportView, importView } from './view.ts';

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

const restorableMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Runs the undo of an import and keeps what it removes for a day. `remove` returns by how many transactions the books
 * shrink. The caller must hold the taxpayer's lock.
 */
async function undoRestorably(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  { taxpayer, scope }: { readonly taxpayer: Taxpayer; readonly scope: StageScope },
  remove: () => Promise<number>,
): Promise<void> {
  const row = await selectImport(sql, scope);
  if (row?.status !== 'completed') return void (await remove());
  await keepUndone(sql, scope, importView(row), clock.now());
  await recordUndone(sql, scope, await remove());
  await deleteUndoneBeyond(sql, taxpayer.id, planLimits[taxpayer.plan].importBytesMax);
}

/** Restores an undone import with its edits and answers, or changes nothing. */
export async function restoreImport(deps: Deps, taxpayer: Taxpayer, scope: StageScope): Promise<ImportView> {
  return inTurn(deps, taxpayer.id, async (sql) => {
    const undone = await selectUndone(sql, scope);
    if (undone === undefined) throw notFound();
    const name = undone.view.fileName ?? 'the file';
    const later = await selectLaterImport(sql, taxpayer.id, undone.undoneAt);
    if (later !== undefined) {
      const laterName = later ?? 'Another file';
      refuse(`${laterName} was imported after you undid this import. Undo that import first, or import ${name} again.`);
    }
    if ((await digestRemaining(sql, scope)) !== undone.remaining) {
      refuse(
        `This import can't be restored anymore, because its transactions or Lotbook itself have changed. Import ${name} again instead.`,
      );
    }
    await readSpace(sql, taxpayer);
    await takeSpace(sql, taxpayer, undone.bytes);
    const { transactions, transactionIds } = undone;
    if (transactions > 0) await reserveTransactions(sql, taxpayer, transactions);
    else await releaseTransactions(sql, taxpayer.id, -transactions);
    const touched = collectTouched(await selectTouchedUndone(sql, scope));
    await putBack(sql, scope);
    await shareText(sql, scope);
    addTouched(touched, collectTouched(await selectTouchedUndone(sql, scope)));
    const resolution = await createResolver(sql, taxpayer.id);
    addTouched(touched, await deriveRestored(sql, taxpayer.id, transactionIds, resolution));
    await deleteUndone(sql, scope);
    await recompute(sql, taxpayer.id, touched);
    return importView((await selectImport(sql, scope)) as ImportRow);
  });
}

function refuse(detail: string): never {
  throw new Refusal('conflict', detail);
}

const sweptAtOnce = 20;

/** Removes what can no longer be restored. */
export async function sweepUndone({ clock, database }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - restorableMilliseconds);
  const old = await database.asService((sql) => selectUndoneBefore(sql, before, sweptAtOnce), { readOnly: true });
  for (const scope of old) await database.asTaxpayer(scope.taxpayerId, (sql) => deleteUndone(sql, scope));
}
