import { openSemaphore, type Semaphore } from '../../../base/semaphore.ts';
import { fromErrorWords } from '../../../http/error-words.ts';
import { WorkerPool } from '../../../http/worker-pool.ts';
import type { ImportDeps } from './import-deps.ts';
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
