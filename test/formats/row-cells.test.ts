import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RowCells } from '../../src/formats/lotbook/row-cells.ts';
import { PlainRow } from '../../src/formats/rows/plain-row.ts';

const cell = fc.string({
  unit: fc.constantFrom('a', '1', '.', ' ', '\t', '\u00a0', '\ufeff', 'é', '\u0001'),
  maxLength: 4,
});
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

test('cells read in place equal the cells cut out and trimmed, in any order and repeatedly', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t'), (records, delimiter) => {
      const read = new RowCells();
      for (const cells of records) {
        const plain = plainRow(cells.join(delimiter), delimiter);
        const cut = plain.text.split(delimiter);
        for (const row of [plain, { line: 1, cells: cut }]) {
          read.open(row);
          expect(read.count).toBe(cut.length);
          const places = [...cut.keys(), -1, cut.length, ...cut.keys()].reverse();
          for (const index of places) {
            const text = (cut[index] ?? '').trim();
            expect(read.text(index)).toBe(text);
            read.find(index);
            expect(read.source.slice(read.from, read.to)).toBe(text);
          }
        }
      }
    }),
  );
});

test('a record without quotes has the cells between its delimiters', () => {
  const row = plainRow('a,,b c,');
  expect(row.cells).toEqual(['a', '', 'b c', '']);
  expect([row, plainRow(',a'), plainRow(' ,a')].map((one) => one.beginsWithWord)).toEqual([true, false, false]);
});

test('a record is accepted if the number and length of its cells are within the limits', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), fc.nat(7), fc.nat(5), (cells, most, longest) => {
      const row = plainRow(cells.join(','));
      const fits = row.cells.length <= most && row.cells.every((one) => one.length <= longest);
      expect(row.fits(most, longest)).toBe(fits);
    }),
  );
});

/** Returns a row inside a larger block of text. */
function plainRow(text: string, delimiter = ','): PlainRow {
  const before = `x${delimiter}"`;
  return new PlainRow(7, `${before}${text}\n${delimiter}y`, before.length, before.length + text.length, delimiter);
}
