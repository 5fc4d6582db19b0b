import { expect, test } from 'bun:test';
import { joinBytes } from '../../src/base/byte-reader.ts';
import { SealError, sealBy } from '../../src/base/sealed.ts';

async function* readStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
const read = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => joinBytes(await Array.fromAsync(stream));

/**
 * The cost is in the header of the file, which is read before anything is authenticated. A later error would come after
 * the work.
 */
test.each([
  ['memory', 8, 262_145],
  ['passes', 12, 7],
])('refuses a file that requires much more %s than ours, before using any', async (_what, at, value) => {
  const seal = sealBy('correct horse battery staple');
  const sealed = await read(seal.seal('base/a.json.sealed', readStream(new Uint8Array([1, 2, 3]))));
  expect(await read(seal.open('base/a.json.sealed', readStream(sealed)))).toEqual(new Uint8Array([1, 2, 3]));
  const planted = sealed.slice();
  new DataView(planted.buffer).setUint32(at, value);
  const error = await read(seal.open('base/a.json.sealed', readStream(planted))).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SealError);
  expect(String(error)).toContain('The file is damaged.');
});
