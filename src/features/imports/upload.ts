import { createHash } from 'node:crypto';
import { Refusal } from '../../base/refusal.ts';
import { rowLimits } from '../../formats/rows/rows.ts';
import { openFilePart } from './multipart.ts';

/** A CSV on its way in. */
export interface Upload {
  readonly fileName: string | null;
  readonly content: ReadableStream<Uint8Array>;
  /** SHA-256 of the content, once all of it has been read. */
  digest(): string;
  /** Reads what nobody else will, for its digest alone. */
  readToEnd(): Promise<string>;
  /** Aborts with an `UploadBroken` when the client closes the connection. That takes the import back. */
  readonly signal: AbortSignal;
}

/** The uploader was silent for so long, or went away: nobody waits for the answer. */
export class UploadBroken extends Error {
  override readonly name = 'UploadBroken';
}

export interface UploadLimits {
  /** Of the body: a file has its own limit (formats/rows), a form a little around it. */
  readonly bytesMax: number;
  /** A sender that is silent for so long is gone, or means harm by holding the line. */
  readonly silentSecondsMax: number;
  /** So does one that sends a byte now and then. Only the time counts in which we wait for it, in windows of so long. */
  readonly bytesPerSecondMin: number;
  readonly windowSeconds: number;
}

/** A modem of 1994 sends 3,000 bytes a second. */
export const uploadLimits: UploadLimits = {
  bytesMax: rowLimits.fileBytesMax + 1024 ** 2,
  silentSecondsMax: 60,
  bytesPerSecondMin: 500,
  windowSeconds: 30,
};

/** The body is the CSV itself, or a form with a part called `file`; read as it comes, never kept. */
export async function openUpload(request: Request, limits = uploadLimits): Promise<Upload> {
  const contentType = request.headers.get('content-type') ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type !== 'text/csv' && type !== 'multipart/form-data') {
    throw new Refusal(
      'unsupported_media_type',
      'Send the file as text/csv, or as the part "file" of multipart/form-data.',
    );
  }
  if (request.body === null) throw new Refusal('empty_file', 'The request has no body.');
  const body = arriving(request, request.body, limits);
  const signal = connectionSignal(request);
  if (type === 'text/csv') {
    return { ...hashed(fileNameOf(request.headers.get('content-disposition')), body), signal };
  }
  const part = await openFilePart(body, contentType);
  return { ...hashed(part.fileName, part.content), signal };
}

/** A file that came as a text, and is in memory. */
export function textUpload(fileName: string | null, bytes: Uint8Array<ArrayBuffer>, connection: Connection): Upload {
  return { ...hashed(fileName, new Blob([bytes]).stream()), signal: connectionSignal(connection) };
}

/** A request, or what stands for one. */
type Connection = Pick<Request, 'signal'>;

function connectionSignal({ signal }: Connection): AbortSignal {
  const connection = new AbortController();
  const abort = (): void => connection.abort(new UploadBroken('The client is gone.'));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return connection.signal;
}

/** The body, until it is whole: one that stops early, or does not go on, breaks. */
function arriving(
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
        const asked = performance.now();
        const { done, value } = await within(silentSecondsMax, reader.read());
        pace.take(value?.length ?? 0, (performance.now() - asked) / 1000);
        if (request.signal.aborted) throw new UploadBroken('The client is gone.');
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

/** How fast the bytes come, while they are waited for. */
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
  const detail = `The upload is larger than ${bytesMax.toLocaleString('en-US')} bytes.`;
  return new Refusal('too_large', detail, { members: { limit: bytesMax } });
}

async function within<Value>(seconds: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new UploadBroken('The upload fell silent.')), seconds * 1000);
  try {
    return await Promise.race([work, promise]);
  } catch (error) {
    throw error instanceof UploadBroken ? error : new UploadBroken(String(error));
  } finally {
    clearTimeout(timer);
  }
}

function hashed(fileName: string | null, content: ReadableStream<Uint8Array>): Omit<Upload, 'signal'> {
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
  return { fileName: fileName === null ? null : cleaned(fileName), content: counted, digest, readToEnd };
}

function fileNameOf(disposition: string | null): string | null {
  const match = /;\s*filename="?([^";]+)"?/i.exec(disposition ?? '');
  return match?.[1]?.replace(/^.*[/\\]/, '') ?? null;
}

const fileNameLengthMax = 200;

function cleaned(fileName: string): string {
  return fileName.replace(/\p{Cc}/gu, '').slice(0, fileNameLengthMax);
}
