/**
 * Detects whether an equal row came earlier in a file. The table stores the first 16 hex digits of each fingerprint;
 * among a million rows, two share them in about one of ten million files. It grows with the file up to its memory
 * limit. Every row after that counts as possibly equal, and the database checks it again.
 */
export class FingerprintSet {
  /** Two words per slot; both zero if it is free. */
  private words = new Int32Array(2 * slotsMin);
  private count = 0;

  /** `fingerprint`: SHA-256 in hex. */
  add(fingerprint: string): boolean {
    if (this.count >= fullest * slotsMax) return true;
    if (this.count >= fullest * (this.words.length / 2)) this.grow();
    const known = this.put(hexAt(fingerprint, 0), hexAt(fingerprint, 8));
    if (!known) this.count += 1;
    return known;
  }

  /** Returns true if both words are already stored. A pair of zeros is stored as another value. */
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
/** Slots of eight bytes each: enough for three million rows. */
const slotsMax = 2 ** 22;
const fullest = 0.75;

/** Reads eight hexadecimal digits of a text as a word. */
function hexAt(text: string, start: number): number {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const code = text.charCodeAt(at);
    value = (value << 4) | (code < letterA ? code - digitZero : code - letterA + 10);
  }
  return value;
}

const [digitZero, letterA] = [48, 97];
