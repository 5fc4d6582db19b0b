import { joinBytes } from '../../base/byte-reader.ts';

/** Decodes blocks of bytes strictly. The text before an undecodable byte is returned first, then the error. */

/** A piece of text, or the reason why the rest is unreadable. */
export type Piece = { readonly text: string } | { readonly unreadable: string };

export type Decode = (block: Uint8Array, last: boolean) => readonly Piece[];

export function decodeStrictly(encoding: string, name: string): Decode {
  const decoder = new StrictDecoder(encoding);
  return (block, last) => {
    const { text, bad } = decoder.decode(block, last);
    return bad === null ? cutAtNul(text) : [...cutAtNul(text), notText(name)];
  };
}

/**
 * Decodes UTF-8, or Windows-1252, which old spreadsheets still write. The bytes are Windows-1252 if the first byte
 * beyond ASCII does not begin a UTF-8 character, not even a broken one. A mixture of both is rejected.
 */
export function decodeUtf8OrWindows(): Decode {
  const decoder = new StrictDecoder('utf-8');
  let windows: Decode | undefined;
  let [bytes, characters] = [0, 0];
  /** An undecodable byte at the end of a block, held until the next byte is known. */
  let held: Uint8Array | null = null;
  return (block, last) => {
    if (windows !== undefined) return windows(block, last);
    bytes += block.length;
    const { text, bad } = held === null ? decoder.decode(block, last) : { text: '', bad: joinBytes([held, block]) };
    characters += text.length;
    if (bad === null) return cutAtNul(text);
    held = bad;
    if (bad.length === 1 && !last) return cutAtNul(text);
    // Only ASCII text has as many characters as bytes.
    const ascii = characters === bytes - bad.length;
    if (!ascii || !beginsWindows(bad)) return [...cutAtNul(text), notText('UTF-8')];
    windows = decodeWindows();
    return [...cutAtNul(text), ...windows(bad, last)];
  };
}

/** Detects UTF-16 by its BOM, or else by a NUL in every other byte, as between Latin letters. */
export function detectUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const pairs = head.length >> 1;
  const nuls = [0, 0];
  head.subarray(0, pairs * 2).forEach((byte, index) => {
    if (byte === 0) nuls[index & 1] = (nuls[index & 1] ?? 0) + 1;
  });
  const [high = 0, low = 0] = nuls;
  if (pairs < 4 || (high > 0 && low > 0)) return undefined;
  if (low * 4 >= pairs * 3) return 'utf-16le';
  return high * 4 >= pairs * 3 ? 'utf-16be' : undefined;
}

class StrictDecoder {
  private readonly decoder: TextDecoder;
  /** The bytes of a character that began in the previous block. */
  private tail: Uint8Array = new Uint8Array(0);

  constructor(private readonly encoding: string) {
    this.decoder = new TextDecoder(encoding, { fatal: true });
  }

  /** Returns the text, and the bytes from the first undecodable one on. Null if all bytes are valid. */
  decode(block: Uint8Array, last: boolean): { readonly text: string; readonly bad: Uint8Array | null } {
    try {
      const text = this.decoder.decode(block, { stream: !last });
      this.tail = (block.length >= 3 ? block : joinBytes([this.tail, block])).slice(-3);
      return { text, bad: null };
    } catch {
      const bytes = joinBytes([unfinished(this.tail, this.encoding), block]);
      const good = goodPrefix(bytes, this.encoding);
      const text = new TextDecoder(this.encoding).decode(bytes.subarray(0, good));
      return { text, bad: bytes.subarray(good) };
    }
  }
}

function notText(name: string): Piece {
  return { unreadable: `the bytes are not ${name} text` };
}

function cutAtNul(text: string): Piece[] {
  const nul = text.indexOf('\0');
  if (nul === -1) return [{ text }];
  return [{ text: text.slice(0, nul) }, { unreadable: 'there is a NUL character, which CSV files cannot contain' }];
}

/**
 * Returns whether the bytes begin Windows-1252. A UTF-8 lead byte before a continuation byte, or at the end, is broken
 * UTF-8 instead.
 */
function beginsWindows([lead = 0, next]: Uint8Array): boolean {
  if (lead < 0xc0 || lead > 0xf4) return true;
  return next !== undefined && (next < 0x80 || next >= 0xc0);
}

/** Bytes that are undefined in Windows-1252, and control characters that do not appear in text. */
const meaningless = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d, 0x7f]);

function decodeWindows(): Decode {
  const decoder = new TextDecoder('windows-1252');
  return (block) => {
    const bad = block.findIndex(
      (byte) => meaningless.has(byte) || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13),
    );
    if (bad === -1) return [{ text: decoder.decode(block) }];
    return [{ text: decoder.decode(block.subarray(0, bad)) }, notText('UTF-8 or Windows-1252')];
  };
}

/** Returns the bytes at the end that begin a character but do not complete it. */
function unfinished(bytes: Uint8Array, encoding: string): Uint8Array {
  for (let length = Math.min(3, bytes.length); length > 0; length--) {
    const end = bytes.subarray(bytes.length - length);
    if (decodes(end, encoding, true) && !decodes(end, encoding, false)) return end;
  }
  return new Uint8Array(0);
}

/** Finds the longest decodable prefix with a binary search, because decoding is fast and failures are rare. */
function goodPrefix(bytes: Uint8Array, encoding: string): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodes(bytes.subarray(0, middle), encoding, true)) good = middle;
    else bad = middle;
  }
  while (good > 0 && !decodes(bytes.subarray(0, good), encoding, false)) good--;
  return good;
}

function decodes(bytes: Uint8Array, encoding: string, more: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: more });
    return true;
  } catch {
    return false;
  }
}
