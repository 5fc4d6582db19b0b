/**
 * Reads a stream of bytes in portions of a given length, with only one portion and one piece of the stream in memory.
 */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Reads `length` bytes, or fewer if the stream ends earlier. */
  async upTo(length: number): Promise<Uint8Array> {
    const portion = new Uint8Array(length);
    let filled = 0;
    while (filled < length && (await this.#more())) {
      const chunk = this.#take(length - filled);
      portion.set(chunk, filled);
      filled += chunk.length;
    }
    return filled === length ? portion : portion.subarray(0, filled);
  }

  /** Yields `length` bytes in chunks as they arrive, for data that is passed on and never needed as a whole. */
  async *through(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (!(await this.#more())) throw new Error('The stream ends in the middle of a file.');
      const chunk = this.#take(left);
      left -= chunk.length;
      yield chunk;
    }
  }

  /** Returns whether the stream is over. */
  async atEnd(): Promise<boolean> {
    return !(await this.#more());
  }

  /** Ends the stream early so that its source can close. */
  async cancel(): Promise<void> {
    await this.#pieces.return?.();
  }

  #take(most: number): Uint8Array {
    const chunk = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(chunk.length);
    return chunk;
  }

  async #more(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#pieces.next();
      if (done === true) return false;
      this.#rest = value;
    }
    return true;
  }
}

/** Concatenates pieces. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Returns the bytes after a pair of streams has transformed them. */
export async function* transformBytes(
  bytes: AsyncIterable<Uint8Array>,
  by: { readonly readable: ReadableStream; readonly writable: WritableStream },
): AsyncGenerator<Uint8Array> {
  const reader = toStream(bytes).pipeThrough(by).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value as Uint8Array;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns a stream of the pieces. Reads a piece when the stream is read. */
export function toStream(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
