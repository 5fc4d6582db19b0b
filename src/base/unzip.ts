import { transformBytes } from './transform-bytes.ts';

/** A file inside a ZIP that is read. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: number;
  /** The bytes of the file, unpacked while they are read. Throws if there are more bytes than the directory states. */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Returns the files in a ZIP written by `writeZip`, from the directory at its end. Throws if the bytes are not such a
 * ZIP.
 */
export async function unzip(archive: Blob): Promise<ZippedFile[]> {
  const tail = await wordsAt(archive, archive.size - endBytes, endBytes);
  if (tail.getUint32(0, true) !== endMark) throw new Error('The file is not a ZIP, or it is truncated.');
  const [count, length, start] = [tail.getUint16(10, true), tail.getUint32(12, true), tail.getUint32(16, true)];
  const directory = await wordsAt(archive, start, length);
  const files: ZippedFile[] = [];
  for (let at = 0, left = count; left > 0; left--) {
    if (at + entryBytes > length || directory.getUint32(at, true) !== entryMark) throw damagedZip();
    const [packed, bytes] = [directory.getUint32(at + 20, true), directory.getUint32(at + 24, true)];
    const nameLength = directory.getUint16(at + 28, true);
    const extra = directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    if (at + entryBytes + nameLength > length) throw damagedZip();
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + entryBytes, nameLength));
    const range = { start: directory.getUint32(at + 42, true), packed, bytes };
    files.push({ name, bytes, read: () => unpackFile(archive, range) });
    at += entryBytes + nameLength + extra;
  }
  return files;
}

const [endMark, entryMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50];
const [endBytes, entryBytes, fileBytes] = [22, 46, 30];

interface PackedRange {
  readonly start: number;
  readonly packed: number;
  readonly bytes: number;
}

async function* unpackFile(archive: Blob, { start, packed, bytes }: PackedRange): AsyncGenerator<Uint8Array> {
  const head = await wordsAt(archive, start, fileBytes);
  if (head.getUint32(0, true) !== fileMark) throw damagedZip();
  const from = start + fileBytes + head.getUint16(26, true) + head.getUint16(28, true);
  let read = 0;
  for await (const piece of transformBytes(
    archive.slice(from, from + packed).stream(),
    new DecompressionStream('deflate-raw'),
  )) {
    read += piece.length;
    if (read > bytes) throw damagedZip();
    yield piece;
  }
  if (read !== bytes) throw damagedZip();
}

async function wordsAt(archive: Blob, start: number, length: number): Promise<DataView> {
  if (start < 0 || start + length > archive.size) throw damagedZip();
  return new DataView(await archive.slice(start, start + length).arrayBuffer());
}

function damagedZip(): Error {
  return new Error('The ZIP is damaged or truncated.');
}
