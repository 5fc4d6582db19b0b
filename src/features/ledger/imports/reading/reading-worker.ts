import { type ErrorWords, toErrorWords } from '../../../../http/errors.ts';
import { type ImportReadingOptions, readBatches, type StagingBatch } from './batches.ts';

/**
 * A message to the Worker that reads files, so that a large file does not block requests. The Worker reads several
 * files concurrently, block by block. It requests bytes as it needs them, and prepares only a few batches ahead of the
 * server.
 */
export type ToReader =
  | { readonly kind: 'open'; readonly id: number; readonly options: ImportReadingOptions; readonly aheadPieces: number }
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The file has arrived completely. */
  | { readonly kind: 'whole'; readonly id: number }
  /** The server has received a batch. */
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number }
  | { readonly kind: 'ping' };

/** A message from the Worker. */
export type FromReader =
  /** The server may send one more piece of the file. */
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'batch'; readonly id: number; readonly batch: StagingBatch }
  | { readonly kind: 'broken'; readonly id: number; readonly words: ErrorWords }
  | { readonly kind: 'pong' };

declare const self: Worker;

const batchesAhead = 2;
/**
 * Bytes become garbage as soon as they are read. Collecting them frequently lowers the server's peak memory by 60 MB.
 */
const bytesPerCollection = 4_000_000;
const open = new Map<number, OpenFile>();

self.onmessage = ({ data }: MessageEvent<ToReader>) => {
  if (data.kind === 'ping') send({ kind: 'pong' });
  else if (data.kind === 'open') begin(data);
  else open.get(data.id)?.receive(data);
};

function begin({ id, options, aheadPieces }: Extract<ToReader, { kind: 'open' }>): void {
  const file = new OpenFile(id, options);
  open.set(id, file);
  for (let piece = 0; piece < aheadPieces; piece++) send({ kind: 'more', id });
  void file.read().finally(() => open.delete(id));
}

class OpenFile {
  private readonly arrived: Uint8Array[] = [];
  private whole = false;
  private closed = false;
  private credit = batchesAhead;
  private collectedAt = 0;
  private progress = Promise.withResolvers<void>();

  constructor(
    private readonly id: number,
    private readonly options: ImportReadingOptions,
  ) {}

  receive(message: Exclude<ToReader, { kind: 'open' | 'ping' }>): void {
    if (message.kind === 'bytes') this.arrived.push(message.bytes);
    else if (message.kind === 'whole') this.whole = true;
    else if (message.kind === 'taken') this.credit += 1;
    else this.closed = true;
    this.progress.resolve();
    this.progress = Promise.withResolvers();
  }

  async read(): Promise<void> {
    const { id } = this;
    try {
      for await (const batch of readBatches(this.content(), this.options)) {
        while (this.credit === 0 && !this.closed) await this.progress.promise;
        if (this.closed) return;
        this.credit -= 1;
        send({ kind: 'batch', id, batch });
        if (batch.kind === 'rows' && batch.bytesRead - this.collectedAt >= bytesPerCollection) {
          this.collectedAt = batch.bytesRead;
          Bun.gc(true);
        }
      }
    } catch (error) {
      if (this.closed) return;
      send({ kind: 'broken', id, words: toErrorWords(error) });
    }
  }

  private content(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.arrived.length === 0 && !this.whole && !this.closed) await this.progress.promise;
          if (this.closed) throw new Error('The reading of this file was canceled.');
          const piece = this.arrived.shift();
          if (piece === undefined) {
            controller.close();
            return;
          }
          controller.enqueue(piece);
          send({ kind: 'more', id: this.id });
        },
      },
      { highWaterMark: 0 },
    );
  }
}

function send(message: FromReader): void {
  self.postMessage(message);
}
