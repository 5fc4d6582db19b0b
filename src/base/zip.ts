import { crc32, deflateRawSync } from 'node:zlib';
import { joinBytes, transformBytes } from './byte-reader.ts';

/** A file inside a ZIP. Names are plain ASCII. Content that arrives in pieces is never in memory as a whole. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Writes a ZIP (PKWARE's APPNOTE, without its 64-bit parts) entry by entry. Each entry has the earliest date that the
 * format supports, so equal files give equal bytes.
 */
export async function* writeZip(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const start = offset;
    const written = content instanceof Uint8Array ? writeWhole(name, content) : writeInPieces(name, content);
    let next = await written.next();
    for (; next.done !== true; next = await written.next()) {
      offset += next.value.length;
      yield next.value;
    }
    // No extra field, no comment, disk 0, no attributes.
    const rest = encode([2, name.length], [12, 0], [4, start]);
    directory.push(joinBytes([encode([4, entryMark], [2, version]), next.value, rest, ascii(name)]));
    if (offset > offsetMax || directory.length > entriesMax)
      throw new Error('A ZIP without 64-bit parts has no room for this.');
  }
  const listing = joinBytes(directory);
  yield listing;
  const count = directory.length;
  yield encode([4, endMark], [4, 0], [2, count], [2, count], [4, listing.length], [4, offset], [2, 0]);
}

const offsetMax = 2 ** 32 - 1;
const entriesMax = 2 ** 16 - 1;
const [endMark, entryMark, fileMark, sumsMark] = [0x06054b50, 0x02014b50, 0x04034b50, 0x08074b50];

/** The entry, and the fields that the directory repeats. */
type Written = AsyncGenerator<Uint8Array, Uint8Array>;

async function* writeWhole(name: string, content: Uint8Array): Written {
  const packed = deflateRawSync(content);
  const fields = encodeShared({ flags: 0, checksum: crc32(content), packed: packed.length, size: content.length });
  yield encodeHead(name, fields);
  yield packed;
  return fields;
}

/** Writes a file in pieces. Its checksum and sizes are known at the end and follow the data. */
async function* writeInPieces(name: string, content: AsyncIterable<Uint8Array>): Written {
  yield encodeHead(name, encodeShared({ flags: sumsFollow, checksum: 0, packed: 0, size: 0 }));
  let [checksum, packed, size] = [0, 0, 0];
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      checksum = crc32(piece, checksum);
      size += piece.length;
      yield piece;
    }
  };
  for await (const piece of transformBytes(counted(), new CompressionStream('deflate-raw'))) {
    packed += piece.length;
    yield piece;
  }
  yield encode([4, sumsMark], [4, checksum], [4, packed], [4, size]);
  return encodeShared({ flags: sumsFollow, checksum, packed, size });
}

/** Bit 3 of the flags. */
const sumsFollow = 8;
/** Version 2.0, which deflate requires. */
const version = 20;
const deflated = 8;
/** January 1, 1980, midnight: the first instant that the format supports. */
const [time, date] = [0, 0x21];

function encodeHead(name: string, fields: Uint8Array): Uint8Array {
  return joinBytes([encode([4, fileMark]), fields, encode([2, name.length], [2, 0]), ascii(name)]);
}

/** Returns the fields, starting with the version, that the local header and the directory share. */
function encodeShared(file: { flags: number; checksum: number; packed: number; size: number }): Uint8Array {
  const { flags, checksum, packed, size } = file;
  return encode([2, version], [2, flags], [2, deflated], [2, time], [2, date], [4, checksum], [4, packed], [4, size]);
}

