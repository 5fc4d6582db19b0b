/**
 * Fingerprints of a file, as far as four megabytes remember them (a Bloom filter): one that it has not seen is new for
 * certain; of a million rows about three in a thousand are taken for seen though they are new, and are looked at again.
 * Both bits of one stand in one word, for every word is a walk to the far end of the memory.
 */
export class Seen {
  private readonly words = new Int32Array(16 ** wordDigits);

  /** Whether an equal one may have come before. `fingerprint`: SHA-256 in hex. */
  add(fingerprint: string): boolean {
    const word = hexAt(fingerprint, 0, wordDigits);
    const bits = (1 << hexAt(fingerprint, wordDigits, 2)) | (1 << hexAt(fingerprint, wordDigits + 2, 2));
    const before = this.words[word] ?? 0;
    this.words[word] = before | bits;
    return (before & bits) === bits;
  }
}

const wordDigits = 5;

/** So many hexadecimal digits of a text. */
function hexAt(text: string, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at++) {
    const code = text.charCodeAt(at);
    value = (value << 4) | (code < letterA ? code - digitZero : code - letterA + 10);
  }
  return value;
}

const [digitZero, letterA] = [48, 97];
