import { expect } from 'bun:test';
import { inflateRawSync } from 'node:zlib';
import { allText, readPdf } from './pdf.ts';

/** Returns the texts of the files. */
export function unzipped(bytes: Uint8Array): Record<string, string> {
  const texts = Object.entries(unzippedBytes(bytes)).map(([name, content]) => [name, content.toString('utf8')]);
  return Object.fromEntries(texts);
}

/** Returns the texts of all files, including those of PDFs, as one text. */
export async function zipText(bytes: Uint8Array): Promise<string> {
  const texts = Object.entries(unzippedBytes(bytes)).map(async ([name, content]) =>
    name.endsWith('.pdf') ? allText(await readPdf(new Uint8Array(content))) : content.toString('utf8'),
  );
  return (await Promise.all(texts)).join('\n');
}

/** Returns the files found by a reader that uses the directory at the end. */
export function unzippedBytes(bytes: Uint8Array): Record<string, Buffer> {
  const archive = Buffer.from(bytes);
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  const files: Record<string, Buffer> = {};
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [packed, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('ascii', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    expect(archive.readUInt32LE(local)).toBe(0x04034b50);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = inflateRawSync(archive.subarray(start, start + packed));
    expect(content.length).toBe(size);
    expect(Bun.hash.crc32(content)).toBe(archive.readUInt32LE(at + 16));
    files[name] = content;
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}
