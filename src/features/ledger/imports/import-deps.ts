import type { Semaphore } from '../../../base/semaphore.ts';
import type { WorkerPool } from '../../../http/worker-pool.ts';
import type { StageDeps } from './reading/reading.ts';

/** The dependencies of imports: `Deps`, and the Workers that read and store files. */
export interface ImportDeps extends StageDeps {
  readonly storingWorkers: WorkerPool;
  /** Limits how many small imports the server thread stores at the same time. */
  readonly smallImports: Semaphore;
}
