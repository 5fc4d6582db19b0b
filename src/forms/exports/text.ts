import { startsFormula } from '../../base/csv.ts';

/** Encodes text files as chunks of bytes, and protects free text in CSV cells. */

const chunkCharacters = 64 * 1024;

/** Joins small pieces into a few thousand chunks, so that a file with a million lines is never held as one string. */
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

/** Converts `2026-02-14T…` to `02/14/2026`. */
export function usDate(at: string): string {
  return at.replace(/^(\d{4})-(\d{2})-(\d{2}).*$/s, '$2/$3/$1');
}

/** Returns `1 line has` or `2 lines have`. */
export function countLines(count: number, one: string, several: string): string {
  return count === 1 ? `1 line ${one}` : `${count} lines ${several}`;
}

/**
 * Adds an apostrophe before free text that a spreadsheet would run as a formula. Do not use it for numbers: they would
 * lose their sign, and sums would be wrong.
 */
export function safeText(text: string): string {
  return startsFormula(text) ? `'${text}` : text;
}
