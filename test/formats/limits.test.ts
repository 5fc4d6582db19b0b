import { expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { rowLimits } from '../../src/formats/rows/rows.ts';
import { readWhole, type Source } from './reading.ts';

/** Tests the limits of a file: a value at the limit is read, and one above is refused with its line and column. */
const header = 'date,type,account,asset,quantity,amount,note';
const row = (note: string): string => `2024-01-02,buy,Home,ACME,1,10,${note}`;

test('a file of 1 GB, a record of 1 MB, a cell of 64 KB, 256 columns', () => {
  expect(rowLimits).toMatchObject({
    fileBytesMax: 1024 ** 3,
    recordCharactersMax: 1024 ** 2,
    fieldCharactersMax: 64 * 1024,
    columnsMax: 256,
  });
});

test('a cell of the maximum width is read, one more is refused', async () => {
  const unread = `${header},unread\n${row('')},${'n'.repeat(64 * 1024)}\n`;
  expect((await readWhole(unread)).end.read).toBe(1);
  for (const cell of ['n'.repeat(64 * 1024 + 1), `"${'n'.repeat(64 * 1024 + 1)}"`]) {
    const refusal = await readRefusal(`${header}\n${row('')}\n${row(cell)}\n`);
    expect(refusal.code).toBe('too_large');
    expect(refusal.more.errors?.[0]).toMatchObject({ line: 3, column: '7' });
    expect(refusal.more.members).toMatchObject({ limit: 64 * 1024 });
  }
});

test('the maximum number of columns is read, one more is refused', async () => {
  const wide = (columns: number): string => header + ',x'.repeat(columns - 7);
  expect((await readWhole(`${wide(256)}\n${row('')}\n`)).end.read).toBe(1);
  const refusal = await readRefusal(`${wide(257)}\n${row('')}\n`);
  expect(refusal.more.errors?.[0]).toMatchObject({ line: 1, column: '257' });
  expect(refusal.more.members).toMatchObject({ limit: 256 });
});

test('a record of the maximum length is read, one more is refused', async () => {
  // Uses thirty-two columns, because one cell cannot be that long.
  const columns = Array.from({ length: 25 }, (_, at) => `x${at}`).join(',');
  const cells = (total: number): string => {
    const each = Math.floor((total - 24) / 25);
    const parts = Array.from({ length: 24 }, () => 'n'.repeat(each));
    return [...parts, 'n'.repeat(total - 24 - each * 24)].join(',');
  };
  const start = `${row('')},`;
  const longest = start + cells(1024 ** 2 - start.length);
  expect(longest.length).toBe(1024 ** 2);
  expect((await readWhole(`${header},${columns}\n${longest}\n`)).end.read).toBe(1);
  const refusal = await readRefusal(`${header},${columns}\n${row('')}\n${longest}n\n`);
  expect(refusal.detail).toContain('line 3');
  expect(refusal.more.members).toMatchObject({ limit: 1024 ** 2 });
});

test('a file with the maximum number of bytes is read, one more is refused', async () => {
  const file = `${header}\n${row('')}\n`;
  expect((await readWhole(file, {}, { fileBytesMax: file.length })).end.read).toBe(1);
  const refusal = await readRefusal(file, file.length - 1);
  expect(refusal.code).toBe('too_large');
  expect(refusal.more.members).toMatchObject({ limit: file.length - 1 });
});

async function readRefusal(source: Source, fileBytesMax = rowLimits.fileBytesMax): Promise<Refusal> {
  const refusal = await readWhole(source, {}, { fileBytesMax }).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw new Error('The file was read.');
  return refusal;
}
