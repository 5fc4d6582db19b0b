import { describe, expect, test } from 'bun:test';
import { joinBytes } from '../../src/base/byte-reader.ts';
import { compress, decompress, ZstdError } from '../../src/base/zstd.ts';

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return joinBytes(await Array.fromAsync(bytes));
}

const content = crypto.getRandomValues(new Uint8Array(100_000));
const whole = await joined(compress(pieces(content)));

test('decompressing the compressed bytes restores them', async () => {
  expect(await joined(decompress(pieces(whole)))).toEqual(content);
});

describe('throws a ZstdError for bytes that', () => {
  test.each([
    ['are missing', new Uint8Array()],
    ['end too early', whole.subarray(0, 5_000)],
    ['are not zstd', new Uint8Array(1_000).fill(7)],
    ['have something after their end', joinBytes([whole, new Uint8Array(10).fill(7)])],
  ])('%s', async (_what, bytes) => {
    await expect(joined(decompress(pieces(bytes)))).rejects.toBeInstanceOf(ZstdError);
  });
});

test('throws an error from the source unchanged', async () => {
  const bug = new TypeError('a bug');
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield whole.subarray(0, 100);
    throw bug;
  };
  expect(await joined(decompress(broken())).catch((error: unknown) => error)).toBe(bug);
});
