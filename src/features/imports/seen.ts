/**
 * Fingerprints of a file, as far as four megabytes remember them (a Bloom filter): one that it has not seen is new for
 * certain; of a million rows about three in a thousand are taken for seen though they are new, and are looked at again.
 */
export class Seen {
  private readonly bits = new Uint32Array(2 ** 20);

  /** Whether an equal one may have come before. `fingerprint`: SHA-256 in hex. */
  add(fingerprint: string): boolean {
    const first = this.set(Number.parseInt(fingerprint.slice(0, 8), 16));
    const second = this.set(Number.parseInt(fingerprint.slice(8, 16), 16));
    return first && second;
  }

  /** True where the bit was set already. */
  private set(hash: number): boolean {
    const word = (hash >>> 5) & 0xfffff;
    const bit = 1 << (hash & 31);
    const before = this.bits[word] ?? 0;
    this.bits[word] = before | bit;
    return (before & bit) !== 0;
  }
}
