import { parseBucketLocation } from '../../../base/bucket-location.ts';
import { withDeadline } from '../../../base/deadline.ts';
import type { S3Access } from '../../../config.ts';
import { BlobError, type BlobName, type BlobPort } from '../../../deps.ts';

/** Limits for one call. A chunk has at most one megabyte. */
interface BucketBounds {
  readonly tryMilliseconds: number;
  readonly triesMax: number;
  /** The wait before the second try. It doubles with each later try. */
  readonly pauseMilliseconds: number;
  /**
   * How long new calls fail immediately after a call got no response. Each of them would otherwise block a Worker that
   * renders reports.
   */
  readonly silenceMilliseconds: number;
}

const bucketBounds: BucketBounds = {
  tryMilliseconds: 10_000,
  triesMax: 3,
  pauseMilliseconds: 250,
  silenceMilliseconds: 5_000,
};

/** How long a signed URL is valid. Each try gets a new signature. */
const signedSeconds = 300;

/**
 * Returns a bucket in an S3-compatible service. Bun's client signs the URLs and `fetch` sends the requests, because the
 * client's own reads and writes cannot be aborted. A stalled service would block a request forever.
 */
export function bucketBlobs(address: string, access: S3Access, bounds = bucketBounds): BlobPort {
  const location = parseBucketLocation(address);
  if (location === null) throw new BlobError(`${address} is not s3://BUCKET/PREFIX.`);
  const { bucket, keyOf, nameOf } = location;
  const client = new Bun.S3Client({ ...access, region: access.region ?? 'us-east-1', bucket });
  const calls = new Calls(bounds);
  const ask = (method: Method, name: BlobName, body?: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> => {
    const key = keyOf(`${name.taxpayerId}/${name.digest}`);
    return calls.make(`${method} in ${address}`, async () => {
      const response = await fetch(client.presign(key, { method, expiresIn: signedSeconds }), {
        method,
        // Prevents proxies from compressing the object, which would change its bytes.
        headers: { 'accept-encoding': 'identity', ...(body === undefined ? {} : { 'content-type': mediaType }) },
        // A bucket in a different region redirects to its own address, which the signature does not cover.
        redirect: 'manual',
        signal: AbortSignal.timeout(bounds.tryMilliseconds),
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      const bytes = await response.bytes();
      if (response.ok) return bytes;
      if (response.status === 404 && method !== 'PUT' && parseErrorCode(bytes) !== 'NoSuchBucket') return null;
      throw new BucketResponseError(response.status, parseErrorCode(bytes));
    });
  };
  return {
    place: address,
    get failures() {
      return calls.failures;
    },
    put: async (name, bytes) => void (await ask('PUT', name, bytes)),
    get: (name) => ask('GET', name),
    remove: async (name) => void (await ask('DELETE', name)),
    list: async function* () {
      for (let token: string | undefined; ; ) {
        const listRequest = { prefix: keyOf(''), ...(token === undefined ? {} : { continuationToken: token }) };
        const page = await calls.make(`LIST of ${address}`, () =>
          withDeadline(client.list(listRequest), bounds.tryMilliseconds, 'It did not respond.'),
        );
        yield (page.contents ?? []).flatMap(({ key, size = 0 }) => {
          const [, taxpayerId, digest] = objectName.exec(nameOf(key)) ?? [];
          return taxpayerId === undefined || digest === undefined ? [] : { taxpayerId, digest, bytes: size };
        });
        token = page.nextContinuationToken;
        if (page.isTruncated !== true || token === undefined) return;
      }
    },
  };
}

/** Matches this server's objects. A prefix may also contain other objects, such as backups. */
const objectName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([0-9a-f]{64})$/;

type Method = 'GET' | 'PUT' | 'DELETE';
const mediaType = 'application/octet-stream';

/** Thrown if the service returns an error status. */
class BucketResponseError extends Error {
  constructor(
    readonly status: number,
    code: string,
  ) {
    super(`it returned ${status}${code === '' ? '' : ` ${code}`}`);
  }
}

/** Makes calls and retries them if that may help. */
class Calls {
  /** The number of failures since the last success. */
  failures = 0;
  private silentUntil = 0;

  constructor(private readonly bounds: BucketBounds) {}

  async make<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    const { triesMax, pauseMilliseconds, silenceMilliseconds } = this.bounds;
    if (performance.now() < this.silentUntil) throw new BlobError(`${what}: it did not respond a moment ago.`);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const value = await work();
        this.failures = 0;
        return value;
      } catch (error) {
        const isOver = attempt >= triesMax || !mayPass(error);
        if (isOver) {
          this.failures += 1;
          if (mayPass(error)) this.silentUntil = performance.now() + silenceMilliseconds;
          throw new BlobError(`${what}: ${describeBucketError(error)}.`);
        }
      }
      await Bun.sleep(pauseMilliseconds * 2 ** (attempt - 1));
    }
  }
}

/** Returns whether a retry may help. It does not help if a permission is missing. */
function mayPass(error: unknown): boolean {
  return !(error instanceof BucketResponseError) || error.status >= 500 || error.status === 429 || error.status === 408;
}

/** Describes an error without the URL, which contains a signature and must not be logged. */
function describeBucketError(error: unknown): string {
  if (error instanceof BucketResponseError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not respond in time';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && error.name === 'S3Error') return `it returned ${code}`;
  return `it cannot be reached${code === '' ? '' : ` (${code})`}`;
}

/** Returns the error code from an S3 response. */
function parseErrorCode(bytes: Uint8Array): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 2_000)))?.[1] ?? '';
}
