import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { Canvas } from '../../src/forms/pdf/canvas.ts';
import { readSfnt } from '../../src/forms/pdf/sfnt.ts';
import { subsetFont } from '../../src/forms/pdf/subset.ts';
import { unpackWoff } from '../../src/forms/pdf/woff.ts';

/** Returns a WOFF font with these tables. The tables in the second half are compressed. */
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
    bodies.push(body);
    at += body.length;
  });
  return new Uint8Array(Buffer.concat([head, ...bodies]));
}

test('an unpacked WOFF has the same tables, each at an aligned offset', () => {
  const tables = [
    ['cmap', 'abc'],
    ['glyf', 'd'.repeat(100)],
    ['head', 'e'.repeat(54)],
  ] as const;
  const font = Buffer.from(unpackWoff(woffOf(tables)));
  expect([font.readUInt32BE(0), font.readUInt16BE(4)]).toEqual([0x00010000, 3]);
  expect([font.readUInt16BE(6), font.readUInt16BE(8), font.readUInt16BE(10)]).toEqual([32, 1, 16]);
  tables.forEach(([tag, content], index) => {
    const entry = 12 + index * 16;
    expect(font.toString('ascii', entry, entry + 4)).toBe(tag);
    const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)];
    expect(offset % 4).toBe(0);
    expect(font.toString('ascii', offset, offset + length)).toBe(content);
  });
});

test('data that is not a WOFF is refused', () => {
  expect(() => unpackWoff(new Uint8Array(64))).toThrow('not a WOFF');
});

test('a subset contains only the requested letters, each with its outline and width', async () => {
  const path = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'));
  const whole = new Uint8Array(await Bun.file(path).arrayBuffer());
  // ǻ is a composite glyph, and no font contains the last character.
  const letters = [...'Aǻж', '\u{E000}'].map((letter) => letter.codePointAt(0) ?? 0);
  const subset = subsetFont(whole, letters);
  expect(subset.length).toBeLessThan(20_000);
  const widths = async (font: Uint8Array) => {
    const canvas = await Canvas.open({ title: 't', created: '2025-01-01', seed: '', fonts: [font] });
    return letters.slice(0, 3).map((code) => canvas.measure(String.fromCodePoint(code), 10));
  };
  expect(await widths(subset)).toEqual(await widths(whole));
  expect(readSfnt(subset).get('maxp')?.getUint16(4)).toBeLessThan(10);
  expect(subsetFont(whole, letters)).toEqual(subset);
});
