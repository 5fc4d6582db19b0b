import { openSemaphore, type Semaphore } from '../../../base/semaphore.ts';
import { fromErrorWords } from '../../../http/errors.ts';
import { canceledRequest, type PoolBounds, WorkerPool } from '../../../http/worker-pool.ts';
import type { FileHead, FromRenderer, RenderJob, ToRenderer } from './render-worker.ts';

/** A file that is being rendered. Canceling the body stops the rendering. */
interface RenderedFile extends FileHead {
  readonly body: ReadableStream<Uint8Array>;
}

/** The file to render, and its books. */
interface RenderRequest extends Omit<RenderJob, 'kind' | 'credit' | 'parts'> {
  readonly taxpayerId: string;
  /** The size of the stored copy of the books. */
  readonly bytes: number;
  /** Reads the copy when it is the request's turn, so that waiting requests use no memory. */
  readParts(): Promise<readonly Uint8Array[]>;
}

/** Limits for the Workers. A Worker takes a few hundred megabytes for a large PDF. */
interface RenderBounds extends PoolBounds {
  /** The maximum time between two pieces. */
  readonly pieceSeconds: number;
  /** Rendering stops if the client reads nothing for this long. */
  readonly stallSeconds: number;
  /** The number of bytes to render ahead of the client, so that a slow client does not keep a Worker busy. */
  readonly aheadBytes: number;
  /**
   * The minimum size of a copy of the books for a large report, about 15,000 lines. Large reports are rendered one at a
   * time, and their Worker exits afterwards.
   */
  readonly largeBytes: number;
}

export const renderBounds: RenderBounds = {
  workers: 2,
  waiting: 32,
  waitSeconds: 60,
  pieceSeconds: 120,
  stallSeconds: 60,
  idleSeconds: 30,
  aheadBytes: 4_000_000,
  largeBytes: 1_000_000,
};

/** Renders reports in Workers. */
export class RenderPool {
  private readonly workers: WorkerPool;
  private readonly largeReports: Semaphore;

  constructor(private readonly bounds: RenderBounds = renderBounds) {
    const { waiting, waitSeconds } = bounds;
    this.largeReports = openSemaphore({
      placesMax: 1,
      waitingPerKeyMax: waiting,
      waitMilliseconds: waitSeconds * 1000,
    });
    const detail = 'Many reports are being generated. Try again in a minute.';
    this.workers = new WorkerPool('features/gains/reports/render-worker.ts', bounds, detail);
  }

  /** The number of Workers that are rendering. */
  get busy(): number {
    return this.workers.busy;
  }

  /** Starts a Worker early, because a new report will be downloaded soon. */
  prepare(): void {
    this.workers.prepare();
  }

  /**
   * Renders a file. Resolves when the file's name is known. If rendering fails before that, the request is refused as
   * usual.
   */
  async render(renderRequest: RenderRequest, signal: AbortSignal): Promise<RenderedFile> {
    if (renderRequest.bytes < this.bounds.largeBytes) return this.draw(renderRequest, signal, () => {});
    const { promise, resolve, reject } = Promise.withResolvers<RenderedFile>();
    const turn = this.largeReports(renderRequest.taxpayerId, () => {
      const drawn = Promise.withResolvers<void>();
      this.draw(renderRequest, signal, drawn.resolve).then(resolve, (error: unknown) => {
        reject(error);
        drawn.resolve();
      });
      return drawn.promise;
    });
    turn.catch(reject);
    return promise;
  }

  private async draw(renderRequest: RenderRequest, signal: AbortSignal, onDrawn: () => void): Promise<RenderedFile> {
    const { taxpayerId: _, bytes, readParts, ...job } = renderRequest;
    const worker = await this.workers.take(signal);
    const giveBack = (isSound: boolean): void => {
      // Does not reuse a Worker that rendered a large report, because its heap stays large.
      this.workers.giveBack(worker, isSound && bytes < this.bounds.largeBytes);
      onDrawn();
    };
    let parts: readonly Uint8Array[];
    try {
      parts = await readParts();
    } catch (error) {
      giveBack(true);
      throw error;
    }
    const drawing = new Drawing(worker, this.bounds, giveBack);
    return drawing.begin({ kind: 'render', ...job, parts, credit: this.bounds.aheadBytes }, signal);
  }
}

/** Transfers one file from a Worker to the client. */
class Drawing {
  private readonly head = Promise.withResolvers<RenderedFile>();
  private readonly made: Uint8Array[] = [];
  private awaited = Promise.withResolvers<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failure: { readonly error: unknown } | undefined;
  /** Whether the Worker was returned to the pool. */
  private drawn = false;

  constructor(
    private readonly worker: Worker,
    private readonly bounds: RenderBounds,
    private readonly done: (isSound: boolean) => void,
  ) {}

  begin(job: RenderJob, signal: AbortSignal): Promise<RenderedFile> {
    this.worker.onmessage = ({ data }: MessageEvent<FromRenderer>) => this.hear(data);
    this.worker.onerror = (event) => this.fail(new Error(`A report Worker failed: ${event.message}`));
    signal.addEventListener('abort', () => this.fail(canceledRequest()), { once: true });
    this.allow(this.bounds.pieceSeconds, 'A report took too long to render.');
    this.worker.postMessage(job satisfies ToRenderer);
    return this.head.promise;
  }

  private hear(message: FromRenderer): void {
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
        this.done(true);
        this.awaited.resolve();
        return;
      case 'refused':
      case 'failed':
        this.fail(fromErrorWords(message));
        return;
      default:
        message satisfies never;
    }
  }

  /** Returns the body. The stream itself has no queue: the Worker may send as many bytes as the client has read. */
  private body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          this.allow(this.bounds.pieceSeconds, 'A report took too long to render.');
          const piece = await this.next();
          if (piece === undefined) {
            clearTimeout(this.timer);
            controller.close();
            return;
          }
          controller.enqueue(piece);
          this.awaitClient();
          if (!this.drawn) this.worker.postMessage({ kind: 'more', bytes: piece.length } satisfies ToRenderer);
        },
        cancel: () => this.fail(canceledRequest()),
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
    this.allow(this.bounds.stallSeconds, 'The client stopped reading its report.');
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
      this.done(false);
    }
    this.head.reject(error);
    this.awaited.resolve();
  }
}
