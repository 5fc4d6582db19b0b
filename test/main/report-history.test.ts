import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Quantity } from '../../src/base/decimal.ts';
import { WordColumn } from '../../src/commands/report/columns.ts';
import { History } from '../../src/commands/report/history.ts';
import { IntegerColumn } from '../../src/commands/report/integers.ts';
import { readWhole } from '../formats/reading.ts';

test('integers of any size that a file may state come back from their column, and what is not stated does not', () => {
  const most = 10n ** 38n - 1n;
  const edges = [0n, 1n, -1n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n, 2n ** 64n, most, -most];
  const integer = fc.option(fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: -most, max: most })));
  fc.assert(
    fc.property(fc.array(integer, { maxLength: 40 }), fc.integer({ min: 0, max: 9_000 }), (integers, from) => {
      const column = new IntegerColumn<Quantity>();
      integers.forEach((one, at) => {
        column.set(from + at, one as Quantity | null);
      });
      expect<(bigint | null)[]>(integers.map((_, at) => column.get(from + at))).toEqual(integers);
      expect(column.get(from + integers.length)).toBeNull();
    }),
  );
});

test('words come back from their column, the unstated one where none was set', () => {
  const column = new WordColumn<string>('USD');
  const words = ['EUR', 'EUR', 'USD', '', 'GBP', 'EUR'];
  words.forEach((word, row) => {
    column.set(row * 2_000, word);
  });
  expect(words.map((_, row) => column.get(row * 2_000))).toEqual(words);
  expect(column.get(1)).toBe('USD');
});

test('every kind of transaction comes back from the columns as its draft was, but for its note', async () => {
  const { drafts } = await readWhole(readFileSync(join(import.meta.dir, '../fixtures/formats/lotbook.csv')));
  const history = new History({});
  const file = history.begin('lotbook.csv', 'stock');
  for (const draft of drafts) history.add(draft, file);
  expect(drafts.length).toBeGreaterThan(40);
  drafts.forEach((draft, row) => {
    const { assetClass, ...told } = history.transaction(row, 'id');
    const { timeZone: _zone, assetClass: stated, ...meant } = draft;
    expect<object>(told).toEqual({ ...meant, id: 'id', note: '' });
    if (stated !== null) expect(assetClass).toBe(stated);
  });
});

test('a file that runs newest first counts its places from its end, beside one that does not', async () => {
  const rows = ['2024-01-02,dividend,X,5', '2024-01-03,dividend,X,6'];
  const told = async (lines: readonly string[]) => readWhole(`date,type,asset,amount\n${lines.join('\n')}\n`);
  const history = new History({});
  for (const { drafts, end } of [await told(rows), await told(rows.toReversed())]) {
    const file = history.begin('file.csv', null);
    for (const draft of drafts) history.add(draft, file);
    history.end(file, end);
  }
  const places = [0, 1, 2, 3].map((row) => [history.lineOf(row), history.placeOf(row), history.fileOf(row).firstRow]);
  expect(places).toEqual([
    [2, 2, 0],
    [3, 3, 0],
    [2, 2, 2],
    [3, 1, 2],
  ]);
});
