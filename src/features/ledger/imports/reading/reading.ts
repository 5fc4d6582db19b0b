import { fromErrorWords } from '../../../../http/error-words.ts';
import { openWorker } from '../../../../http/worker.ts';
import type { ImportReadingOptions, StagingBatch } from './batches.ts';
import type { FromReader, ToReader } from './reading-worker.ts';

/**
 * The number of pieces of an upload to send ahead. Enough that the Worker never waits for a piece that has already
 * arrived.
 */
const aheadPieces = 4;
const pieceBytesMax = 256 * 1024;
const pingSeconds = 10;
/**
 * The maximum number of unanswered pings. After that, the Worker counts as hung. It normally responds within
 * milliseconds, but the machine may sleep between two pings.
 */
const pingsUnansweredMax = 6;
/** The idle time after which the Worker ends. Until then, the data that it has read stays in memory. */
const idleSeconds = 2;

/** Reads all files of a server in one Worker. The Worker starts with the first file and ends after an idle period. */
export class ReadingWorker {
  #open: OpenWorker | null = null;
  #lastId = 0;

  /** Reads a file. If the caller stops early, the upload also stops. */
  async *read(
    content: ReadableStream<Uint8Array>,
    options: ImportReadingOptions,
  ): AsyncGenerator<StagingBatch, void, undefined> {
    const file = this.#openFile(options);
    const feeding = feed(content, file).catch((error: unknown) => file.fail(error));
    try {
      for (;;) {
        const batch = await file.next();
        yield batch;
        if (batch.kind === 'end') return;
        file.send({ kind: 'taken', id: file.id });
      }
    } finally {
      file.close();
      await feeding;
    }
  }

  #openFile(options: ImportReadingOptions): FileInWorker {
    this.#open ??= this.#openWorker();
    const open = this.#open;
    clearTimeout(open.idle);
    this.#lastId += 1;
    const id = this.#lastId;
    const file = new FileInWorker(
      id,
      (message, transfer = []) => open.worker.postMessage(message, transfer),
      () => {
        open.files.delete(id);
        if (open.files.size === 0) this.#endWhenIdle(open);
      },
    );
    open.files.set(id, file);
    file.send({ kind: 'open', id, options, aheadPieces });
    return file;
  }

  #openWorker(): OpenWorker {
    const worker = openWorker('features/ledger/imports/reading/reading-worker.ts');
    const ping = (): void => {
      if (open.files.size === 0) return;
      if (open.pingsUnanswered === pingsUnansweredMax) {
        this.#end(open, 'it does not respond');
        return;
      }
      open.pingsUnanswered += 1;
      worker.postMessage({ kind: 'ping' } satisfies ToReader);
    };
    const pings = setInterval(ping, pingSeconds * 1000);
    pings.unref();
    const open: OpenWorker = { worker, files: new Map(), pings, pingsUnanswered: 0, idle: undefined };
    worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
      if (data.kind === 'pong') open.pingsUnanswered = 0;
      else open.files.get(data.id)?.receive(data);
    };
    worker.onerror = (event) => this.#end(open, event.message);
    return open;
  }

  #endWhenIdle(open: OpenWorker): void {
    open.idle = setTimeout(() => this.#end(open, 'it was idle'), idleSeconds * 1000);
    open.idle.unref();
  }

  #end(open: OpenWorker, why: string): void {
    if (this.#open === open) this.#open = null;
    clearInterval(open.pings);
    clearTimeout(open.idle);
    open.worker.terminate();
    for (const file of open.files.values()) file.fail(new Error(`The Worker that reads files was ended: ${why}.`));
  }
}

interface OpenWorker {
  readonly worker: Worker;
  readonly files: Map<number, FileInWorker>;
  readonly pings: ReturnType<typeof setInterval>;
  pingsUnanswered: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Sends a piece each time the Worker requests one, which slows the uploader down to the speed of the reader. */
async function feed(content: ReadableStream<Uint8Array>, file: FileInWorker): Promise<void> {
  const source = content.getReader();
  file.closed.addEventListener('abort', () => void source.cancel().catch(() => undefined), { once: true });
  for (;;) {
    const { done, value } = await source.read();
    if (done) {
      file.send({ kind: 'whole', id: file.id });
      return;
    }
    for (let at = 0; at < value.length; at += pieceBytesMax) {
      if (!(await file.waitForRequest())) return;
      // Copies the bytes, because the piece may be part of a buffer that belongs to someone else.
      const bytes = Uint8Array.from(value.subarray(at, at + pieceBytesMax));
      file.send({ kind: 'bytes', id: file.id, bytes }, [bytes.buffer]);
    }
  }
}

/** A handle in the main thread for a file that the Worker is reading. */
class FileInWorker {
  private readonly batches: StagingBatch[] = [];
  private readonly closing = new AbortController();
  private failure: { readonly error: unknown } | undefined;
  private piecesWanted = 0;
  private progress = Promise.withResolvers<void>();

  constructor(
    readonly id: number,
    readonly send: (message: ToReader, transfer?: ArrayBuffer[]) => void,
    private readonly leave: () => void,
  ) {}

  get closed(): AbortSignal {
    return this.closing.signal;
  }

  async next(): Promise<StagingBatch> {
    for (;;) {
      const batch = this.batches.shift();
      if (batch !== undefined) return batch;
      if (this.failure !== undefined) throw this.failure.error;
      await this.change();
    }
  }

  /** Waits until the Worker requests another piece. Returns false if reading has stopped. */
  async waitForRequest(): Promise<boolean> {
    while (this.piecesWanted === 0 && !this.closed.aborted) await this.change();
    this.piecesWanted -= 1;
    return !this.closed.aborted;
  }

  receive(message: Exclude<FromReader, { kind: 'pong' }>): void {
    if (message.kind === 'batch') this.batches.push(message.batch);
    else if (message.kind === 'more') this.piecesWanted += 1;
    else this.fail(fromErrorWords(message.words));
    this.wake();
  }

  fail(error: unknown): void {
    this.failure ??= { error };
    this.wake();
  }

  close(): void {
    if (this.closed.aborted) return;
    this.send({ kind: 'close', id: this.id });
    this.closing.abort();
    this.wake();
    this.leave();
  }

  private change(): Promise<void> {
    return this.progress.promise;
  }

  private wake(): void {
    this.progress.resolve();
    this.progress = Promise.withResolvers();
  }
}
