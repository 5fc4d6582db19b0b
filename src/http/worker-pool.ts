import { Refusal } from '../base/refusal.ts';
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
  private readonly waiting: ((free: boolean) => void)[] = [];
  private taken = 0;

  constructor(
    private readonly path: WorkerPath,
    private readonly bounds: PoolBounds,
    /** The detail of the error if no Worker is free. */
    private readonly overloadedDetail: string,
  ) {}

  /** Workers in use. */
  get busy(): number {
    return this.taken;
  }

  /** Starts a Worker ahead of a job that is expected soon. */
  prepare(): void {
    if (this.idle.length === 0 && this.taken < this.bounds.workers) this.park(openWorker(this.path));
  }

  /** Takes a Worker. The caller returns it. */
  async take(signal?: AbortSignal): Promise<Worker> {
    await this.enter(signal);
    const ready = this.idle.pop();
    if (ready === undefined) return openWorker(this.path);
    clearTimeout(ready.timer);
    return ready.worker;
  }

  /** `isSound` means that the Worker has finished its job. Any other Worker is terminated. */
  giveBack(worker: Worker, isSound: boolean): void {
    if (isSound) this.park(worker);
    else worker.terminate();
    const next = this.waiting.shift();
    if (next === undefined) this.taken -= 1;
    else next(true);
  }

  private async enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw canceledRequest();
    if (this.taken < this.bounds.workers) {
      this.taken += 1;
      return;
    }
    if (this.waiting.length >= this.bounds.waiting) throw this.overloaded();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.waiting.push(resolve);
    const giveUp = (): void => {
      const at = this.waiting.indexOf(resolve);
      if (at < 0) return;
      this.waiting.splice(at, 1);
      resolve(false);
    };
    const timer = setTimeout(giveUp, this.bounds.waitSeconds * 1000);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      if (await promise) return;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
    throw signal?.aborted ? canceledRequest() : this.overloaded();
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

  private overloaded(): Refusal {
    return new Refusal('overloaded', this.overloadedDetail, { retryAfterSeconds: 10 });
  }
}

/** Returns the error for a client that disconnected. This is not a bug, and no client reads the response. */
export function canceledRequest(): Refusal {
  return new Refusal('bad_request', 'The request was canceled.');
}
