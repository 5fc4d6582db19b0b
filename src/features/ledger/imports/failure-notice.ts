import type { Sql } from '../../../db/connection.ts';
import { notify } from '../../people/notifications/notify.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';

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
