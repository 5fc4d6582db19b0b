import { errorOf } from '../../http/error-words.ts';
import { openWorker } from '../../http/worker.ts';
import type { Batch, ReadingOrder } from './batches.ts';
import type { FromReader, ToReader } from './reading-worker.ts';

/** Pieces of an upload on their way to the Worker: enough that it need not wait for one that is there. */
const aheadPieces = 4;
const pieceBytesMax = 256 * 1024;
const pingSeconds = 10;
/** It reads a block in some milliseconds: a Worker that answers none of so many never will. A machine may sleep between two. */
const pingsUnansweredMax = 6;
/** What it has read lies in its memory for as long. */
const idleSeconds = 2;

/** Reads a file in the Worker. Whoever stops early stops the upload too. */
export async function* readInWorker(
  content: ReadableStream<Uint8Array>,
  order: ReadingOrder,
): AsyncGenerator<Batch, void, undefined> {
  const file = openFile(order);
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

/** Piece by piece, as the Worker asks for them: that is the back-pressure which the uploader feels. */
async function feed(content: ReadableStream<Uint8Array>, file: OpenFile): Promise<void> {
  const source = content.getReader();
  file.closed.addEventListener('abort', () => void source.cancel().catch(() => undefined), { once: true });
  for (;;) {
    const { done, value } = await source.read();
    if (done) {
      file.send({ kind: 'whole', id: file.id });
      return;
    }
    for (let at = 0; at < value.length; at += pieceBytesMax) {
      if (!(await file.wanted())) return;
      // A copy: the piece may be a part of a buffer that is not ours to give away.
      const bytes = Uint8Array.from(value.subarray(at, at + pieceBytesMax));
      file.send({ kind: 'bytes', id: file.id, bytes }, [bytes.buffer]);
    }
  }
}

/** A file that the Worker reads, seen from outside. */
class OpenFile {
  private readonly batches: Batch[] = [];
  private readonly closing = new AbortController();
  private failure: { readonly error: unknown } | undefined;
  private piecesWanted = 0;
  private news = Promise.withResolvers<void>();

  constructor(
    readonly id: number,
    readonly send: (message: ToReader, transfer?: ArrayBuffer[]) => void,
    private readonly leave: () => void,
  ) {}

  get closed(): AbortSignal {
    return this.closing.signal;
  }

  async next(): Promise<Batch> {
    for (;;) {
      const batch = this.batches.shift();
      if (batch !== undefined) return batch;
      if (this.failure !== undefined) throw this.failure.error;
      await this.change();
    }
  }

  /** Resolves when the Worker wants one more piece; to false when nobody does any more. */
  async wanted(): Promise<boolean> {
    while (this.piecesWanted === 0 && !this.closed.aborted) await this.change();
    this.piecesWanted -= 1;
    return !this.closed.aborted;
  }

  hear(message: Exclude<FromReader, { kind: 'pong' }>): void {
    if (message.kind === 'batch') this.batches.push(message.batch);
    else if (message.kind === 'more') this.piecesWanted += 1;
    else this.fail(errorOf(message.words));
    this.tell();
  }

  fail(error: unknown): void {
    this.failure ??= { error };
    this.tell();
  }

  close(): void {
    if (this.closed.aborted) return;
    this.send({ kind: 'close', id: this.id });
    this.closing.abort();
    this.tell();
    this.leave();
  }

  private change(): Promise<void> {
    return this.news.promise;
  }

  private tell(): void {
    this.news.resolve();
    this.news = Promise.withResolvers();
  }
}

/** One Worker for all files of the process, opened when there is one and ended when there was none for a while. */
interface OpenReader {
  readonly worker: Worker;
  readonly files: Map<number, OpenFile>;
  readonly pings: ReturnType<typeof setInterval>;
  pingsUnanswered: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

let current: OpenReader | undefined;
let lastId = 0;

function openFile(order: ReadingOrder): OpenFile {
  current ??= openReader();
  const reader = current;
  clearTimeout(reader.idle);
  lastId += 1;
  const id = lastId;
  const file = new OpenFile(
    id,
    (message, transfer = []) => reader.worker.postMessage(message, transfer),
    () => {
      reader.files.delete(id);
      if (reader.files.size === 0) rest(reader);
    },
  );
  reader.files.set(id, file);
  file.send({ kind: 'open', id, order, aheadPieces });
  return file;
}

function openReader(): OpenReader {
  const worker = openWorker('features/imports/reading-worker.ts');
  const ping = (): void => {
    if (reader.files.size === 0) return;
    if (reader.pingsUnanswered === pingsUnansweredMax) {
      end(reader, 'it does not answer');
      return;
    }
    reader.pingsUnanswered += 1;
    worker.postMessage({ kind: 'ping' } satisfies ToReader);
  };
  const pings = setInterval(ping, pingSeconds * 1000);
  pings.unref();
  const reader: OpenReader = { worker, files: new Map(), pings, pingsUnanswered: 0, idle: undefined };
  worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
    if (data.kind === 'pong') reader.pingsUnanswered = 0;
    else reader.files.get(data.id)?.hear(data);
  };
  worker.onerror = (event) => end(reader, event.message);
  return reader;
}

function rest(reader: OpenReader): void {
  reader.idle = setTimeout(() => end(reader, 'it was idle'), idleSeconds * 1000);
  reader.idle.unref();
}

function end(reader: OpenReader, why: string): void {
  if (current === reader) current = undefined;
  clearInterval(reader.pings);
  clearTimeout(reader.idle);
  reader.worker.terminate();
  for (const file of reader.files.values()) file.fail(new Error(`The Worker that reads files was ended: ${why}.`));
}
