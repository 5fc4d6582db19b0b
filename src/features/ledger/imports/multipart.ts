import { Refusal } from '../../../base/refusal.ts';

/**
 * A file inside a multipart body, read as it arrives (RFC 7578). The framework's own parser would keep the whole file
 * in memory.
 */
export interface FilePart {
  readonly fileName: string | null;
  readonly content: ReadableStream<Uint8Array>;
}

/** Opens the first part called `file`. Skips the parts before it. The parts after it are read and discarded. */
export async function openFilePart(body: ReadableStream<Uint8Array>, contentType: string): Promise<FilePart> {
  const boundary = parseBoundary(contentType);
  const scanner = new Scanner(body);
  try {
    return await findFile(scanner, boundary);
  } catch (error) {
    await scanner.cancel();
    throw error;
  }
}

const boundaryLengthMax = 70;
const headerBytesMax = 16 * 1024;
const partsMax = 100;

function parseBoundary(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (boundary === '' || boundary.length > boundaryLengthMax) throw malformedBody('The content type has no boundary.');
  return boundary;
}

async function findFile(scanner: Scanner, boundary: string): Promise<FilePart> {
  const delimiter = `\r\n--${boundary}`;
  // The first delimiter may be at the very beginning of the body.
  scanner.prepend('\r\n');
  await scanner.skipPast(delimiter);
  for (let part = 0; part < partsMax; part++) {
    const after = await scanner.take(2);
    if (after === '--') break;
    if (after !== '\r\n') throw malformedBody('A boundary is not followed by a part.');
    const headers = await scanner.takeThrough('\r\n\r\n', headerBytesMax);
    const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
    if (findHeaderParameter(disposition, 'name') === 'file') {
      return { fileName: parsePartFileName(disposition), content: contentStream(scanner, delimiter) };
    }
    await scanner.skipPast(delimiter);
  }
  throw malformedBody('The form has no part named "file".');
}

/** Streams the bytes before the delimiter, one piece at a time. */
function contentStream(scanner: Scanner, delimiter: string): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await scanner.readUntil(delimiter);
        if (piece !== null) {
          controller.enqueue(piece);
          return;
        }
        // Reads the rest of the form. Without the closing boundary, the form did not arrive completely.
        await scanner.requireClosing(delimiter);
        controller.close();
      },
      cancel: () => scanner.cancel(),
    },
    { highWaterMark: 0 },
  );
}

function findHeaderParameter(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header);
  return match === null ? undefined : (match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1');
}

function parsePartFileName(disposition: string): string | null {
  const name = findHeaderParameter(disposition, 'filename');
  // Browsers encode a quote as %22. The path is dropped.
  return name === undefined ? null : name.replaceAll('%22', '"').replace(/^.*[/\\]/, '');
}

/** Finds delimiters in a stream. Holds at most one piece and one delimiter in memory. */
class Scanner {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private held: Buffer = Buffer.alloc(0);
  private ended = false;

  constructor(body: ReadableStream<Uint8Array>) {
    this.reader = body.getReader();
  }

  prepend(text: string): void {
    this.held = Buffer.concat([Buffer.from(text, 'latin1'), this.held]);
  }

  async skipPast(delimiter: string): Promise<void> {
    while ((await this.readUntil(delimiter)) !== null);
    this.drop(delimiter.length);
  }

  /** Returns the next piece before the delimiter, or null if the delimiter is next. */
  async readUntil(delimiter: string): Promise<Uint8Array | null> {
    for (;;) {
      const at = this.held.indexOf(delimiter, 0, 'latin1');
      if (at === 0) return null;
      const safe = at === -1 ? this.held.length - delimiter.length + 1 : at;
      if (safe > 0) return this.drop(safe);
      await this.more();
    }
  }

  async take(length: number): Promise<string> {
    while (this.held.length < length) await this.more();
    return this.drop(length).toString('latin1');
  }

  async takeThrough(end: string, lengthMax: number): Promise<string> {
    for (;;) {
      const at = this.held.indexOf(end, 0, 'latin1');
      if (at !== -1) return this.drop(at + end.length).toString('utf8');
      if (this.held.length > lengthMax) throw malformedBody('The headers of a part are too long.');
      await this.more();
    }
  }

  async requireClosing(delimiter: string): Promise<void> {
    for (;;) {
      this.drop(delimiter.length);
      if ((await this.take(2)) === '--') break;
      while ((await this.readUntil(delimiter)) !== null);
    }
    await this.drain();
  }

  cancel(): Promise<void> {
    return this.reader.cancel().catch(() => undefined);
  }

  private async drain(): Promise<void> {
    while (!this.ended) {
      const { done } = await this.reader.read();
      this.ended = done;
    }
  }

  private drop(length: number): Buffer {
    const dropped = this.held.subarray(0, length);
    this.held = this.held.subarray(length);
    return dropped;
  }

  private async more(): Promise<void> {
    const { done, value } = this.ended ? { done: true, value: undefined } : await this.reader.read();
    if (done || value === undefined) {
      this.ended = true;
      throw malformedBody('The form ends before its closing boundary.');
    }
    this.held =
      this.held.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([this.held, value]);
  }
}

function malformedBody(detail: string): Refusal {
  return new Refusal('bad_request', `The multipart body cannot be read. ${detail}`);
}
