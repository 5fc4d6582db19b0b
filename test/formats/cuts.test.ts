import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formats } from '../../src/formats/index.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { readWhole } from './reading.ts';

/** Tests that the contents of a file do not depend on how the network or the blocks cut its bytes. */

const seed = seedFor('cuts');
const numRuns = draws(2, 5);

const small = new TextEncoder().encode(
  'date,type,account,asset,quantity,amount,note\r\n2024-01-02,buy,"Zoë, home",ACME,1,10,"two\r\nlines ""€"""\n2024-02-30,buy,,ACME,1,10,😀\r',
);

test('a small file reads the same when cut at any offset, and at any two', async () => {
  const whole = await readWhole(small);
  expect(whole.outcomes.map(({ kind }) => kind)).toEqual(['read', 'rejected']);
  for (let first = 0; first <= small.length; first++) {
    for (let second = first; second <= small.length; second += draws(35, 7)) {
      const parts = [small.subarray(0, first), small.subarray(first, second), small.subarray(second)];
      expect((await readWhole(parts)).outcomes).toEqual(whole.outcomes);
    }
  }
});

const lengths = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });
const blockSizes = fc.integer({ min: 1, max: 3000 });

for (const { id } of formats) {
  test(`${id} reads the same in random cuts`, async () => {
    const bytes = new Uint8Array(readFileSync(join(import.meta.dir, '../fixtures/formats', `${id}.csv`)));
    const whole = await readWhole(bytes);
    const property = fc.asyncProperty(lengths, blockSizes, async (cuts, blockBytes) => {
      const reading = await readWhole(cutAt(bytes, cuts), {}, { blockBytes });
      expect({ outcomes: reading.outcomes, end: reading.end }).toEqual({ outcomes: whole.outcomes, end: whole.end });
    });
    await fc.assert(property, { seed, numRuns });
  });
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const length of cuts) {
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...parts, bytes.subarray(at)];
}
