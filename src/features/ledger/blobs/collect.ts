import { BlobError, type BlobName, type BlobPort, type Deps } from '../../../deps.ts';
import {
  announce,
  announceUnknown,
  deleteBlobs,
  type KeptTable,
  keptTableNames,
  lockUnnamed,
  nameObject,
  restoreBytes,
  selectErased,
  selectNamed,
  selectNextNaming,
  selectNextToMove,
  selectOwnBytes,
  selectUnnamed,
} from './blobs.queries.ts';
import { digestOf } from './read.ts';

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

interface BlobCheck {
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

const everyMinute = '* * * * *';
const eachNight = '20 4 * * *';

/**
 * Schedules the maintenance of the bucket, which runs on one server at a time. Moves new bytes there and removes
 * unreferenced objects.
 */
export function keepBlobs(deps: Deps): void {
  const { blobs } = deps;
  if (blobs === null) return;
  deps.jobs.schedule('blob-moves', {
    cron: everyMinute,
    perform: (signal) =>
      logErrors(deps, async () => {
        const moved = await moveToBucket(deps, blobs, signal);
        const removed = await removeErased(deps, blobs, signal);
        if (moved + removed > 0) deps.log.info('blobs moved', { moved, removed });
      }),
  });
  deps.jobs.schedule('blob-collections', {
    cron: eachNight,
    perform: (signal) =>
      logErrors(deps, async () => {
        const removed = await collectUnnamed(deps, blobs, signal);
        deps.log.info('blobs collected', { removed });
      }),
  });
}

/** Logs bucket errors. Everything stays in place until the next run. */
async function logErrors(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    deps.log.error('blobs unavailable', error);
  }
}

/** The number of chunks moved at a time. A chunk has at most one megabyte. */
const piecesAtOnce = 8;
const namesPerRead = 100;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Moves large bytes from PostgreSQL to the bucket and returns the number of rows. Stores each object and reads it back
 * before the row refers to it and drops its bytes. If a server crashes midway, the remaining rows still have their
 * bytes, and the next run continues with them.
 */
export async function moveToBucket(deps: Deps, blobs: BlobPort, signal: AbortSignal): Promise<number> {
  let moved = 0;
  for (const table of keptTableNames) {
    for await (const taxpayerId of listTaxpayers(deps, table, selectNextToMove)) {
      for (let rows = 1; rows > 0; moved += rows) {
        signal.throwIfAborted();
        rows = await moveSome(deps, blobs, table, taxpayerId);
      }
    }
  }
  return moved;
}

async function moveSome(deps: Deps, blobs: BlobPort, table: KeptTable, taxpayerId: string): Promise<number> {
  const { database, clock } = deps;
  const pieces = await database.asTaxpayer(taxpayerId, async (sql) => {
    const rows = await selectOwnBytes(sql, table, taxpayerId, piecesAtOnce);
    const named = rows.map((row) => ({ ...row, digest: digestOf(row.content) }));
    if (named.length === 0) return [];
    const sizes = new Map(named.map(({ digest, content }) => [digest, content.length]));
    return (await announce(sql, taxpayerId, sizes, clock.now())) ? named : [];
  });
  const distinct = new Map(pieces.map((piece) => [piece.digest, piece.content]));
  await Promise.all(
    [...distinct].map(async ([digest, content]) => {
      const name = { taxpayerId, digest };
      await blobs.put(name, content);
      const back = await blobs.get(name);
      if (back === null || digestOf(back) !== digest) {
        throw new BlobError(
          `${blobs.place} accepted an object but returned ${back === null ? 'nothing' : 'different bytes'}. Check the bucket before you try again.`,
        );
      }
    }),
  );
  if (pieces.length === 0) return 0;
  return database.asTaxpayer(taxpayerId, async (sql) => {
    let moved = 0;
    for (const piece of pieces) moved += await nameObject(sql, table, taxpayerId, piece);
    return moved;
  });
}

/**
 * Moves everything back into PostgreSQL and returns the number of rows. If it fails midway, the rows moved so far stay
 * in PostgreSQL.
 */
export async function moveToDatabase(deps: Deps, blobs: BlobPort, signal: AbortSignal): Promise<number> {
  let moved = 0;
  for await (const { table, taxpayerId, digest } of namedObjects(deps)) {
    signal.throwIfAborted();
    const content = await blobs.get({ taxpayerId, digest });
    if (content === null || digestOf(content) !== digest) {
      const what = content === null ? 'is missing' : 'has different bytes';
      throw new BlobError(`${taxpayerId}/${digest} ${what} in ${blobs.place}. Everything before it was moved.`);
    }
    moved += await deps.database.asTaxpayer(taxpayerId, (sql) =>
      restoreBytes(sql, table, { taxpayerId, digest }, content),
    );
  }
  return moved;
}

/** Yields every object that a row refers to. Yields an object twice if both tables refer to it. */
async function* namedObjects(deps: Deps) {
  for (const table of keptTableNames) {
    for await (const taxpayerId of listTaxpayers(deps, table, selectNextNaming)) {
      for (let after = ''; ; ) {
        const digests = await deps.database.asTaxpayer(
          taxpayerId,
          (sql) => selectNamed(sql, table, taxpayerId, after, namesPerRead),
          { readOnly: true },
        );
        for (const digest of digests) yield { table, taxpayerId, digest };
        const last = digests.at(-1);
        if (last === undefined || digests.length < namesPerRead) break;
        after = last;
      }
    }
  }
}

async function* listTaxpayers(deps: Deps, table: KeptTable, next: typeof selectNextNaming): AsyncGenerator<string> {
  let after = beforeAll;
  for (;;) {
    const from = after;
    const taxpayerId = await deps.database.asService((sql) => next(sql, table, from), { readOnly: true });
    if (taxpayerId === undefined) return;
    yield taxpayerId;
    after = taxpayerId;
  }
}
