import { crc32, deflateRawSync } from 'node:zlib';

/** A file inside a ZIP. Names are plain ASCII. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Writes a ZIP (PKWARE's APPNOTE, without its 64-bit parts) entry by entry, with one in memory at a time. Each entry has
 * the first date of the format, so that equal files give equal bytes.
 */
export async function* zipped(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const packed = deflateRawSync(content);
    const fields = fieldsOf({ name, checksum: crc32(content), packed: packed.length, size: content.length });
    const head = joined([words([0x50, 0x4b, 0x03, 0x04]), fields, number(name.length, 2), number(0, 2), ascii(name)]);
    yield head;
    yield packed;
    directory.push(
      joined([
        words([0x50, 0x4b, 0x01, 0x02]),
        number(version, 2),
        fields,
        number(name.length, 2),
        // No extra field, no comment, disk 0, no attributes.
        number(0, 12),
        number(offset, 4),
        ascii(name),
      ]),
    );
    offset += head.length + packed.length;
  }
  const listing = joined(directory);
  yield listing;
  const count = number(directory.length, 2);
  yield joined([
    words([0x50, 0x4b, 0x05, 0x06]),
    number(0, 4),
    count,
    count,
    number(listing.length, 4),
    number(offset, 4),
    number(0, 2),
  ]);
}

/** 2.0: what deflate needs. */
const version = 20;
const deflated = 8;
/** 1 January 1980, midnight: the first instant that the format knows. */
const [time, date] = [0, 0x21];

/** The fields that the local header and the directory share, from the version on. */
function fieldsOf(file: { name: string; checksum: number; packed: number; size: number }): Uint8Array {
  return joined([
    number(version, 2),
    number(0, 2),
    number(deflated, 2),
    number(time, 2),
    number(date, 2),
    number(file.checksum, 4),
    number(file.packed, 4),
    number(file.size, 4),
  ]);
}

/** Little-endian. */
function number(value: number, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

function words(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from(bytes);
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}
