import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freeze, thaw } from '../../src/features/gains/reports/frozen.ts';
import { reportFormats } from '../../src/forms/index.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { readBytes } from '../forms/books.ts';
import { zipText } from '../forms/unzip.ts';
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

// The copy was frozen in November 2026 and must never be frozen again, because users have copies like it.
test('a copy of an earlier version renders in every format, without a field that it lacks', async () => {
  const part = new Uint8Array(
    await Bun.file(join(import.meta.dir, '../fixtures/reports/edition-1.json.gz')).arrayBuffer(),
  );
  const books = await thaw([part], stamp);
  expect(books.lines).toHaveLength(3);
  for (const format of reportFormats) {
    const bytes = await readBytes(format.render(books));
    expect([format.id, bytes.length > 0]).toEqual([format.id, true]);
    const text = format.mediaType === 'application/zip' ? await zipText(bytes) : Buffer.from(bytes).toString('latin1');
    expect([format.id, /undefined|NaN/.exec(text)?.[0]]).toEqual([format.id, undefined]);
  }
});
