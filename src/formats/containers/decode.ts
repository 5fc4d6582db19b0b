import { decodeStrictly, decodeUtf8OrWindows, detectUtf16, type Piece } from '../rows/decoders.ts';

/**
 * Decodes a document like a CSV, by its bytes, because programs that convert files keep the encoding that the document
 * names. `head` contains its first bytes. `fail` is called with the line and the reason if the bytes are not text.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  head: Uint8Array,
  fail: (what: string) => never,
): AsyncGenerator<string> {
  const utf16 = detectUtf16(head.subarray(0, 64));
  const decode = utf16 === undefined ? decodeUtf8OrWindows() : decodeStrictly(utf16, 'UTF-16');
  let line = 1;
  const check = (pieces: readonly Piece[]): string => {
    let text = '';
    for (const piece of pieces) {
      if ('unreadable' in piece) fail(`on line ${line + countLineEnds(text)}, ${piece.unreadable}`);
      else text += piece.text;
    }
    line += countLineEnds(text);
    return text;
  };
  let held = new Uint8Array(0);
  for await (const piece of bytes) {
    if (held.length > 0) yield check(decode(held, false));
    held = Uint8Array.from(piece);
  }
  yield check(decode(held, true));
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
