import { inflateSync } from 'node:zlib';

/**
 * The TrueType font inside a WOFF 1.0 file (W3C): the same tables, each unpacked, under a directory of their own. Fonts
 * for the web come as WOFF; a PDF wants what is inside.
 */
export function sfntOf(woff: Uint8Array): Uint8Array {
  const from = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  if (from.getUint32(0) !== signature) throw new Error('This is no WOFF file.');
  const tables = readTables(woff, from);
  const size = tables.reduce((sum, { bytes }) => sum + padded(bytes.length), headBytes + tables.length * entryBytes);
  const font = new Uint8Array(size);
  const to = new DataView(font.buffer);
  writeHead(to, from.getUint32(4), tables.length);
  let at = headBytes + tables.length * entryBytes;
  tables.forEach(({ tag, checksum, bytes }, index) => {
    const entry = headBytes + index * entryBytes;
    to.setUint32(entry, tag);
    to.setUint32(entry + 4, checksum);
    to.setUint32(entry + 8, at);
    to.setUint32(entry + 12, bytes.length);
    font.set(bytes, at);
    at += padded(bytes.length);
  });
  return font;
}

interface Table {
  readonly tag: number;
  readonly checksum: number;
  readonly bytes: Uint8Array;
}

const signature = 0x774f4646;
const headBytes = 12;
const entryBytes = 16;
const woffHeadBytes = 44;
const woffEntryBytes = 20;

function readTables(woff: Uint8Array, from: DataView): Table[] {
  return Array.from({ length: from.getUint16(12) }, (_, index) => {
    const entry = woffHeadBytes + index * woffEntryBytes;
    const [offset, packed, size] = [from.getUint32(entry + 4), from.getUint32(entry + 8), from.getUint32(entry + 12)];
    const bytes = woff.subarray(offset, offset + packed);
    return {
      tag: from.getUint32(entry),
      checksum: from.getUint32(entry + 16),
      bytes: packed === size ? bytes : new Uint8Array(inflateSync(bytes)),
    };
  });
}

/** The kind of outlines, the number of tables, and three numbers made of it for a search by halves. */
function writeHead(to: DataView, flavor: number, count: number): void {
  const exponent = Math.floor(Math.log2(count));
  to.setUint32(0, flavor);
  to.setUint16(4, count);
  to.setUint16(6, 2 ** exponent * entryBytes);
  to.setUint16(8, exponent);
  to.setUint16(10, (count - 2 ** exponent) * entryBytes);
}

function padded(bytes: number): number {
  return (bytes + 3) & ~3;
}
