import { dataViewOf, padToWord, readSfnt, type SfntTable, writeSfnt } from './sfnt.ts';

/**
 * Returns a font with only these characters' glyphs, renumbered. A font for the entire first plane of Unicode is 12 MB:
 * jsPDF took 0.5 s to read it and wrote 290 KB for four letters.
 */
export function subsetFont(font: Uint8Array, characters: Iterable<number>): Uint8Array {
  const tables = readSfnt(font);
  const table = (tag: string): DataView => {
    const table = tables.get(tag);
    if (table === undefined) throw new Error(`The font has no table ${tag}.`);
    return table;
  };
  const glyphOf = readCmap(table('cmap'));
  const codes = [...new Set(characters)].sort((a, b) => a - b).filter((code) => glyphOf(code) !== 0);
  const outlines = createOutlineReader(table('glyf'), table('loca'), table('head').getInt16(50) === 1);
  const glyphs = withParts([0, ...codes.map(glyphOf)], outlines);
  const numbers = new Map(glyphs.map((glyph, index) => [glyph, index]));
  const written = writeGlyphs(glyphs.map((glyph) => renumberGlyphs(outlines(glyph), numbers)));
  const changed: readonly SfntTable[] = [
    { tag: 'OS/2', bytes: bytesOf(table('OS/2')) },
    { tag: 'cmap', bytes: writeCmap(codes.map((code) => [code, numbers.get(glyphOf(code)) ?? 0])) },
    { tag: 'glyf', bytes: written.glyf },
    { tag: 'head', bytes: patchTable(table('head'), (head) => head.setInt16(50, 1)) },
    { tag: 'hhea', bytes: patchTable(table('hhea'), (hhea) => hhea.setUint16(34, glyphs.length)) },
    { tag: 'hmtx', bytes: buildMetrics(table('hmtx'), table('hhea').getUint16(34), glyphs) },
    { tag: 'loca', bytes: written.loca },
    { tag: 'maxp', bytes: patchTable(table('maxp'), (maxp) => maxp.setUint16(4, glyphs.length)) },
    { tag: 'name', bytes: bytesOf(table('name')) },
    // Version 3 means that glyphs have no names.
    { tag: 'post', bytes: patchTable(table('post'), (post) => post.setUint32(0, 0x00030000)).slice(0, 32) },
  ];
  return writeSfnt(changed);
}

/**
 * Returns a function that finds a character's glyph in a format 4 subtable, which covers the first plane. It returns 0
 * if there is none.
 */
