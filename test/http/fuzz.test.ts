import { expect, test } from 'bun:test';
import { fuzz } from '../support/walk/fuzz.ts';

/** `bun scripts/fuzz.ts` sends many more requests. */
test('no request, valid or invalid, gets a 5xx or an undocumented response', async () => {
  expect(await fuzz(4, 15)).toEqual([]);
});
