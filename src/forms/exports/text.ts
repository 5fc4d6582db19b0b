import { startsFormula } from '../../base/csv.ts';

/** Text files as chunks of bytes, and free text in CSV cells. */

const chunkCharacters = 64 * 1024;

/** Joins small pieces, so that a file of a million lines is some thousand chunks and never one string. */
export function* encodeChunks(pieces: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < chunkCharacters) continue;
    yield encoder.encode(waiting.join(''));
    waiting = [];
    length = 0;
  }
  if (length > 0) yield encoder.encode(waiting.join(''));
}

/**
 * Puts an apostrophe before free text that a spreadsheet would run as a formula. For text only: a number keeps its
 * sign, otherwise sums over the file would be wrong.
 */
export function safeText(text: string): string {
  return startsFormula(text) ? `'${text}` : text;
}
