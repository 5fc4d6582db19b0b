/**
 * Names rows for one taxpayer: HMAC-SHA-256 under the secret of the taxpayer (`taxpayers.id_key`). The same row has the
 * same id in each import of the taxpayer, and says nothing of what others have. Written out, because an import names
 * every row, and a third of the time that an object for each takes is enough (RFC 2104: two hashes over padded keys).
 */
export class RowIds {
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;
  readonly #digest: Uint8Array;

  /** At most one block long. */
  constructor(key: Uint8Array) {
    if (key.length === 0 || key.length > blockBytes) throw new Error('A key of row ids has another length.');
    this.#inner = new Uint8Array(blockBytes + textBytesMax);
    this.#outer = new Uint8Array(blockBytes + hashBytes);
    this.#inner.set(paddedKey(key, innerPad));
    this.#outer.set(paddedKey(key, outerPad));
    this.#digest = this.#outer.subarray(blockBytes);
  }

  /** The id of the occurrence-th of equal rows, without hyphens, as the database takes it too. */
  digitsOf(fingerprint: string, occurrence: number): string {
    return this.nameOf(`${fingerprint}#${occurrence}`);
  }

  /** The same with hyphens. */
  idOf(fingerprint: string, occurrence: number): string {
    const digits = this.digitsOf(fingerprint, occurrence);
    return [0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join('-');
  }

  /** 32 digits for a short text, as the hash of a longer one. */
  nameOf(text: string): string {
    const { written, read } = encoder.encodeInto(text, this.#inner.subarray(blockBytes));
    if (read < text.length) throw new Error('A text that is too long for a name.');
    Bun.SHA256.hash(this.#inner.subarray(0, blockBytes + written), this.#digest);
    return Bun.SHA256.hash(this.#outer, 'hex').slice(0, nameDigits);
  }
}

/** The same in SQL: the name of a text, under the blocks of `blocksOf`. */
export interface KeyBlocks {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

export function blocksOf(key: Uint8Array): KeyBlocks {
  return { inner: paddedKey(key, innerPad), outer: paddedKey(key, outerPad) };
}

/** For books of no taxpayer: what `lotbook report` reads stays on the machine. */
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
/** A hash in hex, and a number. */
const textBytesMax = 128;
