import { Refusal } from '../../../base/refusal.ts';
import { openSemaphore, type Semaphore } from '../../../base/semaphore.ts';
import type { Job, JobWork } from '../../../db/job-queue.ts';
import type { Deps } from '../../../deps.ts';
import { currentAudit, withoutAudit } from '../../../http/audit/audited-request.ts';
import { fromErrorWords } from '../../../http/errors.ts';
import { extendClaim, releaseKey } from '../../../http/queries.ts';
import type { SaveResponse } from '../../../http/saved-response.ts';
import { WorkerPool } from '../../../http/worker-pool.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { type StoredSettings, toClassRules, toElections } from '../transactions/elections.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import { hasStaged } from '../transactions/staged.queries.ts';
import { stagedLost } from '../transactions/store.ts';
import { removeFailed } from './failed-import.ts';
import { selectReaderFacts } from './file-accounts.queries.ts';
import { readEarlierAccounts } from './file-accounts.ts';
import type { ImportDeps } from './import-deps.ts';
import {
  type ImportRow,
  insertImport,
  recallMappings,
  recordFormat,
  recordHeartbeat,
  recordStoreRequest,
  selectImport,
  selectStoreRequest,
} from './imports.queries.ts';
import { type ImportOptions, readSettings, toReadingRequest } from './options.ts';
import { stageFile } from './reading/reading.ts';
import { type StoreRequest, storeImport } from './store.ts';
import type { FromStorer, ToStorer } from './storing-worker.ts';
import type { FinishedSync } from './synced.queries.ts';
import { limitBytes, readSpace, type Upload, UploadBroken } from './upload.ts';
import { type ImportView, importView } from './view.ts';

interface ImportResponse {
  readonly status: 200 | 201 | 202;
  readonly body: ImportView;
}

const heartbeatSeconds = 5;
/** How long a retry with the same Idempotency-Key waits for another server to finish the import. */
const takeOverSeconds = 600;

/**
 * Reads and stages the file as it arrives, and then stores it in one short transaction. A failed import leaves no data.
 * If no response reports the failure, the import stays in the list with the reason.
 */
export async function runImport(
  deps: ImportDeps,
  taxpayer: Taxpayer,
  upload: Upload,
  options: ImportOptions,
  saveResponse: SaveResponse,
  /** The import to replace, if its file is being reread, or the sync that the file comes from. */
  { replaces = null, sync = null }: { readonly replaces?: string | null; readonly sync?: FinishedSync | null } = {},
): Promise<ImportResponse> {
  const scope = { taxpayerId: taxpayer.id, importId: crypto.randomUUID() };
  const isNew = !options.dryRun && replaces === null;
  // Records only the final transaction in the audit trail, because everything before it is undone if the file is
  // refused.
  const audit = currentAudit();
  const beginning = { taxpayer, upload, options, isNew };
  const { settings, remembered, knownAccounts, bytesMax, idKey } = await withoutAudit(() =>
    begin(deps, scope, beginning),
  );
  const stopHeartbeat = withoutAudit(() => startHeartbeat(deps, scope));
  try {
    const content = limitBytes(upload.content, bytesMax, taxpayer);
    const reading = {
      ...toReaderOptions(options),
      ...(upload.fileName === null ? {} : { fileName: upload.fileName }),
      ...{ remembered, knownAccounts },
      keepText: !options.dryRun,
      statedZone: options.timeZone ?? null,
      timeZone: settings.timeZone,
      classes: toClassRules(settings.stored),
      idKey,
    };
    const staged = await withoutAudit(() => stageFile(deps, scope, content, reading));
    if (replaces === null) await withoutAudit(() => readEarlierAccounts(deps, scope, staged, reading));
    const { heldKey } = saveResponse;
    const storeRequest = {
      taxpayer,
      scope,
      staged,
      settings,
      options,
      replaces,
      audit,
      digest: upload.digest(),
      heldKey,
      sync,
    };
    if (options.async) return await withoutAudit(() => accept(deps, storeRequest, saveResponse));
    await withoutAudit(() => saveStoreRequest(deps, storeRequest));
    const body = await storeStaged(deps, storeRequest, upload.signal).catch((error: unknown) =>
      storedElsewhere(deps, scope, error),
    );
    return { status: options.dryRun ? 200 : 201, body };
  } catch (error) {
    const isAnswered = !(error instanceof UploadBroken);
    await withoutAudit(() => removeFailed(deps, scope, error, { isAnswered, dryRun: options.dryRun }));
    throw error instanceof UploadBroken
      ? new Refusal('bad_request', 'The upload was interrupted. No rows were imported. Select the file again.')
      : error;
  } finally {
    stopHeartbeat();
  }
}

