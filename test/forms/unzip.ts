import { expect } from 'bun:test';
import { inflateRawSync } from 'node:zlib';

/** Returns the files found by a reader that uses the directory at the end. */
export function unzipped(bytes: Uint8Array): Record<string, string> {
  const archive = Buffer.from(bytes);
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  const files: Record<string, string> = {};
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
    files[name] = content.toString('utf8');
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}
