import { expect, test } from 'bun:test';
import { freeze, thaw } from '../../src/features/gains/reports/frozen.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { plainBooks } from './plain-books.ts';

const stamp = { revision: 'r1', asOf: '2025-01-01T00:00:00Z' };

test('frozen books thaw unchanged, including numbers, maps, and text that looks like marked numbers', async () => {
  const books = plainBooks(1234);
  const { parts } = await freeze(books);
  expect(await thaw(parts, stamp)).toEqual(books);
});

test('books of two revisions with equal content share one copy, and different books never do', async () => {
  const first = await freeze(plainBooks(3));
  const later = await freeze(plainBooks(3, { revision: 'r2', asOf: '2025-02-02T00:00:00Z' }));
  const other = await freeze(plainBooks(3, { wholeDollars: true }));
  expect(later.digest).toBe(first.digest);
  expect(other.digest).not.toBe(first.digest);
});

test('freezing a year with many lines lets other work run', async () => {
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  const books = plainBooks(20_000);
  setImmediate(others);
  const { parts } = await freeze(books);
  isOver = true;
  expect(turns).toBeGreaterThan(3);
  expect(parts.reduce((sum, part) => sum + part.length, 0)).toBeLessThan(2_000_000);
});

test('frozen books from an earlier version get the fields that their summary lacks', async () => {
  const { accountBoxes: _, missingBasis: __, ...earlier } = plainBooks(1).summary;
  const { parts } = await freeze({ ...plainBooks(1), summary: earlier } as ReportBooks);
  const { summary } = await thaw(parts, stamp);
  expect(summary).toMatchObject({ accountBoxes: [], missingBasis: { count: 0, gain: 0n } });
});