interface Beginning {
  readonly taxpayer: Taxpayer;
  readonly upload: Upload;
  readonly options: ImportOptions;
  /** Whether the import uses storage. A dry run stores nothing, and a reread uses a file that is already stored. */
  readonly isNew: boolean;
}

async function begin(deps: Deps, scope: StageScope, { taxpayer, upload, options, isNew }: Beginning) {
  return deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    const bytesMax = isNew ? await readSpace(sql, taxpayer) : null;
    const { fileName } = upload;
    await insertImport(sql, scope, { fileName, asked: toReadingRequest(options), at: deps.clock.now() });
    const settings = await readSettings(sql, scope.taxpayerId);
    const { taxpayerId } = scope;
    const remembered = await recallMappings(sql, taxpayerId);
    return { settings, remembered, bytesMax, ...(await selectReaderFacts(sql, taxpayerId)) };
  });
}

/** Returns the request's options that the file reader needs. */
function toReaderOptions({ format, account, mapping, dateOrder, side, part }: ImportOptions) {
  return {
    ...(format === undefined ? {} : { format }),
    ...(account === undefined ? {} : { account }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(side === undefined ? {} : { side }),
    ...(part === undefined ? {} : { part }),
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

/**
 * Saves the request, so that a job can store the import if this server crashes. Does not save a dry run, which ends
 * with its request.
 */
async function saveStoreRequest({ database }: Deps, storeRequest: StoreRequest): Promise<void> {
  const { scope, staged, options, heldKey } = storeRequest;
  await database.asTaxpayer(scope.taxpayerId, async (sql) => {
    if (options.dryRun) return recordFormat(sql, scope, staged.opened);
    await recordStoreRequest(sql, scope, staged.opened, toSavedStoreRequest(storeRequest, false));
    // If the client retries in the meantime, it gets the final result.
    if (heldKey !== null) await extendClaim(sql, heldKey.scope, heldKey.claim, takeOverSeconds);
  });
}

/** Returns the result of an import that failed on this server, if another server stored it in the meantime. */
async function storedElsewhere({ database }: Deps, scope: StageScope, error: unknown): Promise<ImportView> {
  const row = await database
    .asTaxpayer(scope.taxpayerId, (sql) => selectImport(sql, scope), { readOnly: true })
    .catch(() => undefined);
  if (row?.status !== 'completed') throw error;
  return importView(row);
}

/** Answers the request and lets a job store the import. The job runs even if this server stops. */
async function accept(deps: Deps, storeRequest: StoreRequest, saveResponse: SaveResponse): Promise<ImportResponse> {
  const { scope, digest } = storeRequest;
  return deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
    await recordStoreRequest(sql, scope, storeRequest.staged.opened, toSavedStoreRequest(storeRequest, true));
    const body = importView((await selectImport(sql, scope)) as ImportRow);
    const savedResponse = await saveResponse(sql, { status: 202 as const, body }, digest);
    await deps.jobs.send(sql, { kind: 'import', taxpayerId: scope.taxpayerId, id: scope.importId });
    return savedResponse;
  });
}

/**
 * Up to this number of rows, storing on this thread is faster than starting a Worker. More rows would delay other
 * requests.
 */
const rowsHereMax = 20_000;

/** Opens the Workers that store large imports. */
export function openStoringWorkers(): WorkerPool {
  return new WorkerPool(
    'features/ledger/imports/storing-worker.ts',
    { workers: 2, waiting: 32, waitSeconds: 600, idleSeconds: 5 },
    'Many large files are being imported. Try again soon.',
  );
}

/**
 * Limits how many small imports are stored at the same time, because the thread that stores them also answers all other
 * requests. While 50 users import, another user waits 65 ms for a summary (p99) instead of 3.9 s (`scripts/bench
 * neighbors`). Imports wait for their turn and are never refused.
 */
export function openSmallImports(): Semaphore {
  return openSemaphore({ placesMax: 2, waitMilliseconds: 600_000 });
}

/** Stores an import when it is its turn. Uses a Worker for a large import. */
async function storeStaged(deps: ImportDeps, request: StoreRequest, signal: AbortSignal): Promise<ImportView> {
  return deps.taxpayerQueue(request.taxpayer.id, () =>
    request.staged.drafts > rowsHereMax
      ? storeInWorker(deps, request, signal)
      : deps.smallImports(request.taxpayer.id, () => storeImport(deps, request, signal)),
  );
}

async function storeInWorker(
  { database, storingWorkers }: ImportDeps,
  request: StoreRequest,
  signal: AbortSignal,
): Promise<ImportView> {
  const worker = await storingWorkers.take();
  const { promise, resolve, reject } = Promise.withResolvers<ImportView>();
  worker.onmessage = ({ data }: MessageEvent<FromStorer>) => {
    if (data.kind === 'stored') resolve(data.view);
    else reject(signal.aborted ? signal.reason : fromErrorWords(data));
  };
  let isSound = true;
  worker.onerror = (event) => {
    isSound = false;
    reject(new Error(`A Worker that stores imports failed: ${event.message}`));
  };
  const abort = (): void => worker.postMessage({ kind: 'abort' } satisfies ToStorer);
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    worker.postMessage({ kind: 'store', address: database.address, request } satisfies ToStorer);
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    storingWorkers.giveBack(worker, isSound);
  }
}

