import { readBucketPlace } from '../../base/bucket-place.ts';
import type { S3Access } from '../../config.ts';
import { BlobError, type BlobName, type BlobPort } from '../../deps.ts';

/** Limits of one call. A piece has a megabyte or less. */
export interface BucketBounds {
  readonly tryMilliseconds: number;
  readonly triesMax: number;
  /** Before the second try; before each later one twice as long. */
  readonly pauseMilliseconds: number;
}

const bucketBounds: BucketBounds = { tryMilliseconds: 10_000, triesMax: 3, pauseMilliseconds: 250 };

/** A signature is made for each try. */
const signedSeconds = 300;

/**
 * A bucket of an S3-compatible service. Bun's client signs the addresses, and `fetch` asks: the client's own reads and
 * writes cannot be ended, so a service that stalls would hold a request for ever.
 */
export function bucketBlobs(place: string, access: S3Access, bounds = bucketBounds): BlobPort {
  const found = readBucketPlace(place);
  if (found === null) throw new BlobError(`${place} is not s3://BUCKET/PREFIX.`);
  const { bucket, keyOf } = found;
  const client = new Bun.S3Client({ ...access, region: access.region ?? 'us-east-1', bucket });
  const ask = (method: Method, name: BlobName, body?: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> => {
    const key = keyOf(`${name.taxpayerId}/${name.digest}`);
    return persistently(bounds, `${method} in ${place}`, async () => {
      const response = await fetch(client.presign(key, { method, expiresIn: signedSeconds }), {
        method,
        // What a proxy would compress would no longer be what was put.
        headers: { 'accept-encoding': 'identity', ...(body === undefined ? {} : { 'content-type': mediaType }) },
        // A bucket of another region names its own address, which the signature is not for.
        redirect: 'manual',
        signal: AbortSignal.timeout(bounds.tryMilliseconds),
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      const bytes = await response.bytes();
      if (response.ok) return bytes;
      if (response.status === 404 && method !== 'PUT' && codeIn(bytes) !== 'NoSuchBucket') return null;
      throw new Answered(response.status, codeIn(bytes));
    });
  };
  return {
    place,
    put: async (name, bytes) => void (await ask('PUT', name, bytes)),
    get: (name) => ask('GET', name),
    remove: async (name) => void (await ask('DELETE', name)),
  };
}

type Method = 'GET' | 'PUT' | 'DELETE';
const mediaType = 'application/octet-stream';

/** The service refused, or failed. */
class Answered extends Error {
  constructor(
    readonly status: number,
    code: string,
  ) {
    super(`it answered ${status}${code === '' ? '' : ` ${code}`}`);
  }
}

async function persistently<Value>(bounds: BucketBounds, what: string, work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= bounds.triesMax || !mayPass(error)) throw new BlobError(`${what}: ${wordsOf(error)}.`);
    }
    await Bun.sleep(bounds.pauseMilliseconds * 2 ** (attempt - 1));
  }
}

/** A right that is missing stays missing; a service that fails or does not answer may do so the next time. */
function mayPass(error: unknown): boolean {
  return !(error instanceof Answered) || error.status >= 500 || error.status === 429 || error.status === 408;
}

/** Never the address: it is signed. */
function wordsOf(error: unknown): string {
  if (error instanceof Answered) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `it cannot be reached${code}`;
}

/** The word by which the protocol names an error. */
function codeIn(bytes: Uint8Array): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 2_000)))?.[1] ?? '';
}
