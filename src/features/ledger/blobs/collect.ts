import type { BlobName, BlobPort, Deps } from '../../../deps.ts';
import { announceUnknown, deleteBlobs, lockUnnamed, selectErased, selectUnnamed } from './blobs.queries.ts';

const namesPerPage = 500;
/** The maximum number of objects per transaction. The transaction keeps them locked while the bucket removes them. */
const removedAtOnce = 20;
const erasedPerTurn = 1_000;
const dayMilliseconds = 86_400_000;
/** How long to wait after an erasure. By then, no server can still be storing an object for the taxpayer. */
const erasedWaitMilliseconds = 3_600_000;
const first: BlobName = { taxpayerId: '00000000-0000-0000-0000-000000000000', digest: '' };

/** Removes the objects of erased taxpayers. */
export async function removeErased(deps: Deps, blobs: BlobPort, signal: AbortSignal): Promise<number> {
  const putBefore = new Date(deps.clock.now().getTime() - erasedWaitMilliseconds);
  const names = await deps.database.asService((sql) => selectErased(sql, putBefore, erasedPerTurn), { readOnly: true });
  return remove(deps, blobs, names, { putBefore, signal });
}

/**
 * Removes all objects that no row refers to and that were not stored again during the grace period. If a server crashes
 * midway, the next run removes the rest. Removing an object twice does no harm.
 */
export async function collectUnnamed(deps: Deps, blobs: BlobPort, signal: AbortSignal): Promise<number> {
  const putBefore = new Date(deps.clock.now().getTime() - deps.config.blobs.graceDays * dayMilliseconds);
  let removed = 0;
  for (let after: BlobName | undefined = first; after !== undefined; ) {
    const from: BlobName = after;
    const { last, unnamed } = await deps.database.asService(
      (sql) => selectUnnamed(sql, from, putBefore, namesPerPage),
      { readOnly: true },
    );
    removed += await remove(deps, blobs, unnamed, { putBefore, signal });
    after = last;
  }
  return removed;
}

/**
 * Registers unknown objects in the bucket after a restore of the database, as if they were stored now. Objects that no
 * row refers to are removed after the grace period. Objects of unknown taxpayers are removed sooner.
 */
export async function announceAll(deps: Deps, blobs: BlobPort, signal: AbortSignal): Promise<number> {
  let announced = 0;
  for await (const page of blobs.list()) {
    for (const [taxpayerId, own] of Map.groupBy(page, (stored) => stored.taxpayerId)) {
      signal.throwIfAborted();
      announced += await deps.database.asTaxpayer(taxpayerId, (sql) =>
        announceUnknown(sql, taxpayerId, own, deps.clock.now()),
      );
    }
  }
  return announced;
}

async function remove(
  deps: Deps,
  blobs: BlobPort,
  names: readonly BlobName[],
  { putBefore, signal }: { readonly putBefore: Date; readonly signal: AbortSignal },
): Promise<number> {
  let removed = 0;
  for (const [taxpayerId, own] of Map.groupBy(names, (name) => name.taxpayerId)) {
    for (let at = 0; at < own.length; at += removedAtOnce) {
      signal.throwIfAborted();
      const digests = own.slice(at, at + removedAtOnce).map(({ digest }) => digest);
      removed += await deps.database.asTaxpayer(taxpayerId, async (sql) => {
        const locked = await lockUnnamed(sql, taxpayerId, digests, putBefore);
        // Waits for all removals before the rows are unlocked, because a late removal would delete an object that was
        // stored again.
        const ends = await Promise.allSettled(locked.map((digest) => blobs.remove({ taxpayerId, digest })));
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
        await deleteBlobs(sql, taxpayerId, locked);
        return locked.length;
      });
    }
  }
  return removed;
}
