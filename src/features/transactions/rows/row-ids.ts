/**
 * Creates row ids for one taxpayer: HMAC-SHA-256 with the taxpayer's secret (`taxpayers.id_key`). The same row has the
 * same id in each import of the taxpayer, and reveals nothing about rows of others. Implemented by hand, because an
 * import needs an id for every row, and this takes a third of the time of one object for each (RFC 2104: two hashes
 * over padded keys).
 */
export class RowIds {
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;
  readonly #digest: Uint8Array;

  /** The key is at most one block long. */
  constructor(key: Uint8Array) {
    if (key.length === 0 || key.length > blockBytes) throw new Error('A key for row ids has the wrong length.');
    this.#inner = new Uint8Array(blockBytes + textBytesMax);
    this.#outer = new Uint8Array(blockBytes + hashBytes);
    this.#inner.set(paddedKey(key, innerPad));
    this.#outer.set(paddedKey(key, outerPad));
    this.#digest = this.#outer.subarray(blockBytes);
  }

  /** Returns the id of the occurrence-th of several equal rows, without hyphens; the database accepts this form. */
  computeDigits(fingerprint: string, occurrence: number): string {
    return this.hashText(`${fingerprint}#${occurrence}`);
  }

  /** Returns the id with hyphens. */
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

/** Computes the same in SQL, with the blocks of `computeKeyBlocks`. */
export interface KeyBlocks {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

export function computeKeyBlocks(key: Uint8Array): KeyBlocks {
  return { inner: paddedKey(key, innerPad), outer: paddedKey(key, outerPad) };
}

/** For books without a taxpayer: `lotbook report` keeps its data on this machine. */
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
/** Room for a hash in hex and a number. */
const textBytesMax = 128;