/** Stores files after their requests were answered, either on this server or on one that took over. */
export function storingJobs(deps: ImportDeps): JobWork {
  return {
    perform: async (job, signal) => {
      const scope = scopeOf(job);
      const [request, isStaged] = await deps.database.asTaxpayer(
        job.taxpayerId,
        async (sql) =>
          [(await selectStoreRequest(sql, scope)) as SavedStoreRequest | null, await hasStaged(sql, scope)] as const,
        { readOnly: true },
      );
      // The import was already stored, or it was deleted with its books.
      if (request === null) return;
      // Gives up if the staged rows are lost, because a retry cannot recover them.
      if (!isStaged && request.staged.drafts > 0) await giveUpStoreRequest(deps, scope, request, stagedLost());
      else await storeStaged(deps, toStoreRequest(request), signal);
    },
    giveUp: async (job, error) => {
      const scope = scopeOf(job);
      const request = await deps.database.asTaxpayer(job.taxpayerId, (sql) => selectStoreRequest(sql, scope));
      await giveUpStoreRequest(deps, scope, request as SavedStoreRequest | null, error);
    },
  };
}

async function giveUpStoreRequest(
  deps: ImportDeps,
  scope: StageScope,
  request: SavedStoreRequest | null,
  cause: unknown,
): Promise<void> {
  await removeFailed(deps, scope, cause, { isAnswered: false, dryRun: false });
  const heldKey = request?.heldKey ?? null;
  if (heldKey === null) return;
  await deps.database.asTaxpayer(scope.taxpayerId, (sql) => releaseKey(sql, heldKey.scope, heldKey.claim));
}

function scopeOf({ taxpayerId, id }: Job): StageScope {
  return { taxpayerId, importId: id };
}

/**
 * A saved request to store an import, without data that can be derived from the settings. If `isAccepted` is true, the
 * request was answered and a job stores the import. Otherwise, the server that handles the request stores it, or a job
 * if that server crashes. That job also writes the response and the audit entry.
 */
type SavedStoreRequest = Omit<StoreRequest, 'settings'> & {
  readonly settings: { readonly stored: StoredSettings; readonly timeZone: string };
  readonly isAccepted: boolean;
};

function toSavedStoreRequest(request: StoreRequest, isAccepted: boolean): SavedStoreRequest {
  const { stored, timeZone } = request.settings;
  // A request that was answered has already saved its response.
  const answered = isAccepted ? { heldKey: null, audit: null } : {};
  return { ...request, ...answered, settings: { stored, timeZone }, isAccepted };
}

function toStoreRequest({ settings, isAccepted: _, ...request }: SavedStoreRequest): StoreRequest {
  const { stored, timeZone } = settings;
  // A request that an earlier version saved has no sync.
  const { sync = null } = request;
  return { ...request, sync, settings: { stored, timeZone, elections: toElections(stored, timeZone) } };
}
