import type { Deps } from '../../deps.ts';
import { errorOf } from '../../http/error-words.ts';
import { WorkerPool } from '../../http/worker-pool.ts';
import { type StoreOrder, storeImport } from './store.ts';
import type { FromStorer, ToStorer } from './storing-worker.ts';
import { UploadBroken } from './upload.ts';
import type { ImportView } from './view.ts';

/** So many rows are stored sooner than a Worker that has just begun would; more would keep other requests waiting. */
const rowsHereMax = 20_000;

const storers = new WorkerPool(
  'features/imports/storing-worker.ts',
  { workers: 2, waiting: 32, waitSeconds: 600, idleSeconds: 5 },
  'Many large files are being imported. Try again soon.',
);

/** Stores an import in its turn, a large one in a Worker. `isGone`: nobody waits for it any more. */
export async function storeStaged(deps: Deps, order: StoreOrder, isGone: () => boolean): Promise<ImportView> {
  const stay = (): void => {
    if (isGone()) throw new UploadBroken('The client is gone.');
  };
  return deps.taxpayerQueue.run(order.taxpayer.id, () =>
    order.staged.drafts > rowsHereMax
      ? storeInWorker(deps.database.url, order, stay)
      : storeImport(deps, order, async () => stay()),
  );
}

async function storeInWorker(url: string, order: StoreOrder, stay: () => void): Promise<ImportView> {
  const worker = await storers.take();
  const { promise, resolve, reject } = Promise.withResolvers<ImportView>();
  let left: unknown;
  worker.onmessage = ({ data }: MessageEvent<FromStorer>) => {
    if (data.kind === 'stored') resolve(data.view);
    else if (data.kind === 'asking') {
      try {
        stay();
      } catch (error) {
        left = error;
      }
      worker.postMessage({ kind: 'told', goesOn: left === undefined } satisfies ToStorer);
    } else reject(left ?? errorOf(data));
  };
  let isSound = true;
  worker.onerror = (event) => {
    isSound = false;
    reject(new Error(`A Worker that stores imports failed: ${event.message}`));
  };
  try {
    worker.postMessage({ kind: 'store', url, order } satisfies ToStorer);
    return await promise;
  } finally {
    storers.giveBack(worker, isSound);
  }
}
