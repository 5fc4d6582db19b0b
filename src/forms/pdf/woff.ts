import { inflateSync } from 'node:zlib';
import { dataViewOf, type SfntTable, tagAt, writeSfnt } from './sfnt.ts';

/**
 * Returns the TrueType font inside a WOFF 1.0 file (W3C), which contains the same tables, each compressed. Web fonts
 * are packaged as WOFF, but a PDF needs the TrueType font.
 */
export function unpackWoff(woff: Uint8Array): Uint8Array {
  const view = dataViewOf(woff);
  if (view.getUint32(0) !== signature) throw new Error('This is not a WOFF file.');
  return writeSfnt(
    Array.from({ length: view.getUint16(12) }, (_, index): SfntTable => {
      const entry = headBytes + index * entryBytes;
      const [offset, packed, size] = [view.getUint32(entry + 4), view.getUint32(entry + 8), view.getUint32(entry + 12)];
      const bytes = woff.subarray(offset, offset + packed);
      return { tag: tagAt(view, entry), bytes: packed === size ? bytes : new Uint8Array(inflateSync(bytes)) };
    }),
  );
}

const signature = 0x774f4646;
const headBytes = 44;
const entryBytes = 20;
