import { expect, test } from 'bun:test';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { bytes } from '../../src/web/format/amounts.ts';
import { csvLines, csvText, detectDelimiter } from '../../src/web/format/csv.ts';
import {
  withConstant,
  withField,
  withMultiplier,
  withSetting,
  withType,
} from '../../src/web/pages/import/wizard/mapping-answers.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_249_000, '1.2 MB'],
  [61_088_930, '61.1 MB'],
])('%i are %s', (size, text) => {
  expect(bytes(size)).toBe(text);
});

test.each([
  ['a,b\n1,2\n', ','],
  ['a;b;c\n1,5;2,5;3\n', ';'],
  ['a\tb\n1,000\t2\n', '\t'],
  ['alone\n1\n', ','],
])('the cells in %p are separated by %p', (text, delimiter) => {
  expect(detectDelimiter(text)).toBe(delimiter);
});

test('written lines are read back unchanged', () => {
  const lines = [
    ['Date', 'Note'],
    ['03/04/2024', 'a "word", and\na line'],
    [' blank ', ''],
  ];
  expect(csvLines(csvText(lines)).map(({ cells }) => [...cells])).toEqual(lines);
});

const mapping: Mapping = {
  columns: { When: 'date', Units: 'quantity', Cost: 'fee' },
  undecided: { Money: 'Is the fee in it?', Tax: 'Is it a fee?' },
};

test('a field has one column, except for fees and accounts', () => {
  expect(withField(mapping, 'Count', 'quantity').columns).toEqual({ When: 'date', Cost: 'fee', Count: 'quantity' });
  expect(withField(mapping, 'Tax', 'fee').columns).toEqual({
    When: 'date',
    Units: 'quantity',
    Cost: 'fee',
    Tax: 'fee',
  });
  expect(withField(mapping, 'Units', null).columns).toEqual({ When: 'date', Cost: 'fee' });
});

test('a chosen column is no longer open', () => {
  const once = withField(mapping, 'Money', 'total');
  expect(once.undecided).toEqual({ Tax: 'Is it a fee?' });
  expect(withField(once, 'Tax', null)).not.toHaveProperty('undecided');
});

test('an undone answer leaves no trace', () => {
  const plain: Mapping = { columns: { When: 'date' } };
  expect(withType(withType(plain, 'Bought', 'buy'), 'Bought', null)).toEqual(plain);
  expect(withConstant(withConstant(plain, 'currency', 'EUR'), 'currency', '')).toEqual(plain);
  expect(withSetting(withSetting(plain, 'decimal', ','), 'decimal', '')).toEqual(plain);
  expect(withMultiplier(withMultiplier(plain, 'ZQX', '50'), 'ZQX', '')).toEqual(plain);
  expect(withMultiplier(plain, 'ZQX', '50').multipliers).toEqual({ ZQX: '50' });
  expect(withType(plain, 'Bought', 'buy').types).toEqual({ Bought: 'buy' });
});
