import { chmodSync, chownSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { tarEntries } from '../../base/tar.ts';
import { openPool } from '../connection.ts';
import { EmbeddedError } from '../embedded-error.ts';
import { giveUpStaged } from '../interrupted.ts';
import { addressOf, type ServerFiles, startServer, stopServer } from '../postgres-server.ts';
import { BackupError } from './backup-error.ts';
import { type BackupEntry, baseName, listBackups, type Place, take } from './catalogue.ts';
import { type WalRun, walAfter } from './wal.ts';

export interface RestoreOrder {
  readonly place: Place;
  /** The state at this moment; null: the last one there is. */
  readonly to: Date | null;
}

export interface Restored {
  readonly entry: BackupEntry;
  /** When the last transaction committed that is in it; null where the WAL after the backup has none. */
  readonly lastCommitAt: string | null;
  /** The first file of WAL that is missing although later ones are there: what they hold is not restored. */
  readonly missing: string | null;
}

/**
 * Makes the cluster of `files` from a backup, and has PostgreSQL replay the WAL after it. The cluster gets its name when
 * that has succeeded, so that a failure leaves nothing. It goes on as a timeline of its own.
 */
export async function restoreCluster(files: ServerFiles, order: RestoreOrder): Promise<Restored> {
  const entry = await entryFor(order);
  const unfinished: ServerFiles = { ...files, cluster: `${files.cluster}.restoring` };
  rmSync(unfinished.cluster, { recursive: true, force: true });
  files.runner.makeFolder(unfinished.cluster);
  try {
    const write = writerInto(unfinished);
    for await (const { name, content } of tarEntries(take(order.place, baseName(entry)))) await write(name, content);
    const { files: wal, missing } = entry.set === null ? noWal : await walAfter(order.place, entry.set, entry);
    for (const [name, stored] of wal) await write(`pg_wal/${name}`, take(order.place, stored));
    await write('recovery.signal', []);
    const lastCommitAt = await recover(unfinished, order.to);
    renameSync(unfinished.cluster, files.cluster);
    return { entry, lastCommitAt, missing };
  } catch (error) {
    rmSync(unfinished.cluster, { recursive: true, force: true });
    throw error;
  }
}

const noWal: WalRun = { files: new Map(), missing: null };

/** The newest backup that ended by then. */
async function entryFor({ place, to }: RestoreOrder): Promise<BackupEntry> {
  const entries = await listBackups(place.store);
  const [oldest] = entries;
  if (oldest === undefined) throw new BackupError(`There is no backup in ${place.store.place}.`);
  const entry = entries.findLast(({ endedAt }) => to === null || Date.parse(endedAt) <= to.getTime());
  if (entry === undefined) {
    throw new BackupError(`The oldest backup in ${place.store.place} is complete since ${oldest.endedAt}.`);
  }
  return entry;
}

type WriteIntoCluster = (name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<void>;

/** Files belong to the user that PostgreSQL runs as. A name that leads out of the cluster is refused. */
function writerInto({ cluster, runner }: ServerFiles): WriteIntoCluster {
  const own = (path: string, mode: number): void => {
    chmodSync(path, mode);
    if (runner.identity !== null) chownSync(path, runner.identity.uid, runner.identity.gid);
  };
  return async (name, content) => {
    const path = normalize(join(cluster, name));
    if (!path.startsWith(cluster + sep)) throw new BackupError(`The backup is damaged: it holds ${name}.`);
    const folder = name.endsWith('/') ? path : dirname(path);
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) own(folder, 0o700);
    if (name.endsWith('/')) return;
    const file = await open(path, 'w', 0o600);
    try {
      for await (const piece of content) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    own(path, 0o600);
  };
}

/** A large WAL takes its time: so much for a database that wrote for days. */
const recoverMilliseconds = 6 * 3_600_000;

/** All WAL lies in place already, so that nothing is fetched by a command. */
async function recover(files: ServerFiles, to: Date | null): Promise<string | null> {
  const settings = {
    restore_command: 'false',
    recovery_target_timeline: 'current',
    hot_standby: 'off',
    ...(to === null
      ? {}
      : { recovery_target_time: to.toISOString().replace('Z', '+00'), recovery_target_action: 'promote' }),
  };
  const server = await startServer(files, settings, null, recoverMilliseconds).catch((error: unknown) => {
    throw error instanceof EmbeddedError ? new BackupError(reasonOf(error.message, to)) : error;
  });
  try {
    const pool = openPool(addressOf(server, 'lotbook'), 1);
    try {
      const [row] = await pool<{ at: Date | null }[]>`select pg_last_xact_replay_timestamp() as at`;
      await pool.begin((sql) => giveUpStaged(sql));
      return row?.at?.toISOString() ?? null;
    } finally {
      await pool.end({ timeout: 1 });
    }
  } finally {
    await stopServer(files.cluster, server.pid);
  }
}

function reasonOf(message: string, to: Date | null): string {
  return to !== null && message.includes('before configured recovery target was reached')
    ? `Nothing in the backup was committed at ${to.toISOString()} or later. Without --to, the last state is restored.`
    : `The backup was not restored: ${message}`;
}
