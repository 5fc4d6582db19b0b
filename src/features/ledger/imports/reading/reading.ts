import type { Deps } from '../../../../deps.ts';
import type { ReadingEnd } from '../../../../formats/read.ts';
import { fromErrorWords } from '../../../../http/errors.ts';
import { openWorker } from '../../../../http/worker.ts';
import { insertRejects } from '../../transactions/row-issues.queries.ts';
import type { StageScope } from '../../transactions/rows.queries.ts';
import { insertStaged } from '../../transactions/staged.queries.ts';
import { insertGroups, insertText } from '../../transactions/transactions.queries.ts';
import { insertEvent, recordFormat, recordProgress } from '../imports.queries.ts';
import type { FileSummary, FormatBatch, ImportReadingOptions, RowsBatch, StagingBatch } from './batches.ts';
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

/** `Deps` and the Worker that reads files. */
export interface StageDeps extends Deps {
  readonly readingWorker: ReadingWorker;
}

export interface Staged extends FileSummary {
  readonly end: ReadingEnd;
  /** How the file was read. */
  readonly opened: FormatBatch;
}

const progressMilliseconds = 1_000;

/**
 * Garbage is collected after this number of bytes is written, which takes about 20 ms. Writing creates several times as
 * much garbage as the bytes read. Without this limit, it would only be collected after 100 MB.
 */
const bytesPerCollection = 16_000_000;

/**
 * Writing a batch takes several event-loop turns, and each turn of reading is long. With only one write at a time, both
 * would wait for each other.
 */
const writesAtOnce = 2;

/**
 * Reads the file and stages its rows without a lock. Returns the format, which the caller records in the list of
 * imports. For a long file, it is already recorded with the progress. While two batches are being written, the next one
 * and a few more are read, which slows the uploader down to the speed of the database.
 */
export async function stageFile(
  deps: StageDeps,
  scope: StageScope,
  content: ReadableStream<Uint8Array>,
  options: ImportReadingOptions,
): Promise<Staged> {
  const staging = new StagingRun(deps, scope);
  let opened: FormatBatch | undefined;
  try {
    for await (const batch of deps.readingWorker.read(content, options)) {
      if (batch.kind === 'format') {
        opened = batch;
        staging.opened = batch;
      } else if (batch.kind === 'rows') await staging.take(batch);
      else {
        await staging.written();
        if (opened === undefined) break;
        return { ...batch.summary, end: batch.end, opened };
      }
    }
  } finally {
    await staging.waitForWrites();
  }
  throw new Error('A file was read without a beginning or an end.');
}

class StagingRun {
  /** The format of the file. Null after it has been recorded with the progress. */
  opened: FormatBatch | null = null;
  private staged = 0;
  private rejected = 0;
  private batches = 0;
  private collectedAt = 0;
  private readonly writing: Promise<unknown>[] = [];
  private reportedAt: number;

  constructor(
    private readonly deps: Deps,
    private readonly scope: StageScope,
  ) {
    this.reportedAt = deps.clock.now().getTime();
  }

  async take(batch: RowsBatch): Promise<void> {
    if (this.writing.length >= writesAtOnce) await this.writing.shift();
    this.write(batch);
    if (batch.bytesRead - this.collectedAt >= bytesPerCollection) {
      this.collectedAt = batch.bytesRead;
      Bun.gc(true);
    }
    await this.report(batch);
  }

  async written(): Promise<void> {
    await Promise.all(this.writing);
  }

  waitForWrites(): Promise<unknown> {
    return Promise.allSettled(this.writing);
  }

  private write({ drafts, columns, rejects, texts, groups }: RowsBatch): void {
    const { scope } = this;
    const [before, rejectedBefore] = [this.staged, this.rejected];
    this.staged += drafts;
    this.rejected += rejects.length;
    this.batches += 1;
    const number = this.batches;
    const isEmpty = columns === null && rejects.length === 0 && texts.length === 0 && groups.length === 0;
    if (isEmpty) return;
    const write = this.deps.database.asTaxpayer(scope.taxpayerId, async (sql) => {
      if (columns !== null) await insertStaged(sql, scope, before, columns);
      if (rejects.length > 0) await insertRejects(sql, scope, rejectedBefore, rejects);
      for (const text of texts) await insertText(sql, scope, text);
      if (groups.length > 0) await insertGroups(sql, scope, number, groups);
    });
    // Prevents an unhandled rejection. The code that awaits the write gets the error.
    write.catch(() => undefined);
    this.writing.push(write);
  }

  private async report({ bytesRead, lines }: RowsBatch): Promise<void> {
    const at = this.deps.clock.now().getTime();
    if (at - this.reportedAt < progressMilliseconds) return;
    this.reportedAt = at;
    const { opened } = this;
    this.opened = null;
    await this.deps.database.asTaxpayer(this.scope.taxpayerId, async (sql) => {
      if (opened !== null) await recordFormat(sql, this.scope, opened);
      await recordProgress(sql, this.scope, { bytes: bytesRead, rows: lines });
      await insertEvent(sql, this.scope, 'progress', { bytes: bytesRead, rows: lines, rowsStored: this.staged });
    });
  }
}
