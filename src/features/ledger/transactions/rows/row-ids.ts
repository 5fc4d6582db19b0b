/**
 * Creates the row ids of a taxpayer: HMAC-SHA-256 with the taxpayer's secret key (`taxpayers.id_key`). The same row has
 * the same id in each import of the taxpayer. The id reveals nothing about other taxpayers' rows. This is a custom
 * implementation (RFC 2104: two hashes over padded keys), because an import needs an id for every row, and creating an
 * object for each takes three times as long.
 */
export class RowIds {
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;
  readonly #digest: Uint8Array;

  /** A longer key would have to be hashed first. */
  constructor(key: Uint8Array) {
    if (key.length === 0 || key.length > blockBytes) throw new Error('A key for row ids has the wrong length.');
    this.#inner = new Uint8Array(blockBytes + textBytesMax);
    this.#outer = new Uint8Array(blockBytes + hashBytes);
    this.#inner.set(paddedKey(key, innerPad));
    this.#outer.set(paddedKey(key, outerPad));
    this.#digest = this.#outer.subarray(blockBytes);
  }

  /** Returns the id of a row without hyphens, which the database accepts. `occurrence` counts equal rows. */
  computeDigits(fingerprint: string, occurrence: number): string {
    return this.hashText(`${fingerprint}#${occurrence}`);
  }

  /** Returns the id of a row with hyphens. */
  computeRowId(fingerprint: string, occurrence: number): string {
    const digits = this.computeDigits(fingerprint, occurrence);
    return [0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join('-');
  }

  /** Returns 32 hex digits for a short text, such as the hash of a longer one. */
  hashText(text: string): string {
    const { written, read } = encoder.encodeInto(text, this.#inner.subarray(blockBytes));
    if (read < text.length) throw new Error('The text is too long for a row id.');
    Bun.SHA256.hash(this.#inner.subarray(0, blockBytes + written), this.#digest);
    return Bun.SHA256.hash(this.#outer, 'hex').slice(0, nameDigits);
  }
}

/** The padded key blocks, for computing the same ids in SQL. */
interface KeyBlocks {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

export function computeKeyBlocks(key: Uint8Array): KeyBlocks {
  return { inner: paddedKey(key, innerPad), outer: paddedKey(key, outerPad) };
}

/** Used for books without a taxpayer, such as in `lotbook report`, which keeps its data on this machine. */
export const noTaxpayersKey = new Uint8Array(32);

function paddedKey(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(blockBytes).fill(pad);
  key.forEach((byte, at) => {
    block[at] = byte ^ pad;
  });
  return block;
}

const encoder = new TextEncoder();
const [blockBytes, hashBytes, nameDigits] = [64, 32, 32];
const [innerPad, outerPad] = [0x36, 0x5c];
/** Enough for a hash in hex and a number. */
const textBytesMax = 128;
