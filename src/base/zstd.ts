import { transformBytes } from './byte-reader.ts';

/** Compresses a stream with zstd (RFC 8878), which any `zstd -d` can open. */
export function compress(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return transformBytes(bytes, new CompressionStream(zstd));
}

export class ZstdError extends Error {
  override readonly name = 'ZstdError';
}

/** Throws a ZstdError if the bytes are not zstd or end too early. Rethrows errors from the source unchanged. */
export async function* decompress(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: { readonly error: unknown } | null = null;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    yield* transformBytes(source(), new DecompressionStream(zstd));
  } catch (error) {
    // The runtime reports damaged bytes as a TypeError, as it does for a bug in the program.
    throw failure === null ? new ZstdError('The compressed data is damaged.', { cause: error }) : error;
  }
}

/** Bun supports it, but the standard's list does not include it yet. */
const zstd = 'zstd' as CompressionFormat;
