import { ByteReader } from './byte-reader.ts';

/** One file in a tar. A name that ends with a slash is a folder, which has no content. */
export interface TarEntry {
  /** ASCII. */
  readonly name: string;
  readonly size: number;
  /** The content, in pieces that add up to exactly `size` bytes. */
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** The permissions that are written. By default, only the owner has any, as in PostgreSQL's own files. */
  readonly mode?: number;
  /** When the file was changed, in seconds since 1970. The default 0 lets equal contents give equal bytes. */
  readonly modified?: number;
}

/**
 * Writes a tar (POSIX ustar) as a stream because it can be as large as a database. `tar` on any system can read it.
 */
export async function* writeTar(entries: AsyncIterable<TarEntry> | Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield buildEntryHeader(entry);
    let written = 0;
    for await (const piece of entry.content) {
      written += piece.length;
      yield piece;
    }
    if (written !== entry.size) throw new Error(`${entry.name} has ${written} bytes in place of ${entry.size}.`);
    const padding = paddingOf(entry.size);
    if (padding > 0) yield new Uint8Array(padding);
  }
  yield new Uint8Array(2 * blockBytes);
}

/** A tar that is damaged or contains something that `writeTar` never writes. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

/**
 * Reads the files in a tar in order. Skips unread content. Refuses links, devices, names that lead out of the folder
 * and duplicate names, none of which `writeTar` writes.
 */
export async function* tarEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(bytes);
  const names = new Set<string>();
  try {
    for (;;) {
      const header = await reader.upTo(blockBytes);
      if (header.length < blockBytes) throw new TarError('The tar is truncated.');
      if (header.every((byte) => byte === 0)) break;
      const { name, size } = readHeader(header);
      if (names.has(name)) throw new TarError(`The tar contains ${name} twice.`);
      names.add(name);
      const content = reader.through(size);
      yield { name, size, content };
      for await (const _ of content);
      for await (const _ of reader.through(paddingOf(size)));
    }
    // Reads to the last byte because consumers such as a digest check the whole stream.
    while (!(await reader.atEnd())) await reader.upTo(blockBytes);
  } finally {
    await reader.cancel();
  }
}

/** Returns a small file for `writeTar`. */
export function tarFile(name: string, content: string | Uint8Array): TarEntry {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { name, size: bytes.length, content: [bytes] };
}

const blockBytes = 512;
const nameBytesMax = 100;
const sizeBytes = 12;
/** Eleven octal digits. */
const sizeMax = 8 ** 11 - 1;
const field = {
  name: 0,
  mode: 100,
  size: 124,
  modified: 136,
  checksum: 148,
  type: 156,
  link: 157,
  magic: 257,
  prefix: 345,
} as const;
const checksumBytes = 8;

function buildEntryHeader({ name, size, mode, modified = 0 }: TarEntry): Uint8Array {
  if (!/^[\x21-\x7e]+$/.test(name) || name.length > nameBytesMax || size > sizeMax) {
    throw new Error(`${name} (${size} bytes) does not fit into a tar.`);
  }
  const isFolder = name.endsWith('/');
  const header = new Uint8Array(blockBytes);
  const write = (text: string, at: number): void => void new TextEncoder().encodeInto(text, header.subarray(at));
  write(name, field.name);
  const permissions = mode ?? (isFolder ? 0o700 : 0o600);
  // Mode, user 0 and group 0.
  write(`${permissions.toString(8).padStart(7, '0')}\0${'0'.repeat(7)}\0${'0'.repeat(7)}\0`, field.mode);
  write(`${size.toString(8).padStart(11, '0')}\0`, field.size);
  write(`${modified.toString(8).padStart(11, '0')}\0`, field.modified);
  write(' '.repeat(checksumBytes), field.checksum);
  write(isFolder ? '5' : '0', field.type);
  write('ustar\x0000', field.magic);
  write(`${computeChecksum(header).toString(8).padStart(6, '0')}\0 `, field.checksum);
  return header;
}

function readHeader(header: Uint8Array): { name: string; size: number } {
  const stated = octalAt(header, field.checksum, checksumBytes);
  const blank = header.slice();
  blank.fill(0x20, field.checksum, field.checksum + checksumBytes);
  if (stated !== computeChecksum(blank)) throw new TarError('This is not a tar file, or it is damaged.');
  const name = textAt(header, field.name, nameBytesMax);
  const size = octalAt(header, field.size, sizeBytes);
  const isFolder = name.endsWith('/');
  const type = String.fromCharCode(header[field.type] ?? 0);
  if (type !== (isFolder ? '5' : '0') || (isFolder && size > 0)) {
    throw new TarError(`The tar contains ${name}, which is neither a plain file nor a folder.`);
  }
  const isOwn =
    [field.link, field.prefix].every((offset) => header[offset] === 0) && textAt(header, field.magic, 6) === 'ustar';
  if (!isOwn || !isPlainName(name)) throw new TarError(`The tar contains a name that Lotbook never writes: ${name}.`);
  return { name, size };
}

/**
 * Returns whether the name is a relative path of printable ASCII whose parts are names. It must not contain `..`, `.`,
 * an empty part or a backslash.
 */
function isPlainName(name: string): boolean {
  const parts = name.replace(/\/$/, '').split('/');
  return parts.every((part) => /^[\x21-\x5b\x5d-\x7e]+$/.test(part) && part !== '.' && part !== '..');
}

function computeChecksum(header: Uint8Array): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

function octalAt(header: Uint8Array, at: number, length: number): number {
  const digits = textAt(header, at, length).trim();
  if (!/^[0-7]+$/.test(digits)) throw new TarError('This is not a tar file, or it is damaged.');
  return Number.parseInt(digits, 8);
}

function textAt(header: Uint8Array, at: number, length: number): string {
  const bytes = header.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}
