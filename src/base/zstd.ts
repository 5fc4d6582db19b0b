import { through } from './through.ts';

/** Compresses a stream with zstd (RFC 8878), which any `zstd -d` opens. */
export function compressed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(bytes, new CompressionStream(zstd));
}

/** Throws where the bytes are no zstd, or end too early. */
export function decompressed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(bytes, new DecompressionStream(zstd));
}

/** Bun has it; the list of the standard does not name it yet. */
const zstd = 'zstd' as CompressionFormat;
