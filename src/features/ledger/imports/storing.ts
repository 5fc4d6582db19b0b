import { openSemaphore, type Semaphore } from '../../../base/semaphore.ts';
import type { Job, JobWork } from '../../../db/job-queue.ts';
import { fromErrorWords } from '../../../http/error-words.ts';
import { releaseKey } from '../../../http/queries.ts';
import { WorkerPool } from '../../../http/worker-pool.ts';
import { type StoredSettings, toElections } from '../transactions/elections.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';
import { hasStaged } from '../transactions/staged/staged.queries.ts';
import { stagedLost } from '../transactions/store.ts';
import { removeFailed } from './failed-import.ts';
import type { ImportDeps } from './import-deps.ts';
import { selectStoreRequest } from './imports.queries.ts';
import { type StoreRequest, storeImport } from './store.ts';
import type { FromStorer, ToStorer } from './storing-worker.ts';
import type { ImportView } from './view.ts';

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
export async function storeStaged(deps: ImportDeps, request: StoreRequest, signal: AbortSignal): Promise<ImportView> {
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

export function toSavedStoreRequest(request: StoreRequest, isAccepted: boolean): SavedStoreRequest {
  const { stored, timeZone } = request.settings;
  // A request that was answered has already saved its response.
  const answered = isAccepted ? { heldKey: null, audit: null } : {};
  return { ...request, ...answered, settings: { stored, timeZone }, isAccepted };
}

function toStoreRequest({ settings, isAccepted: _, ...request }: SavedStoreRequest): StoreRequest {
  const { stored, timeZone } = settings;
  return { ...request, settings: { stored, timeZone, elections: toElections(stored, timeZone) } };
}
