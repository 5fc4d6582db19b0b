import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { FingerprintSet } from '../../src/features/ledger/imports/reading/batches.ts';
import { isDeep } from '../support/depth.ts';

const fingerprint = (row: number): string => createHash('sha256').update(String(row)).digest('hex');

test('an equal row is recognized, and none of 100,000 other rows is mistaken for one', () => {
  const seen = new FingerprintSet();
  for (let row = 0; row < 100_000; row++) expect(seen.add(fingerprint(row))).toBe(false);
  for (const row of [0, 777, 99_999]) expect(seen.add(fingerprint(row))).toBe(true);
});

test('fingerprints that start alike, or with zeros, are distinguished by the rest', () => {
  const seen = new FingerprintSet();
  const made = (first: string, second: string): string => `${first}${second}${'7'.repeat(48)}`;
  const [zeros, ones] = ['0'.repeat(8), 'f'.repeat(8)];
  const all = [made(zeros, zeros), made(zeros, ones), made(ones, zeros), made(ones, ones), made('00100000', ones)];
  for (const one of all) expect(seen.add(one)).toBe(false);
  for (const one of all) expect(seen.add(one)).toBe(true);
});

test('if there are more rows than the set can hold, any row may have occurred before', () => {
  const slots = isDeep ? 2 ** 22 : 2 ** 16;
  const rows = 0.75 * slots;
  const seen = new FingerprintSet(slots);
  const made = (row: number): string =>
    (Math.imul(row, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(64, '5');
  let unseen = 0;
  for (let row = 0; row < rows + 1_000; row++) if (!seen.add(made(row))) unseen += 1;
  expect(unseen).toBe(rows);
  expect(seen.add(made(rows + 2_000))).toBe(true);
});
