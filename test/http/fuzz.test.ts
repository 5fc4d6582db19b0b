import { expect, test } from 'bun:test';
import { fuzz } from '../support/walk/fuzz.ts';

/** `bun scripts/fuzz.ts` sends many more. */
test('no request, right or wrong, is answered by a 5xx or otherwise than the document says', async () => {
  expect(await fuzz(4, 15)).toEqual([]);
}, 120_000);