function readCmap(cmap: DataView): (code: number) => number {
  const offsets = Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(8 + index * 8));
  const at = offsets.find((offset) => cmap.getUint16(offset) === 4);
  if (at === undefined) throw new Error('The font has no map of the first plane.');
  const twice = cmap.getUint16(at + 6);
  const [ends, starts, deltas, ranges] = [at + 14, at + 16 + twice, at + 16 + 2 * twice, at + 16 + 3 * twice];
  return (code) => {
    for (let segment = 0; segment < twice; segment += 2) {
      if (cmap.getUint16(ends + segment) < code) continue;
      const start = cmap.getUint16(starts + segment);
      if (start > code) return 0;
      const [delta, range] = [cmap.getUint16(deltas + segment), cmap.getUint16(ranges + segment)];
      if (range === 0) return (code + delta) & 0xffff;
      const glyph = cmap.getUint16(ranges + segment + range + 2 * (code - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

type Outlines = (glyph: number) => Uint8Array;

function createOutlineReader(glyf: DataView, loca: DataView, isLong: boolean): Outlines {
  const offset = (glyph: number): number => (isLong ? loca.getUint32(glyph * 4) : loca.getUint16(glyph * 2) * 2);
  return (glyph) => bytesOf(glyf).subarray(offset(glyph), offset(glyph + 1));
}

/** Returns each glyph once, along with the glyphs that it is composed of. */
function withParts(glyphs: readonly number[], outlines: Outlines): number[] {
  const all = new Set<number>();
  const add = (glyph: number): void => {
    if (all.has(glyph)) return;
    all.add(glyph);
    for (const componentOffset of findComponentOffsets(outlines(glyph)))
      add(dataViewOf(outlines(glyph)).getUint16(componentOffset));
  };
  for (const glyph of glyphs) add(glyph);
  return [...all];
}

/** Returns the offsets of an outline's component glyph ids. Empty for a simple outline. */
function findComponentOffsets(outline: Uint8Array): number[] {
  const view = dataViewOf(outline);
  if (outline.length === 0 || view.getInt16(0) >= 0) return [];
  const componentOffsets: number[] = [];
  let at = 10;
  for (;;) {
    const flags = view.getUint16(at);
    componentOffsets.push(at + 2);
    // The flags determine the size: offsets as words or bytes, then one scale, two scales, or a matrix.
    at += 4 + (flags & 0x1 ? 4 : 2) + (flags & 0x8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0);
    if ((flags & 0x20) === 0) return componentOffsets;
  }
}

function renumberGlyphs(outline: Uint8Array, numbers: ReadonlyMap<number, number>): Uint8Array {
  const copy = outline.slice();
  const view = dataViewOf(copy);
  for (const componentOffset of findComponentOffsets(copy))
    view.setUint16(componentOffset, numbers.get(view.getUint16(componentOffset)) ?? 0);
  return copy;
}

function writeGlyphs(outlines: readonly Uint8Array[]): { glyf: Uint8Array; loca: Uint8Array } {
  const glyf = new Uint8Array(outlines.reduce((sum, outline) => sum + padToWord(outline.length), 0));
  const loca = dataViewOf(new Uint8Array((outlines.length + 1) * 4));
  let at = 0;
  outlines.forEach((outline, index) => {
    glyf.set(outline, at);
    at += padToWord(outline.length);
    loca.setUint32((index + 1) * 4, at);
  });
  return { glyf, loca: bytesOf(loca) };
}

/** Writes each glyph's advance and left bearing. Glyphs beyond the last explicit advance share it. */
function buildMetrics(hmtx: DataView, advances: number, glyphs: readonly number[]): Uint8Array {
  const metrics = dataViewOf(new Uint8Array(glyphs.length * 4));
  glyphs.forEach((glyph, index) => {
    const metric = Math.min(glyph, advances - 1);
    const bearing = glyph < advances ? glyph * 4 + 2 : advances * 4 + (glyph - advances) * 2;
    metrics.setUint16(index * 4, hmtx.getUint16(metric * 4));
    metrics.setInt16(index * 4 + 2, hmtx.getInt16(bearing));
  });
  return bytesOf(metrics);
}

/** Writes one segment per character, and one that ends the list. */
function writeCmap(mapped: readonly (readonly [code: number, glyph: number])[]): Uint8Array {
  const segments = [
    ...mapped.map(([code, glyph]) => ({ code, delta: (glyph - code) & 0xffff })),
    { code: 0xffff, delta: 1 },
  ];
  const count = segments.length;
  const power = Math.floor(Math.log2(count));
  const body = [
    ...[4, 16 + count * 8, 0, count * 2, 2 ** (power + 1), power, (count - 2 ** power) * 2],
    ...segments.map(({ code }) => code),
    0,
    ...segments.map(({ code }) => code),
    ...segments.map(({ delta }) => delta),
    ...segments.map(() => 0),
  ];
  // One subtable, for Windows Unicode, which starts twelve bytes from the beginning.
  const words = [0, 1, 3, 1, 0, 12, ...body];
  const cmap = dataViewOf(new Uint8Array(words.length * 2));
  words.forEach((word, index) => {
    cmap.setUint16(index * 2, word);
  });
  return bytesOf(cmap);
}

function patchTable(table: DataView, change: (copy: DataView) => void): Uint8Array {
  const copy = bytesOf(table).slice();
  change(dataViewOf(copy));
  return copy;
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
