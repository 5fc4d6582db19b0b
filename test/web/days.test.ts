import { describe, expect, test } from 'bun:test';
import { computeLayout, getItemPosition, pageRows, pageStart, rowFrom } from '../../src/web/pages/transactions/days.ts';

const groups = [
  { date: '2024-03-05', count: 2 },
  { date: '2024-03-04', count: pageRows },
  { date: '2024-01-01', count: 1 },
];
const layout = computeLayout(groups);

describe('the layout of a list by day', () => {
  test('has a heading before the rows of each day', () => {
    expect([layout.items, layout.rows]).toEqual([pageRows + 6, pageRows + 3]);
    expect([0, 1, 2, 3, 4, layout.items - 1].map((item) => getItemPosition(layout, item))).toEqual([
      { group: 0, row: null },
      { group: 0, row: 0 },
      { group: 0, row: 1 },
      { group: 1, row: null },
      { group: 1, row: 2 },
      { group: 2, row: pageRows + 2 },
    ]);
  });

  test('numbers every row once', () => {
    const rows = Array.from({ length: layout.items }, (_, item) => getItemPosition(layout, item).row).filter(
      (row) => row !== null,
    );
    expect(rows).toEqual(Array.from({ length: layout.rows }, (_, row) => row));
  });

  test('shows the first day on a page of rows, and how many rows from that day come before', () => {
    expect(pageStart(layout, 0)).toEqual({ date: '2024-03-05', offset: 0 });
    expect(pageStart(layout, 1)).toEqual({ date: '2024-03-04', offset: pageRows - 2 });
    expect(pageStart(computeLayout([]), 0)).toBeNull();
  });

  test('moves from row to row past headings, and not beyond either end', () => {
    expect(rowFrom(layout, 3, 1)).toBe(4);
    expect(rowFrom(layout, 3, -1)).toBe(2);
    expect(rowFrom(layout, 0, -1)).toBeNull();
    expect(rowFrom(layout, layout.items, 1)).toBeNull();
  });
});
