import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { SaveResponse } from '../../http/idempotency.ts';
import { failureOf } from '../../http/problems.ts';
import type { Taxpayer } from '../auth/access.ts';
import { notify } from '../notifications/notify.ts';
import { classRulesOf } from '../transactions/elections.ts';
import { type StageScope, selectIdKey } from '../transactions/rows/queries.ts';
import { deleteStaged } from '../transactions/staged/queries.ts';
import { deleteTexts } from '../transactions/texts/queries.ts';
import { notifyFailure } from './failure-notice.ts';
import type { ImportDeps } from './import-deps.ts';
import { recallMappings } from './mappings/remember.ts';
import type { ImportOptions } from './options.ts';
import { type Staged, stageFile } from './reading/stage.ts';
import { readSettings } from './settings.ts';
import { readSpace, within } from './space.ts';
import {
  deleteImport,
  type ImportRow,
  insertEvent,
  insertImport,
  recordFailure,
  recordHeartbeat,
  selectImport,
} from './status/queries.ts';
import { storeStaged } from './storing.ts';
import { type Upload, UploadBroken } from './upload.ts';
import { type ImportView, importView } from './view.ts';

export interface ImportAnswer {
  readonly status: 200 | 201 | 202;
  readonly body: ImportView;
}

const heartbeatSeconds = 10;

/**
 * Reads and stages the file as it comes, then stores it in one short transaction. An import that fails leaves nothing.
 * Only where no response can carry the failure, the import stays in the list and says why it failed.
 */
export async function runImport(
  deps: ImportDeps,
  taxpayer: Taxpayer,
  upload: Upload,
  options: ImportOptions,
  saveResponse: SaveResponse,
): Promise<ImportAnswer> {
  const scope = { taxpayerId: taxpayer.id, importId: crypto.randomUUID() };
  const { settings, remembered, bytesMax, idKey } = await begin(deps, scope, taxpayer, upload.fileName, options);
  const stopHeartbeat = startHeartbeat(deps, scope);
  let staged: Staged;
  try {
    staged = await stageFile(deps, scope, within(upload.content, bytesMax, taxpayer), {
      ...readingOf(options),
      remembered,
      keepText: !options.dryRun,
      statedZone: options.timeZone ?? null,
      timeZone: settings.timeZone,
      classes: classRulesOf(settings.stored),
      idKey,
    });
    if (!options.async) {
      const order = {
        taxpayer,
        scope,
        staged,
        settings,
        options,
        digest: upload.digest(),
        heldKey: saveResponse.heldKey,
      };
      const body = await storeStaged(deps, order, upload.signal);
      return { status: options.dryRun ? 200 : 201, body };
    }
  } catch (error) {
    await giveUp(deps, scope, error, { isAnswered: !(error instanceof UploadBroken), dryRun: options.dryRun });
    throw error instanceof UploadBroken
      ? new Refusal('bad_request', 'The upload broke off. Nothing was stored.')
      : error;
  } finally {
    if (!options.async) stopHeartbeat();
  }
  const accepted = await accept(deps, scope, upload, saveResponse);
  const leave = deps.lifecycle.enter();
  const order = { taxpayer, scope, staged, settings, options, digest: upload.digest(), heldKey: null };
  // The request is answered: whether its client stays connected does not matter any more.
  void storeStaged(deps, order, new AbortController().signal)
    .catch((error: unknown) => giveUp(deps, scope, error, { isAnswered: false, dryRun: options.dryRun }))
    .catch((error: unknown) => deps.log.error('import not given up', error))
    .finally(() => {
      stopHeartbeat();
      leave();
    });
  return accepted;
}

async function begin(
  deps: Deps,
  scope: StageScope,
  taxpayer: Taxpayer,
  fileName: string | null,
  { dryRun }: ImportOptions,
) {
  return deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    // A dry run keeps nothing.
    const bytesMax = dryRun ? null : await readSpace(sql, taxpayer);
    await insertImport(sql, scope, { fileName, owner: deps.database.name, at: deps.clock.now() });
    const settings = await readSettings(sql, scope.taxpayerId);
    const [remembered, idKey] = [await recallMappings(sql, scope.taxpayerId), await selectIdKey(sql, scope.taxpayerId)];
    return { settings, remembered, bytesMax, idKey };
  });
}

/** What the request says of the file, for its reader. */
function readingOf({ format, account, mapping, dateOrder, side }: ImportOptions) {
  return {
    ...(format === undefined ? {} : { format }),
    ...(account === undefined ? {} : { account }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(side === undefined ? {} : { side }),
  };
}

function startHeartbeat(deps: Deps, scope: StageScope): () => void {
  const beat = (): void => {
    deps.database
      .asTaxpayer(scope.taxpayerId, (sql) => recordHeartbeat(sql, scope))
      .catch((error: unknown) => deps.log.warn('import without heartbeat', { reason: String(error) }));
  };
  const timer = setInterval(beat, heartbeatSeconds * 1000);
  return () => clearInterval(timer);
}

async function accept(
  deps: Deps,
  scope: StageScope,
  upload: Upload,
  saveResponse: SaveResponse,
): Promise<ImportAnswer> {
  return deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    const body = importView((await selectImport(sql, scope)) as ImportRow);
    return saveResponse(sql, { status: 202 as const, body }, upload.digest());
  });
}

/** Removes the import. Where no response carries the failure, its line in the list stays. */
async function giveUp(
  deps: Deps,
  scope: StageScope,
  cause: unknown,
  { isAnswered, dryRun }: { readonly isAnswered: boolean; readonly dryRun: boolean },
): Promise<void> {
  const unanswered = isAnswered ? null : cause;
  await deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    await deleteStaged(sql, scope);
    const isLimit = cause instanceof Refusal && cause.code === 'plan_limit';
    if (isLimit && !dryRun) await notifyLimit(sql, scope, cause, deps.clock.now());
    if (unanswered === null) {
      await deleteImport(sql, scope);
      return;
    }
    await deleteTexts(sql, scope);
    const problem = problemOf(unanswered);
    const at = deps.clock.now();
    await recordFailure(sql, scope, problem, at);
    await insertEvent(sql, scope, 'failed', problem);
    const { fileName = null } = (await selectImport(sql, scope)) ?? {};
    if (!isLimit) await notifyFailure(sql, scope, { fileName, problem, at });
  });
  if (unanswered !== null && !(unanswered instanceof Refusal) && !(unanswered instanceof UploadBroken)) {
    deps.log.error('import failed', unanswered);
  }
}

async function notifyLimit(sql: Sql, scope: StageScope, refusal: Refusal, at: Date): Promise<void> {
  const title = 'The limit of your plan is reached';
  await notify(sql, scope.taxpayerId, { kind: 'limit_reached', title, body: refusal.detail, link: '/v1/plans', at });
}

function problemOf(error: unknown): { code: string; detail: string } {
  if (!(error instanceof UploadBroken)) return failureOf(error);
  return { code: 'upload_broken', detail: 'The upload broke off. Nothing was stored.' };
}
