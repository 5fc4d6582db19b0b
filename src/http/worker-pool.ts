import { Refusal } from '../base/refusal.ts';
import { openSemaphore, type Semaphore } from '../base/semaphore.ts';
import { openWorker, type WorkerPath } from './worker.ts';

export interface PoolBounds {
  /** Maximum number of Workers. Each uses one core. */
  readonly workers: number;
  /** Maximum number of requests that wait for a Worker. Further requests are refused as overloaded. */
  readonly waiting: number;
  readonly waitSeconds: number;
  /** Idle time before a Worker is terminated. */
  readonly idleSeconds: number;
}

/** A bounded pool of Workers of one kind. Each does one job at a time, is reused, and is terminated when it is idle. */
export class WorkerPool {
  private readonly idle: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  private readonly slots: Semaphore;
  /** Frees the slot of each Worker in use. */
  private readonly taken = new Map<Worker, () => void>();

  /** `overloadedDetail` is the detail of the error if no Worker is free. */
  constructor(
    private readonly path: WorkerPath,
    private readonly bounds: PoolBounds,
    overloadedDetail: string,
  ) {
    this.slots = openSemaphore({
      placesMax: bounds.workers,
      waitingMax: bounds.waiting,
      waitMilliseconds: bounds.waitSeconds * 1000,
      overloaded: () => new Refusal('overloaded', overloadedDetail, { retryAfterSeconds: 10 }),
    });
  }

  /** Workers in use. */
  get busy(): number {
    return this.taken.size;
  }

  /** Starts a Worker ahead of a job that is expected soon. */
  prepare(): void {
    if (this.idle.length === 0 && this.taken.size < this.bounds.workers) this.park(openWorker(this.path));
  }

  /** Takes a Worker. The caller returns it. */
  async take(signal?: AbortSignal): Promise<Worker> {
    const leave = await this.slots.enter('', signal).catch((error: unknown) => {
      throw signal?.aborted ? canceledRequest() : error;
    });
    const ready = this.idle.pop();
    clearTimeout(ready?.timer);
    const worker = ready?.worker ?? openWorker(this.path);
    this.taken.set(worker, leave);
    return worker;
  }

  /** `isSound` means that the Worker has finished its job. Any other Worker is terminated. */
  giveBack(worker: Worker, isSound: boolean): void {
    if (isSound) this.park(worker);
    else worker.terminate();
    const leave = this.taken.get(worker);
    this.taken.delete(worker);
    leave?.();
  }

  private park(worker: Worker): void {
    worker.onmessage = null;
    worker.onerror = null;
    const timer = setTimeout(() => {
      const at = this.idle.findIndex((parked) => parked.worker === worker);
      if (at >= 0) this.idle.splice(at, 1);
      worker.terminate();
    }, this.bounds.idleSeconds * 1000);
    timer.unref?.();
    this.idle.push({ worker, timer });
  }
}

/** Returns the error for a client that disconnected. This is not a bug, and no client reads the response. */
export function canceledRequest(): Refusal {
  return new Refusal('bad_request', 'The request was canceled.');
}
