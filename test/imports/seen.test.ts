import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { Seen } from '../../src/features/imports/seen.ts';

const fingerprint = (row: number): string => createHash('sha256').update(String(row)).digest('hex');

test('an equal row is seen, and of a hundred thousand others hardly any is taken for one', () => {
  const seen = new Seen();
  let mistaken = 0;
  for (let row = 0; row < 100_000; row++) if (seen.add(fingerprint(row))) mistaken += 1;
  expect(mistaken).toBeLessThan(20);
  for (const row of [0, 777, 99_999]) expect(seen.add(fingerprint(row))).toBe(true);
});
