import { Refusal } from '../../base/refusal.ts';
import { openWorker } from '../../http/worker.ts';
import type { FileHead, FromWorker, RenderJob, ToWorker } from './render-worker.ts';

/** A file that is being drawn. Closing the body ends the work. */
export interface Rendered extends FileHead {
  readonly body: ReadableStream<Uint8Array>;
}

export interface RenderBounds {
  /** Reports drawn at once: each takes a core, and for a large PDF some hundred megabytes. */
  readonly workers: number;
  /** Requests that wait for a Worker; one more is told to come back. */
  readonly waiting: number;
  readonly waitSeconds: number;
  /** From one piece to the next. */
  readonly pieceSeconds: number;
  /** A client that takes nothing for so long is left. */
  readonly stallSeconds: number;
  readonly idleSeconds: number;
  /** Made ahead of the client, so that a slow one does not keep a Worker from others. */
  readonly aheadBytes: number;
}

export const renderBounds: RenderBounds = {
  workers: 2,
  waiting: 32,
  waitSeconds: 60,
  pieceSeconds: 120,
  stallSeconds: 60,
  idleSeconds: 30,
  aheadBytes: 4_000_000,
};

/** The Workers that draw reports: so many at once, reused, ended when they have nothing to do. */
export class RenderPool {
  private readonly idle: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  private readonly waiting: ((free: boolean) => void)[] = [];
  private taken = 0;

  constructor(private readonly bounds: RenderBounds = renderBounds) {}

  /** Workers that draw at this moment. */
  get busy(): number {
    return this.taken;
  }

  /** A report was made and will be asked for: the Worker that draws it may load meanwhile. */
  prepare(): void {
    if (this.idle.length === 0 && this.taken < this.bounds.workers)
      this.park(openWorker('features/reports/render-worker.ts'));
  }

  /** Resolves when the file's name is known: what fails before that fails as a request does. */
  async render(job: Omit<RenderJob, 'kind' | 'credit'>, signal: AbortSignal): Promise<Rendered> {
    await this.enter(signal);
    const drawing = new Drawing(this.takeWorker(), this.bounds, (worker) => this.leave(worker));
    return drawing.begin({ kind: 'render', ...job, credit: this.bounds.aheadBytes }, signal);
  }

  private async enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw clientLeft();
    if (this.taken < this.bounds.workers) {
      this.taken += 1;
      return;
    }
    if (this.waiting.length >= this.bounds.waiting) throw overloaded();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.waiting.push(resolve);
    const giveUp = (): void => {
      const at = this.waiting.indexOf(resolve);
      if (at < 0) return;
      this.waiting.splice(at, 1);
      resolve(false);
    };
    const timer = setTimeout(giveUp, this.bounds.waitSeconds * 1000);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      if (!(await promise)) throw overloaded();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  private takeWorker(): Worker {
    const ready = this.idle.pop();
    if (ready === undefined) return openWorker('features/reports/render-worker.ts');
    clearTimeout(ready.timer);
    return ready.worker;
  }

  /** Null: the Worker was ended in the middle of its work. */
  private leave(worker: Worker | null): void {
    if (worker !== null) this.park(worker);
    const next = this.waiting.shift();
    if (next === undefined) this.taken -= 1;
    else next(true);
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

/** One file on its way from a Worker to a client. */
class Drawing {
  private readonly head = Promise.withResolvers<Rendered>();
  private readonly made: Uint8Array[] = [];
  private awaited = Promise.withResolvers<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failure: { readonly error: unknown } | undefined;
  /** The Worker is no longer ours. */
  private drawn = false;

  constructor(
    private readonly worker: Worker,
    private readonly bounds: RenderBounds,
    private readonly done: (worker: Worker | null) => void,
  ) {}

  begin(job: RenderJob, signal: AbortSignal): Promise<Rendered> {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = (event) => this.fail(new Error(`A report Worker failed: ${event.message}`));
    signal.addEventListener('abort', () => this.fail(clientLeft()), { once: true });
    this.allow(this.bounds.pieceSeconds, 'A report took too long to draw.');
    this.worker.postMessage(job satisfies ToWorker);
    return this.head.promise;
  }

  private hear(message: FromWorker): void {
    if (this.drawn) return;
    switch (message.kind) {
      case 'head':
        this.head.resolve({ ...message.head, body: this.body() });
        this.awaitClient();
        return;
      case 'piece':
        this.made.push(message.bytes);
        this.awaited.resolve();
        return;
      case 'end':
        this.drawn = true;
        this.done(this.worker);
        this.awaited.resolve();
        return;
      case 'refused':
        this.fail(new Refusal(message.code, message.detail, message.more));
        return;
      case 'failed':
        this.fail(new Error(message.reason));
        return;
      default:
        message satisfies never;
    }
  }

  /** Nothing is queued in the stream itself: what the client has taken is what may be made anew. */
  private body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          this.allow(this.bounds.pieceSeconds, 'A report took too long to draw.');
          const piece = await this.next();
          if (piece === undefined) {
            clearTimeout(this.timer);
            controller.close();
            return;
          }
          controller.enqueue(piece);
          this.awaitClient();
          if (!this.drawn) this.worker.postMessage({ kind: 'more', bytes: piece.length } satisfies ToWorker);
        },
        cancel: () => this.fail(clientLeft()),
      },
      { highWaterMark: 0 },
    );
  }

  private async next(): Promise<Uint8Array | undefined> {
    while (this.made.length === 0 && !this.drawn) {
      this.awaited = Promise.withResolvers();
      await this.awaited.promise;
    }
    if (this.failure !== undefined) throw this.failure.error;
    return this.made.shift();
  }

  private awaitClient(): void {
    this.allow(this.bounds.stallSeconds, 'The client takes nothing of its report.');
  }

  private allow(seconds: number, otherwise: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail(new Error(otherwise)), seconds * 1000);
  }

  private fail(error: unknown): void {
    clearTimeout(this.timer);
    if (this.failure !== undefined) return;
    this.failure = { error };
    this.made.length = 0;
    if (!this.drawn) {
      this.drawn = true;
      this.worker.terminate();
      this.done(null);
    }
    this.head.reject(error);
    this.awaited.resolve();
  }
}

/** No bug, and nobody is there to read it. */
function clientLeft(): Refusal {
  return new Refusal('bad_request', 'The request was given up.');
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'Many reports are being drawn. Try again soon.', { retryAfterSeconds: 10 });
}
