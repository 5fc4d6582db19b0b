import { createHash } from 'node:crypto';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { rowLimits } from '../../../formats/rows/rows.ts';
import { requireBody } from '../../../http/body.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { planLimitRefusal, planLimits } from '../../people/plans.ts';
import { selectKept } from './imports.queries.ts';

/** A file that is being uploaded. */
export interface Upload {
  readonly fileName: string | null;
  readonly content: ReadableStream<Uint8Array>;
  /** Returns the SHA-256 hash of the content, after all of it has been read. */
  digest(): string;
  /** Reads the rest of the content, so that the digest covers the whole file. */
  readToEnd(): Promise<string>;
  /** Aborts with `UploadBroken` if the client disconnects, which undoes the import. */
  readonly signal: AbortSignal;
}

/** Thrown if the client disconnected or sent nothing for too long. Its response has no reader. */
export class UploadBroken extends Error {
  override readonly name = 'UploadBroken';
}

interface UploadLimits {
  /**
   * The maximum size of the body. It is slightly larger than the limit for a file (formats/rows), because the body may
   * be a form.
   */
  readonly bytesMax: number;
  /**
   * The maximum number of seconds without data. After that, the client is gone or is holding the connection on purpose.
   */
  readonly silentSecondsMax: number;
  /**
   * The minimum speed, which stops clients that only send a byte now and then. It is measured over windows of
   * `windowSeconds` and counts only the time spent waiting for data.
   */
  readonly bytesPerSecondMin: number;
  readonly windowSeconds: number;
}

/** A 1994 modem sends 3,000 bytes a second. */
export const uploadLimits: UploadLimits = {
  bytesMax: rowLimits.fileBytesMax + 1024 ** 2,
  silentSecondsMax: 60,
  bytesPerSecondMin: 500,
  windowSeconds: 30,
};

/** The media types of files, the most common one first. The content decides what a file is. */
export const fileTypes = [
  'text/csv',
  'application/zip',
  'application/gzip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/x-ofx',
  'application/vnd.intu.qfx',
  'application/xml',
  'text/xml',
  'application/pdf',
  'application/octet-stream',
];

/**
 * Opens an upload: either the file as the body, or a form with a part called `file`. The file is streamed and never kept
 * in memory.
 */
export async function openUpload(request: Request, limits = uploadLimits): Promise<Upload> {
  const contentType = request.headers.get('content-type') ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type !== 'multipart/form-data' && !fileTypes.includes(type ?? '')) {
    throw new Refusal(
      'unsupported_media_type',
      `Send the file as the part "file" of multipart/form-data, or as ${fileTypes.join(', ')}.`,
    );
  }
  const body = streamBody(request, requireBody(request), limits);
  const signal = connectionSignal(request);
  if (type !== 'multipart/form-data') {
    return { ...hashContent(parseUploadFileName(request.headers.get('content-disposition')), body), signal };
  }
  const part = await openFilePart(body, contentType);
  return { ...hashContent(part.fileName, part.content), signal };
}

/** Returns an upload for a file that was sent as text and is already in memory. */
export function textUpload(fileName: string | null, bytes: Uint8Array<ArrayBuffer>, connection: Connection): Upload {
  return { ...hashContent(fileName, new Blob([bytes]).stream()), signal: connectionSignal(connection) };
}

/** A request, or an object used in place of one. */
type Connection = Pick<Request, 'signal'>;

function connectionSignal({ signal }: Connection): AbortSignal {
  const connection = new AbortController();
  const abort = (): void => connection.abort(new UploadBroken('The client disconnected.'));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return connection.signal;
}

