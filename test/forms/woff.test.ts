import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { sfntOf } from '../../src/forms/woff.ts';

/** A WOFF of these tables; the second half of them is packed. */
function woffOf(tables: readonly (readonly [tag: string, content: string])[]): Uint8Array {
  const head = Buffer.alloc(44 + tables.length * 20);
  head.write('wOFF', 0);
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt16BE(tables.length, 12);
  const bodies: Buffer[] = [];
  let at = head.length;
  tables.forEach(([tag, content], index) => {
    const plain = Buffer.from(content);
    const body = index * 2 < tables.length ? plain : deflateSync(plain);
    const entry = 44 + index * 20;
    head.write(tag, entry);
    head.writeUInt32BE(at, entry + 4);
    head.writeUInt32BE(body.length, entry + 8);
    head.writeUInt32BE(plain.length, entry + 12);
    head.writeUInt32BE(index + 7, entry + 16);
    bodies.push(body);
    at += body.length;
  });
  return new Uint8Array(Buffer.concat([head, ...bodies]));
}

test('the font inside a WOFF has the same tables, each at a place of its own', () => {
  const tables = [
    ['cmap', 'abc'],
    ['glyf', 'd'.repeat(100)],
    ['head', 'e'.repeat(54)],
  ] as const;
  const font = Buffer.from(sfntOf(woffOf(tables)));
  expect([font.readUInt32BE(0), font.readUInt16BE(4)]).toEqual([0x00010000, 3]);
  expect([font.readUInt16BE(6), font.readUInt16BE(8), font.readUInt16BE(10)]).toEqual([32, 1, 16]);
  tables.forEach(([tag, content], index) => {
    const entry = 12 + index * 16;
    expect(font.toString('ascii', entry, entry + 4)).toBe(tag);
    expect(font.readUInt32BE(entry + 4)).toBe(index + 7);
    const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)];
    expect(offset % 4).toBe(0);
    expect(font.toString('ascii', offset, offset + length)).toBe(content);
  });
});

test('what is no WOFF is refused', () => {
  expect(() => sfntOf(new Uint8Array(64))).toThrow('no WOFF');
});
