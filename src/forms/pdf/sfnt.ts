/** Reads and writes a TrueType font as a list of tables (OpenType specification, "Font file"). */

export interface SfntTable {
  /** Four letters, such as `glyf`. */
  readonly tag: string;
  readonly bytes: Uint8Array;
}

const headBytes = 12;
const entryBytes = 16;
const trueType = 0x00010000;

export function readSfnt(font: Uint8Array): Map<string, DataView> {
  const view = dataViewOf(font);
  const tables = new Map<string, DataView>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const entry = headBytes + index * entryBytes;
    const [offset, length] = [view.getUint32(entry + 8), view.getUint32(entry + 12)];
    tables.set(tagAt(view, entry), dataViewOf(font.subarray(offset, offset + length)));
  }
  return tables;
}

export function writeSfnt(tables: readonly SfntTable[]): Uint8Array {
  const size = tables.reduce((sum, { bytes }) => sum + padToWord(bytes.length), headBytes + tables.length * entryBytes);
  const font = new Uint8Array(size);
  const to = dataViewOf(font);
  // The number of tables, and three numbers derived from it for binary search.
  const exponent = Math.floor(Math.log2(tables.length));
  to.setUint32(0, trueType);
  [tables.length, 2 ** exponent * entryBytes, exponent, (tables.length - 2 ** exponent) * entryBytes].forEach(
    (value, index) => {
      to.setUint16(4 + index * 2, value);
    },
  );
  let at = headBytes + tables.length * entryBytes;
  tables.forEach(({ tag, bytes }, index) => {
    const entry = headBytes + index * entryBytes;
    font.set(new TextEncoder().encode(tag), entry);
    font.set(bytes, at);
    to.setUint32(entry + 4, computeChecksum(to, at, padToWord(bytes.length)));
    to.setUint32(entry + 8, at);
    to.setUint32(entry + 12, bytes.length);
    at += padToWord(bytes.length);
  });
  return font;
}

export function dataViewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function padToWord(bytes: number): number {
  return (bytes + 3) & ~3;
}

export function tagAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

function computeChecksum(view: DataView, at: number, bytes: number): number {
  let sum = 0;
  for (let offset = 0; offset < bytes; offset += 4) sum = (sum + view.getUint32(at + offset)) >>> 0;
  return sum;
}