/** Streams the whole body. Throws if it ends early or stalls. */
function streamBody(
  request: Request,
  body: ReadableStream<Uint8Array>,
  limits: UploadLimits,
): ReadableStream<Uint8Array> {
  const { bytesMax, silentSecondsMax } = limits;
  const announced = request.headers.get('content-length');
  if (Number(announced) > bytesMax) throw tooLarge(bytesMax);
  const reader = body.getReader();
  const pace = new Pace(limits);
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const requestedAt = performance.now();
        const { done, value } = await withTimeout(silentSecondsMax, reader.read());
        pace.take(value?.length ?? 0, (performance.now() - requestedAt) / 1000);
        if (request.signal.aborted) throw new UploadBroken('The client disconnected.');
        if (!done) {
          received += value.length;
          if (received > bytesMax) throw tooLarge(bytesMax);
          controller.enqueue(value);
          return;
        }
        if (announced !== null && received < Number(announced)) throw new UploadBroken('The upload stopped early.');
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Measures the upload speed while waiting for bytes. */
class Pace {
  #bytes = 0;
  #seconds = 0;

  constructor(private readonly limits: UploadLimits) {}

  take(bytes: number, seconds: number): void {
    const { windowSeconds, bytesPerSecondMin } = this.limits;
    this.#bytes += bytes;
    this.#seconds += seconds;
    if (this.#seconds < windowSeconds) return;
    if (this.#bytes < this.#seconds * bytesPerSecondMin) throw new UploadBroken('The upload was too slow.');
    this.#bytes = 0;
    this.#seconds = 0;
  }
}

function tooLarge(bytesMax: number): Refusal {
  const detail = `The upload is larger than ${bytesMax.toLocaleString('en-US')} bytes. Split the file and upload the parts.`;
  return new Refusal('too_large', detail, { members: { limit: bytesMax } });
}

async function withTimeout<Value>(seconds: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new UploadBroken('The upload stopped sending data.')), seconds * 1000);
  try {
    return await Promise.race([work, promise]);
  } catch (error) {
    throw error instanceof UploadBroken ? error : new UploadBroken(String(error));
  } finally {
    clearTimeout(timer);
  }
}

function hashContent(fileName: string | null, content: ReadableStream<Uint8Array>): Omit<Upload, 'signal'> {
  const hash = createHash('sha256');
  const reader = content.getReader();
  const counted = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        hash.update(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const digest = (): string => hash.copy().digest('hex');
  const readToEnd = async (): Promise<string> => {
    for await (const _piece of counted);
    return digest();
  };
  return { fileName: fileName === null ? null : cleanFileName(fileName), content: counted, digest, readToEnd };
}

function parseUploadFileName(disposition: string | null): string | null {
  const match = /;\s*filename="?([^";]+)"?/i.exec(disposition ?? '');
  return match?.[1]?.replace(/^.*[/\\]/, '') ?? null;
}

const fileNameLengthMax = 200;

function cleanFileName(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, '').slice(0, fileNameLengthMax);
}

/**
 * A file inside a multipart body, read as it arrives (RFC 7578). The framework's own parser would keep the whole file
 * in memory.
 */
interface FilePart {
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

/** Returns the number of bytes that the next import may use. Throws if the plan's limit is reached. */
export async function readSpace(sql: Sql, taxpayer: Taxpayer): Promise<number> {
  const kept = await selectKept(sql, taxpayer.id, ['running', 'completed']);
  const { importsMax, importBytesMax } = planLimits[taxpayer.plan];
  if (kept.imports >= importsMax) throw countRefusal(taxpayer, kept.imports);
  return Math.max(0, importBytesMax - kept.bytes);
}

/** Returns the refusal for a file of this size that is only previewed, or null if there is space for it. */
export async function spaceLimitPassed(sql: Sql, taxpayer: Taxpayer, bytes: number) {
  const kept = await selectKept(sql, taxpayer.id, ['completed']);
  const { importsMax, importBytesMax } = planLimits[taxpayer.plan];
  // The previewed import is among the completed ones until it is rolled back.
  const [imports, used] = [kept.imports - 1, kept.bytes - bytes];
  if (imports >= importsMax) return countRefusal(taxpayer, imports);
  return kept.bytes > importBytesMax ? spaceRefusal(taxpayer, used, bytes) : null;
}

/**
 * Checks the limit again under the taxpayer's lock, once the size of the file is known. Other files may have arrived in
 * the meantime.
 */
export async function takeSpace(sql: Sql, taxpayer: Taxpayer, bytes: number): Promise<void> {
  const kept = await selectKept(sql, taxpayer.id, ['completed']);
  if (kept.bytes + bytes > planLimits[taxpayer.plan].importBytesMax) throw spaceRefusal(taxpayer, kept.bytes, bytes);
}

/** Streams the file, and throws once it exceeds the limit. Null means no limit. */
export function limitBytes(
  content: ReadableStream<Uint8Array>,
  bytesMax: number | null,
  taxpayer: Taxpayer,
): ReadableStream<Uint8Array> {
  if (bytesMax === null) return content;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      bytes += piece.length;
      if (bytes > bytesMax) {
        throw spaceRefusal(taxpayer, planLimits[taxpayer.plan].importBytesMax - bytesMax, bytes);
      }
      controller.enqueue(piece);
    },
  });
  return content.pipeThrough(counter);
}

function countRefusal({ plan }: Taxpayer, used: number) {
  const limit = planLimits[plan].importsMax;
  const detail = `Your ${plan} plan includes ${limit} imports. Undo an import that you no longer need.`;
  return planLimitRefusal(detail, 'importsMax', { plan, limit, used, requested: 1 });
}

function spaceRefusal({ plan }: Taxpayer, used: number, requested: number) {
  const limit = planLimits[plan].importBytesMax;
  const detail = `Your ${plan} plan includes ${megabytes(limit)} of imported files, and you have ${megabytes(used)}. Undo imports that you no longer need, or upgrade.`;
  return planLimitRefusal(detail, 'importBytesMax', { plan, limit, used, requested });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
}
