import { Refusal } from '../base/refusal.ts';

/**
 * Bytes of an upload as text. The bytes are first gathered into blocks of one size, so that all that follows is a
 * function of the file alone and not of how the network happened to cut it.
 */

export interface Progress {
  /** Bytes taken from the stream so far. */
  bytes: number;
}

/** A piece of the text, or what makes the rest of it unreadable. */
export type Piece = { readonly text: string } | { readonly unreadable: string };

const kilobyte = 1024;
export const blockBytesDefault = 64 * kilobyte;

export async function* readText(
  stream: ReadableStream<Uint8Array>,
  fileBytesMax: number,
  blockBytes: number,
  progress: Progress,
): AsyncGenerator<Piece> {
  let decode: ((block: Uint8Array, last: boolean) => Piece[]) | undefined;
  for await (const { block, last } of blocksOf(stream, fileBytesMax, blockBytes, progress)) {
    decode ??= decoderOf(block);
    for (const piece of decode(block, last)) {
      yield piece;
      if ('unreadable' in piece) return;
    }
  }
}

async function* blocksOf(
  stream: ReadableStream<Uint8Array>,
  fileBytesMax: number,
  blockBytes: number,
  progress: Progress,
): AsyncGenerator<{ block: Uint8Array; last: boolean }> {
  const reader = stream.getReader();
  let block = new Uint8Array(blockBytes);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      progress.bytes += value.length;
      if (progress.bytes > fileBytesMax) throw tooManyBytes(fileBytesMax);
      for (let offset = 0; offset < value.length; ) {
        // A full block waits for the byte after it, so that the last block is known to be the last.
        if (filled === blockBytes) {
          yield { block, last: false };
          block = new Uint8Array(blockBytes);
          filled = 0;
        }
        const taken = Math.min(blockBytes - filled, value.length - offset);
        block.set(value.subarray(offset, offset + taken), filled);
        filled += taken;
        offset += taken;
      }
    }
    yield { block: block.subarray(0, filled), last: true };
  } finally {
    // Whoever stops early, by a refusal or by leaving the loop, stops the upload too.
    await reader.cancel().catch(() => undefined);
  }
}

function tooManyBytes(fileBytesMax: number): Refusal {
  return new Refusal('too_large', `The file is larger than ${fileBytesMax.toLocaleString('en-US')} bytes.`, {
    members: { limit: fileBytesMax },
  });
}

const signatures: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['a gzip archive', [0x1f, 0x8b]],
  ['a ZIP archive or an Excel workbook (.xlsx)', [0x50, 0x4b, 0x03, 0x04]],
  ['an empty ZIP archive', [0x50, 0x4b, 0x05, 0x06]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['an old Excel workbook (.xls)', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a zstd archive', [0x28, 0xb5, 0x2f, 0xfd]],
  ['an xz archive', [0xfd, 0x37, 0x7a, 0x58]],
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
];

function decoderOf(head: Uint8Array): (block: Uint8Array, last: boolean) => Piece[] {
  const known = signatures.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) {
    throw new Refusal('not_csv', `This is ${known[0]}, not a CSV file. Upload the CSV inside it, or export it as CSV.`);
  }
  if (head[0] === 0xff && head[1] === 0xfe) return strictDecoder('utf-16le', 'UTF-16');
  if (head[0] === 0xfe && head[1] === 0xff) return strictDecoder('utf-16be', 'UTF-16');
  return strictDecoder('utf-8', 'UTF-8');
}

function strictDecoder(encoding: string, name: string): (block: Uint8Array, last: boolean) => Piece[] {
  const decoder = new TextDecoder(encoding, { fatal: true });
  /** Bytes of a character that the block before began. */
  let tail: Uint8Array = new Uint8Array(0);
  return (block, last) => {
    try {
      const text = decoder.decode(block, { stream: !last });
      tail = joined(tail, block).slice(-3);
      return cutAtNul(text);
    } catch {
      const bytes = joined(unfinished(tail, encoding), block);
      const good = goodPrefix(bytes, encoding);
      const before = new TextDecoder(encoding, { ignoreBOM: false }).decode(bytes.subarray(0, good));
      return [...cutAtNul(before), { unreadable: `the bytes there are not ${name} text` }];
    }
  };
}

function cutAtNul(text: string): Piece[] {
  const nul = text.indexOf('\0');
  if (nul === -1) return [{ text }];
  return [{ text: text.slice(0, nul) }, { unreadable: 'there is a NUL character, which no CSV file holds' }];
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** The bytes at the end that begin a character and do not finish it. */
function unfinished(bytes: Uint8Array, encoding: string): Uint8Array {
  for (let length = Math.min(3, bytes.length); length > 0; length--) {
    const end = bytes.subarray(bytes.length - length);
    if (decodes(end, encoding, true) && !decodes(end, encoding, false)) return end;
  }
  return new Uint8Array(0);
}

/** The length of the longest prefix that decodes: by halving, for decoding is fast and failing is rare. */
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
