import { hash } from 'node:crypto';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql, TransactionOptions } from '../../../db/connection.ts';
import { BlobError, type BlobName, type Deps } from '../../../deps.ts';

/** Large bytes of a row, either in the row itself or in the bucket under their SHA-256. */
export type KeptBytes =
  | { readonly content: Uint8Array; readonly blob: null }
  | { readonly content: null; readonly blob: string };

/** Problem codes of failed reads. */
export const blobRefusals = ['files_unavailable', 'file_lost'] as const;

type BlobReader = Pick<Deps, 'blobs' | 'log'>;

const retrySeconds = 30;
const atOnceMax = 4;

/** Returns the SHA-256 that names an object. */
export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Returns the bytes of a row. Call it outside of a transaction if possible, because a bucket may be slow. */
export async function readBytes(deps: BlobReader, taxpayerId: string, kept: KeptBytes): Promise<Uint8Array> {
  if (kept.content !== null) return kept.content;
  const name = { taxpayerId, digest: kept.blob };
  const bytes = await find(deps, name);
  if (bytes !== null && digestOf(bytes) === name.digest) return bytes;
  deps.log.error('blob lost', new BlobError(bytes === null ? 'It is missing.' : 'It has different bytes.'), {
    ...name,
  });
  throw new Refusal('file_lost', 'The stored file is missing. The operator of this service was notified.');
}

/** Returns the bytes of several rows in the given order. Fetches a few at a time. */
export async function allBytes(
  deps: BlobReader,
  taxpayerId: string,
  kept: readonly KeptBytes[],
): Promise<Uint8Array[]> {
  const bytes: Uint8Array[] = [];
  for (let at = 0; at < kept.length; at += atOnceMax) {
    bytes.push(...(await Promise.all(kept.slice(at, at + atOnceMax).map((one) => readBytes(deps, taxpayerId, one)))));
  }
  return bytes;
}

async function find({ blobs }: BlobReader, name: BlobName): Promise<Uint8Array | null> {
  try {
    if (blobs === null) throw new BlobError('It is in a bucket, and this server has no BLOBS_TO.');
    return await blobs.get(name);
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    const detail = 'File storage is not responding. Nothing was changed. Try again in a minute.';
    throw new Refusal('files_unavailable', detail, { retryAfterSeconds: retrySeconds }, error);
  }
}

/** Collects the bytes that a transaction needs. Bytes in the bucket are fetched between two runs of the transaction. */
export class FetchedBytes {
  readonly #fetched = new Map<string, Uint8Array>();
  readonly #missing = new Set<string>();

  /**
   * Returns null if the bytes are not fetched yet. The transaction then runs again, and its incomplete result is
   * discarded.
   */
  find({ content, blob }: KeptBytes): Uint8Array | null {
    if (content !== null) return content;
    const bytes = this.#fetched.get(blob);
    if (bytes === undefined) this.#missing.add(blob);
    return bytes ?? null;
  }

  /** Fetches missing bytes. Returns false if there were no missing bytes. */
  async fetchMissing(deps: BlobReader, taxpayerId: string): Promise<boolean> {
    const digests = [...this.#missing];
    this.#missing.clear();
    const bytes = await allBytes(
      deps,
      taxpayerId,
      digests.map((blob) => ({ content: null, blob })),
    );
    for (const [at, digest] of digests.entries()) this.#fetched.set(digest, bytes[at] as Uint8Array);
    return digests.length > 0;
  }
}

/** The maximum number of runs. Files may be moved or deleted between two runs, so each run may need other objects. */
const runsMax = 10;

/**
 * Runs a read-only transaction, and runs it again if it needed bytes from the bucket. This way no transaction stays
 * open while it waits for the bucket.
 */
export async function withBytes<Result>(
  deps: Deps,
  taxpayerId: string,
  work: (sql: Sql, bytes: FetchedBytes) => Promise<Result>,
  options: Omit<TransactionOptions, 'readOnly'> = {},
): Promise<Result> {
  const bytes = new FetchedBytes();
  for (let run = 1; run <= runsMax; run += 1) {
    const result = await deps.database.asTaxpayer(taxpayerId, (sql) => work(sql, bytes), {
      ...options,
      readOnly: true,
    });
    if (!(await bytes.fetchMissing(deps, taxpayerId))) return result;
  }
  throw new Error('The files of a taxpayer kept changing while they were read.');
}
