import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { page, readCursor, writeCursor } from '../../src/http/list.ts';

describe('a page', () => {
  test('contains the requested number of items, and one extra row shows that there are more', () => {
    const first = page([{ n: 1 }, { n: 2 }, { n: 3 }], 2, (row) => [row.n]);
    expect(first.data).toEqual([{ n: 1 }, { n: 2 }]);
    expect(first.hasMore).toBe(true);
    expect(readCursor(first.nextCursor ?? '', ['number'])).toEqual([2]);
  });

  test('has no cursor if it is the last one', () => {
    expect(page([{ n: 1 }], 2, (row) => [row.n])).toEqual({ data: [{ n: 1 }], hasMore: false, nextCursor: null });
  });
});

describe('a cursor', () => {
  test('can be read back unchanged', () => {
    const key = ['2025-03-04', '0b5e5f0e-2b68-4c3e-9d0a-0d2f4f3b1c2d', 'ÄÖÜ "q"', 7] as const;
    expect(readCursor(writeCursor(key), ['day', 'uuid', 'string', 'number'])).toEqual(key);
  });

  test('is refused if this list did not issue it, and never causes a database error', () => {
    const made = (value: unknown) =>
      new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: 'base64url' });
    const bad = ['', 'x', '!!', 'a'.repeat(2000), made(7), made({ 0: 'a' }), made([]), made(['a', 'b'])];
    for (const cursor of bad) expect(() => readCursor(cursor, ['uuid'])).toThrow(Refusal);
    const shapes = [
      ['2025-02-30', 'day'],
      ['2025-13-01T00:00:00Z', 'instant'],
      ['2025-01-01T25:00:00Z', 'instant'],
      ['9'.repeat(30), 'integer'],
      ['a\0b', 'string'],
      [1.5, 'number'],
    ] as const;
    for (const [value, part] of shapes) expect(() => readCursor(made([value]), [part])).toThrow(/invalid_cursor/);
  });
});
