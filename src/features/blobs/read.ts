import { hash } from 'node:crypto';
import { Refusal } from '../../base/refusal.ts';
import type { Sql, TransactionOptions } from '../../db/connection.ts';
import { BlobError, type BlobName, type Deps } from '../../deps.ts';

/** Large bytes as a row has them: in itself, or in the bucket under their SHA-256. */
export type Kept =
  | { readonly content: Uint8Array; readonly blob: null }
  | { readonly content: null; readonly blob: string };

/** How whoever asks for such bytes may be refused. */
export const blobRefusals = ['files_unavailable', 'file_lost'] as const;

type BlobReader = Pick<Deps, 'blobs' | 'log'>;

const retrySeconds = 30;
const atOnceMax = 4;

/** SHA-256, by which an object is named. */
export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Outside of a transaction, where the caller can: a bucket may take long to answer. */
export async function bytesOf(deps: BlobReader, taxpayerId: string, kept: Kept): Promise<Uint8Array> {
  if (kept.content !== null) return kept.content;
  const name = { taxpayerId, digest: kept.blob };
  const bytes = await find(deps, name);
  if (bytes !== null && digestOf(bytes) === name.digest) return bytes;
  deps.log.error('blob lost', new BlobError(bytes === null ? 'It is not there.' : 'It has other bytes.'), { ...name });
  throw new Refusal('file_lost', 'What was stored cannot be found any more. The operator of this service was told.');
}

/** The same of several, a few at a time, in their order. */
export async function allBytes(deps: BlobReader, taxpayerId: string, kept: readonly Kept[]): Promise<Uint8Array[]> {
  const bytes: Uint8Array[] = [];
  for (let at = 0; at < kept.length; at += atOnceMax) {
    bytes.push(...(await Promise.all(kept.slice(at, at + atOnceMax).map((one) => bytesOf(deps, taxpayerId, one)))));
  }
  return bytes;
}

async function find({ blobs }: BlobReader, name: BlobName): Promise<Uint8Array | null> {
  try {
    if (blobs === null) throw new BlobError('It is in a bucket, and this server has no BLOBS_TO.');
    return await blobs.get(name);
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    const detail = 'The store of files does not answer. Nothing was changed: try again soon.';
    throw new Refusal('files_unavailable', detail, { retryAfterSeconds: retrySeconds }, error);
  }
}

/** Bytes that a transaction needs. Those in the bucket are fetched between two runs of it. */
export class FetchedBytes {
  readonly #fetched = new Map<string, Uint8Array>();
  readonly #missing = new Set<string>();

  /** Null: not there yet. The transaction is run again, so what it makes without them is never seen. */
  find({ content, blob }: Kept): Uint8Array | null {
    if (content !== null) return content;
    const bytes = this.#fetched.get(blob);
    if (bytes === undefined) this.#missing.add(blob);
    return bytes ?? null;
  }

  /** False where nothing was missing. */
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

/** Files are moved and deleted while they are read, so another run may find others. */
const runsMax = 10;

/** Runs a transaction that reads only, again where it needed bytes of the bucket: it never waits for the bucket itself. */
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
  throw new Error('The files of a taxpayer changed while they were read, again and again.');
}
