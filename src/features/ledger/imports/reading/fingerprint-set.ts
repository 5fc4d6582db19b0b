/**
 * Detects whether an equal row came earlier in a file. Stores the first 16 hex digits of each fingerprint. In files
 * with a million rows, two different rows collide in about one of ten million files. The table grows up to its memory
 * limit. After that, every row counts as possibly equal, and the database checks it again.
 */
export class FingerprintSet {
  /** Two words per slot. Both are zero if the slot is free. */
  private words = new Int32Array(2 * slotsMin);
  private count = 0;

  /** Adds a fingerprint (SHA-256 in hex). Returns whether an equal row may have come earlier. */
  add(fingerprint: string): boolean {
    if (this.count >= fullest * slotsMax) return true;
    if (this.count >= fullest * (this.words.length / 2)) this.grow();
    const known = this.put(hexAt(fingerprint, 0), hexAt(fingerprint, 8));
    if (!known) this.count += 1;
    return known;
  }

  /** Stores two words. Returns true if they are already stored. A pair of zeros is stored as a different value. */
  private put(first: number, second: number): boolean {
    const { words } = this;
    const stored = first === 0 && second === 0 ? 1 : second;
    for (let at = (2 * first) & (words.length - 1); ; at = (at + 2) & (words.length - 1)) {
      if (words[at] === first && words[at + 1] === stored) return true;
      if (words[at] !== 0 || words[at + 1] !== 0) continue;
      words[at] = first;
      words[at + 1] = stored;
      return false;
    }
  }

  private grow(): void {
    const before = this.words;
    this.words = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += 2) {
      const [first = 0, second = 0] = [before[at], before[at + 1]];
      if (first !== 0 || second !== 0) this.put(first, second);
    }
  }
}

const slotsMin = 2 ** 12;
/** The maximum number of slots of eight bytes each. Enough for three million rows. */
const slotsMax = 2 ** 22;
const fullest = 0.75;

/** Parses eight hexadecimal digits as a word. */
function hexAt(text: string, start: number): number {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const code = text.charCodeAt(at);
    value = (value << 4) | (code < letterA ? code - digitZero : code - letterA + 10);
  }
  return value;
}

const [digitZero, letterA] = [48, 97];
