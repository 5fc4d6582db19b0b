import { createHash } from 'node:crypto';
import { invalidMember, Refusal } from '../base/refusal.ts';

export const jsonBytesMax = 1_000_000;
const depthMax = 64;

/**
 * Reads a JSON body up to a limit. Returns undefined if the request has none. Refuses `__proto__` for all routes
 * because it would survive parsing as an own key and pollute objects that are merged with it later.
 */
export async function readJson(request: Request): Promise<unknown> {
  if (request.body === null) return undefined;
  const bytes = await readBytes(request.body, jsonBytesMax, tooLarge);
  if (bytes.length === 0) return undefined;
  if (!isJson(request.headers.get('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', 'Send the body as application/json.');
  }
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw poisoned('The body must be a JSON object.');
  refusePoison(value);
  return value;
}

const formBytesMax = 20_000;

/**
 * Reads a form that a program sends, in `application/x-www-form-urlencoded`. No name may occur twice (OAuth 2.1,
 * section 3.2).
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new Refusal('unsupported_media_type', 'Send the body as application/x-www-form-urlencoded.');
  const refuse = () => new Refusal('too_large', `A form can have at most ${formBytesMax / 1000} kB.`);
  const bytes = request.body === null ? new Uint8Array() : await readBytes(request.body, formBytesMax, refuse);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const twice = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (twice !== undefined) throw new Refusal('bad_request', 'A parameter appears twice. Send it once.');
  return form;
}

/** Refuses by Content-Length, before reading any of the body. */
export function refuseAnnouncedLength(request: Request): void {
  if (Number(request.headers.get('content-length') ?? 0) > jsonBytesMax) throw tooLarge();
}

/** Refuses compressed bodies because a small one may unpack into a very large one (a zip bomb). */
export function refuseEncoding(request: Request): void {
  const encoding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return;
  throw new Refusal('unsupported_media_type', 'Send the body without Content-Encoding.');
}

async function readBytes(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  refuse: () => Refusal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > bytesMax) throw refuse();
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const isUtf8 = charset === undefined || ['utf-8', '"utf-8"', 'utf8'].includes(charset.slice('charset='.length));
  return isUtf8 && /^application\/(json|merge-patch\+json)$/.test(type.trim());
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal('invalid_json', 'The body is not valid JSON in UTF-8.');
  }
}

function refusePoison(root: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') refuseUnstorable(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= depthMax) throw poisoned('The body is nested too deeply.');
    if (Object.hasOwn(value, '__proto__')) throw poisoned('Rename the member "__proto__". This name is not allowed.');
    for (const name of Object.keys(value)) refuseUnstorable(name);
    for (const member of Object.values(value)) open.push({ value: member, depth: depth + 1 });
  }
}

/** Refuses text that PostgreSQL would change or cannot store: a NUL, or half of a surrogate pair. */
function refuseUnstorable(text: string): void {
  if (text.includes('\0')) throw poisoned('A text contains a NUL character. Remove it.');
  if (!text.isWellFormed()) throw poisoned('A text contains half of a surrogate pair. Send valid Unicode.');
}

function poisoned(detail: string): Refusal {
  return invalidMember('', detail);
}

function tooLarge(): Refusal {
  return new Refusal('too_large', `A JSON body can have at most ${jsonBytesMax / 1_000_000} MB.`);
}

/** The body of a request as a CSV that can be read once. */
interface CsvBody {
  readonly content: ReadableStream<Uint8Array>;
  /** SHA-256 of what has been read so far, in hexadecimal. */
  readonly digest: () => string;
  readonly readToEnd: () => Promise<string>;
}

export function requireBody({ body }: Request): ReadableStream<Uint8Array> {
  if (body === null) throw new Refusal('empty_file', 'The request has no body. Send the file as the body.');
  return body;
}

/** Opens the body as a CSV. `what` names its content in a sentence: `the prices`. */
export function openCsv(request: Request, what: string): CsvBody {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'text/csv') throw new Refusal('unsupported_media_type', `Send ${what} as text/csv.`);
  const hash = createHash('sha256');
  const content = requireBody(request).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        hash.update(piece);
        controller.enqueue(piece);
      },
    }),
  );
  const digest = (): string => hash.copy().digest('hex');
  const readToEnd = async (): Promise<string> => {
    for await (const _piece of content);
    return digest();
  };
  return { content, digest, readToEnd };
}
