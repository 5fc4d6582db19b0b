import type { Gate } from '../../base/gate.ts';
import type { WorkerPool } from '../../http/worker-pool.ts';
import type { StageDeps } from './reading/stage.ts';

/** What runs imports: `Deps`, and the Workers that read and store files. */
export interface ImportDeps extends StageDeps {
  readonly storingWorkers: WorkerPool;
  /** For small imports, which are stored by the thread that serves. */
  readonly smallImports: Gate;
}
