import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { toFailure } from '../../../http/problems.ts';
import { notify, notifyYearConflict } from '../../people/notifications.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { deleteStaged } from '../transactions/staged.queries.ts';
import { deleteTexts } from '../transactions/transactions.queries.ts';
import { deleteRunning, insertEvent, recordFailure, selectImport } from './imports.queries.ts';
import { UploadBroken } from './upload.ts';
import type { ImportProblem } from './view.ts';

/**
 * Removes a failed import. If no response reports the failure, the import stays in the list with the reason, unless it
 * was a dry run.
 */
export async function removeFailed(
  deps: Deps,
  scope: StageScope,
  cause: unknown,
  { isAnswered, dryRun }: { readonly isAnswered: boolean; readonly dryRun: boolean },
): Promise<void> {
  const unanswered = isAnswered || dryRun ? null : cause;
  await deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    await deleteStaged(sql, scope);
    const isLimit = cause instanceof Refusal && cause.code === 'plan_limit';
    if (isLimit && !dryRun) await notifyLimit(sql, scope, cause, deps.clock.now());
    if (unanswered === null) {
      await deleteRunning(sql, scope);
      return;
    }
    await deleteTexts(sql, scope);
    const problem = toImportProblem(unanswered);
    const at = deps.clock.now();
    await recordFailure(sql, scope, problem, at);
    await insertEvent(sql, scope, 'failed', problem);
    const { fileName = null } = (await selectImport(sql, scope)) ?? {};
    if (unanswered instanceof Refusal && unanswered.code === 'year_locked') {
      await notifyYearConflict(sql, scope.taxpayerId, { cause: fileName ?? 'Your file', refusal: unanswered, at });
    }
    if (!isLimit) await notifyFailure(sql, scope, { fileName, problem, at });
  });
  if (unanswered !== null && !(unanswered instanceof Refusal) && !(unanswered instanceof UploadBroken)) {
    deps.log.error('import failed', unanswered);
  }
}

async function notifyLimit(sql: Sql, scope: StageScope, refusal: Refusal, at: Date): Promise<void> {
  const title = 'Your plan limit is reached';
  await notify(sql, scope.taxpayerId, { kind: 'limit_reached', title, body: refusal.detail, link: '/v1/plans', at });
}

function toImportProblem(error: unknown): ImportProblem {
  if (!(error instanceof UploadBroken)) return toFailure(error);
  return { code: 'upload_broken', detail: 'The upload was interrupted. No rows were imported. Select the file again.' };
}

interface Failure {
  readonly fileName: string | null;
  readonly problem: { readonly detail: string };
  readonly at: Date;
}

/** Notifies the taxpayer that an import failed and why, if no response reports it. */
export async function notifyFailure(
  sql: Sql,
  { taxpayerId, importId }: StageScope,
  { fileName, problem, at }: Failure,
): Promise<void> {
  await notify(sql, taxpayerId, {
    kind: 'import_failed',
    title: 'Import failed',
    body: `${fileName ?? 'Your file'}: ${problem.detail}`,
    link: `/v1/imports/${importId}`,
    at,
  });
}
