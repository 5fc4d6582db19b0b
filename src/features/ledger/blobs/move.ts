import { BlobError, type BlobPort, type Deps } from '../../../deps.ts';
import {
  announce,
  type KeptTable,
  keptTableNames,
  nameObject,
  restoreBytes,
  selectNamed,
  selectNextNaming,
  selectNextToMove,
  selectOwnBytes,
} from './blobs.queries.ts';
import { digestOf } from './read.ts';

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
export async function* namedObjects(deps: Deps) {
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
