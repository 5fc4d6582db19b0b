import { decodeStrictly, decodeUtf8OrWindows, detectUtf16 } from '../rows/decoders.ts';

const blockBytes = 64 * 1024;

/**
 * Decodes a whole document by its bytes, like a CSV, because programs that convert files leave the encoding in the head
 * as it was. `fail` is called with the line and the reason if the bytes are not text.
 */
export function decodeWhole(bytes: Uint8Array, fail: (what: string) => never): string {
  const utf16 = detectUtf16(bytes.subarray(0, 64));
  const decode = utf16 === undefined ? decodeUtf8OrWindows() : decodeStrictly(utf16, 'UTF-16');
  const texts: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += blockBytes)
    for (const piece of decode(bytes.subarray(offset, offset + blockBytes), offset + blockBytes >= bytes.length)) {
      if ('unreadable' in piece) fail(`on line ${texts.join('').split('\n').length}, ${piece.unreadable}`);
      else texts.push(piece.text);
    }
  return texts.join('');
}
