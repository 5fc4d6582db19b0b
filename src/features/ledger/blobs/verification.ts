import type { BlobName, Deps } from '../../../deps.ts';
import { namedObjects } from './move.ts';
import { digestOf } from './read.ts';

export interface BlobCheck {
  readonly objects: number;
  readonly faults: readonly BlobFault[];
}

interface BlobFault extends BlobName {
  readonly reason: 'is missing' | 'has different bytes' | 'is in a bucket, and BLOBS_TO is not set';
}

const atOnceMax = 8;

/** Reads every referenced object and compares its bytes with the SHA-256 in its name. */
export async function checkNamed(deps: Deps, onObject: (done: number) => void): Promise<BlobCheck> {
  const faults: BlobFault[] = [];
  let objects = 0;
  let batch: BlobName[] = [];
  const checkBatch = async (): Promise<void> => {
    const reasons = await Promise.all(batch.map((name) => findFault(deps, name)));
    for (const [at, reason] of reasons.entries()) {
      if (reason !== null) faults.push({ ...(batch[at] as BlobName), reason });
    }
    objects += batch.length;
    batch = [];
    onObject(objects);
  };
  for await (const { taxpayerId, digest } of namedObjects(deps)) {
    batch.push({ taxpayerId, digest });
    if (batch.length === atOnceMax) await checkBatch();
  }
  if (batch.length > 0) await checkBatch();
  return { objects, faults };
}

async function findFault({ blobs }: Deps, name: BlobName): Promise<BlobFault['reason'] | null> {
  if (blobs === null) return 'is in a bucket, and BLOBS_TO is not set';
  const bytes = await blobs.get(name);
  if (bytes === null) return 'is missing';
  return digestOf(bytes) === name.digest ? null : 'has different bytes';
}