/** Encodes numbers in little-endian order, each in the given number of bytes. */
function encode(...fields: readonly (readonly [bytes: number, value: number])[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([bytes, value]) =>
      Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256),
    ),
  );
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes that are not a ZIP that can be read. The message is a sentence for the user. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** A file inside a ZIP that is read. */
export interface ZippedFile {
  readonly name: string;
  /** The sizes that the directory states, unpacked and packed. */
  readonly bytes: number;
  readonly packed: number;
  /**
   * The bytes of the file, unpacked while they are read. Throws a ZipError if they differ from what the directory
   * states, or are encrypted.
   */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Returns the files in a ZIP, from the directory at its end. Folders are left out. Throws a ZipError if the bytes are
 * not a ZIP without 64-bit parts, or if it lists more than `filesMax` files.
 */
export async function unzip(archive: Blob, filesMax = entriesMax): Promise<ZippedFile[]> {
  const { count, length, start } = await findDirectory(archive);
  if (count > filesMax)
    throw new ZipError(`The ZIP contains more than ${filesMax.toLocaleString('en-US')} files and folders.`);
  const directory = await wordsAt(archive, start, length);
  const files: ZippedFile[] = [];
  for (let at = 0, left = count; left > 0; left--) {
    if (at + entryBytes > length || directory.getUint32(at, true) !== entryMark) throw damagedZip();
    const [packed, bytes] = [directory.getUint32(at + 20, true), directory.getUint32(at + 24, true)];
    const nameLength = directory.getUint16(at + 28, true);
    const extra = directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    if (at + entryBytes + nameLength > length) throw damagedZip();
    const name = decodeName(new Uint8Array(directory.buffer, at + entryBytes, nameLength));
    const entry: PackedEntry = {
      ...{ name, packed, bytes, start: directory.getUint32(at + 42, true) },
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      method: directory.getUint16(at + 10, true),
      checksum: directory.getUint32(at + 16, true),
    };
    if (!name.endsWith('/')) files.push({ name, bytes, packed, read: () => unpackFile(archive, entry) });
    at += entryBytes + nameLength + extra;
  }
  return files;
}

const [endBytes, entryBytes, fileBytes] = [22, 46, 30];
/** The maximum length of the comment after the end of the directory. */
const commentBytesMax = 2 ** 16 - 1;
/** Not compressed. */
const stored = 0;

/** Finds the directory from the last mark of its end. A comment can follow the mark. */
async function findDirectory(archive: Blob): Promise<{ count: number; length: number; start: number }> {
  const tailBytes = Math.min(archive.size, endBytes + commentBytesMax);
  const tail = await wordsAt(archive, archive.size - tailBytes, tailBytes);
  for (let at = tailBytes - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== endMark) continue;
    const [count, length, start] = [
      tail.getUint16(at + 10, true),
      tail.getUint32(at + 12, true),
      tail.getUint32(at + 16, true),
    ];
    if (count === entriesMax || start === offsetMax)
      throw new ZipError('The ZIP has more parts than Lotbook can read.');
    return { count, length, start };
  }
  throw new ZipError('The file is not a ZIP, or it is truncated.');
}

/** Names are UTF-8. Old programs use a code page; only the ASCII part of such a name is certain. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

interface PackedEntry {
  readonly name: string;
  readonly start: number;
  readonly packed: number;
  readonly bytes: number;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly checksum: number;
}

async function* unpackFile(archive: Blob, entry: PackedEntry): AsyncGenerator<Uint8Array> {
  const { name, start, packed, bytes, isEncrypted, method } = entry;
  if (isEncrypted) throw new ZipError(`"${name}" has a password. Save it without one.`);
  if (method !== deflated && method !== stored)
    throw new ZipError(`"${name}" is compressed in a way that Lotbook does not read. Zip it again with your system.`);
  const head = await wordsAt(archive, start, fileBytes);
  if (head.getUint32(0, true) !== fileMark) throw damagedZip();
  const from = start + fileBytes + head.getUint16(26, true) + head.getUint16(28, true);
  const content = archive.slice(from, from + packed).stream();
  let [read, checksum] = [0, 0];
  try {
    for await (const piece of method === stored
      ? content
      : transformBytes(content, new DecompressionStream('deflate-raw'))) {
      read += piece.length;
      if (read > bytes) throw damagedZip();
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw error instanceof TypeError ? damagedZip() : error;
  }
  if (read !== bytes || checksum !== entry.checksum) throw damagedZip();
}

async function wordsAt(archive: Blob, start: number, length: number): Promise<DataView> {
  if (start < 0 || start + length > archive.size) throw damagedZip();
  return new DataView(await archive.slice(start, start + length).arrayBuffer());
}

function damagedZip(): ZipError {
  return new ZipError('The ZIP is damaged or truncated.');
}
