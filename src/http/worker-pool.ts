import { Refusal } from '../base/refusal.ts';
import { openWorker, type WorkerPath } from './worker.ts';

export interface PoolBounds {
  /** Workers at once: each takes a core. */
  readonly workers: number;
  /** Requests that wait for one; one more is told to come back. */
  readonly waiting: number;
  readonly waitSeconds: number;
  /** One that has nothing to do for so long is ended. */
  readonly idleSeconds: number;
}

/** So many Workers of a kind at once, each for one piece of work at a time: reused, ended when they have nothing to do. */
export class WorkerPool {
  private readonly idle: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  private readonly waiting: ((free: boolean) => void)[] = [];
  private taken = 0;

  constructor(
    private readonly path: WorkerPath,
    private readonly bounds: PoolBounds,
    /** What one who waited in vain is told. */
    private readonly excuse: string,
  ) {}

  /** Workers at work at this moment. */
  get busy(): number {
    return this.taken;
  }

  /** There will be work soon: a Worker may load meanwhile. */
  prepare(): void {
    if (this.idle.length === 0 && this.taken < this.bounds.workers) this.park(openWorker(this.path));
  }

  /** A Worker, to be given back. */
  async take(signal?: AbortSignal): Promise<Worker> {
    await this.enter(signal);
    const ready = this.idle.pop();
    if (ready === undefined) return openWorker(this.path);
    clearTimeout(ready.timer);
    return ready.worker;
  }

  /** `isSound`: it is done with its work; one that is not is ended. */
  giveBack(worker: Worker, isSound: boolean): void {
    if (isSound) this.park(worker);
    else worker.terminate();
    const next = this.waiting.shift();
    if (next === undefined) this.taken -= 1;
    else next(true);
  }

  private async enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw givenUp();
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
    throw signal?.aborted ? givenUp() : this.overloaded();
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
    return new Refusal('overloaded', this.excuse, { retryAfterSeconds: 10 });
  }
}

/** No bug, and nobody is there to read it. */
export function givenUp(): Refusal {
  return new Refusal('bad_request', 'The request was given up.');
}
