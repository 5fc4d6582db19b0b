import { joinBytes } from '../../base/byte-reader.ts';
import { Refusal } from '../../base/refusal.ts';
import { type Decode, decodeStrictly, decodeUtf8OrWindows, detectUtf16, type Piece } from './decoders.ts';

/**
 * The progress of decoding an upload's bytes to text. Bytes are first collected into blocks of a fixed size, so the
 * result depends only on the file and not on how the network split it. The first bytes determine the encoding
 * (decoders.ts). Archives and documents are rejected by name.
 */

export interface Progress {
  /** Bytes read so far. */
  bytes: number;
}

const kilobyte = 1024;
export const blockBytesDefault = 64 * kilobyte;

/** The number of bytes needed to detect a file's encoding by a signature, a BOM, or the NULs between UTF-16 letters. */
const signatureBytes = 64;

export async function* readText(
  stream: ReadableStream<Uint8Array>,
  fileBytesMax: number,
  blockBytes: number,
  progress: Progress,
): AsyncGenerator<Piece> {
  let decode: Decode | undefined;
  let waiting: Uint8Array[] = [];
  for await (const { block, last } of readBlocks(stream, fileBytesMax, blockBytes, progress)) {
    waiting.push(block);
    if (decode === undefined && !last && waiting.length * blockBytes < signatureBytes) continue;
    decode ??= chooseDecoder(joinBytes(waiting));
    for (const [index, waited] of waiting.entries()) {
      for (const piece of decode(waited, last && index === waiting.length - 1)) {
        yield piece;
        if ('unreadable' in piece) return;
      }
    }
    waiting = [];
  }
}

async function* readBlocks(
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
        // A full block is held until the next byte shows whether it is the last one.
        if (filled === blockBytes) {
          yield { block, last: false };
          block = new Uint8Array(blockBytes);
          filled = 0;
        }
        const count = Math.min(blockBytes - filled, value.length - offset);
        block.set(value.subarray(offset, offset + count), filled);
        filled += count;
        offset += count;
      }
    }
    yield { block: block.subarray(0, filled), last: true };
  } finally {
    // If the caller stops early, by an error or by leaving the loop, this also stops the upload.
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

function chooseDecoder(head: Uint8Array): Decode {
  const known = signatures.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) {
    throw new Refusal('not_csv', `This is ${known[0]}, not a CSV file. Upload the CSV inside it, or export it as CSV.`);
  }
  const utf16 = detectUtf16(head.subarray(0, signatureBytes));
  return utf16 === undefined ? decodeUtf8OrWindows() : decodeStrictly(utf16, 'UTF-16');
}
