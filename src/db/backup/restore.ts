import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TarError, tarEntries } from '../../base/tar.ts';
import { openPool } from '../connection.ts';
import { markDatabase } from '../database-marker.ts';
import { chooseSocketFolder, lockData, serverFiles } from '../embedded.ts';
import { detachStaged } from '../interrupted-work.ts';
import {
  buildUrl,
  endLeftServer,
  initialize,
  restoringCluster,
  type ServerFiles,
  startServer,
  stopServer,
} from '../postgres-server.ts';
import { EmbeddedError } from '../unprivileged-runner.ts';
import { isClusterFile, settingsFiles } from './base.ts';
import {
  type BackupEntry,
  type BackupLocation,
  baseName,
  type IgnoredBackup,
  idTime,
  ignoredReasons,
  listBackups,
  take,
} from './catalog.ts';
import { BackupError } from './store.ts';
import { shipWal, type WalRun, walAfter, walFolderIn } from './wal.ts';

interface RestoreRequest {
  readonly place: BackupLocation;
  /** The time to restore to. Null means the latest state. */
  readonly to: Date | null;
}

export interface RestoredBackup {
  readonly entry: BackupEntry;
  /** Backups in the store that were ignored. */
  readonly ignored: readonly IgnoredBackup[];
  /** Commit time of the last restored transaction. Null if the WAL after the backup contains none. */
  readonly lastCommitAt: string | null;
  /** The first missing WAL file if later ones exist. The changes in the later files are not restored. */
  readonly missing: string | null;
}

/**
 * Creates the cluster of `files` from a backup and has PostgreSQL replay the WAL after it. The cluster gets its final
 * name only on success, so a failure leaves nothing behind. The restored cluster continues as a new timeline.
 * `beforeRename` runs the work that must be done once before that timeline starts, so a kill after the rename leaves a
 * complete restore.
 */
async function restoreCluster(
  files: ServerFiles,
  request: RestoreRequest,
  beforeRename: () => void = () => {},
): Promise<RestoredBackup> {
  const { place } = request;
  const { entry, ignored } = await chooseBackup(request);
  const unfinished: ServerFiles = { ...files, cluster: restoringCluster(files.cluster) };
  await endLeftServer(unfinished.cluster);
  rmSync(unfinished.cluster, { recursive: true, force: true });
  files.runner.makeFolder(unfinished.cluster);
  try {
    const write = writerInto(unfinished);
    for await (const { name, content } of tarEntries(take(place, baseName(entry), entry.digest))) {
      if (!isClusterFile(name)) throw new BackupError(`${baseName(entry)} is damaged or forged: it contains ${name}.`);
      await write(name, content);
    }
    writeSettings(unfinished);
    const { files: wal, missing } = entry.set === null ? noWal : await walAfter(place, entry.set, entry);
    for (const [name, stored] of wal) await write(`pg_wal/${name}`, take(place, stored));
    await write('recovery.signal', []);
    const lastCommitAt = await recover(unfinished, request.to);
    beforeRename();
    renameSync(unfinished.cluster, files.cluster);
    return { entry, ignored, lastCommitAt, missing };
  } catch (error) {
    rmSync(unfinished.cluster, { recursive: true, force: true });
    throw error instanceof TarError
      ? new BackupError(`${baseName(entry)} is damaged or forged. ${error.message}`)
      : error;
  }
}

const noWal: WalRun = { files: new Map(), missing: null };

/** Uses the settings of a new cluster. The settings in the backup are never used. */
function writeSettings(files: ServerFiles): void {
  const source: ServerFiles = { ...files, cluster: `${files.cluster}.settings` };
  rmSync(source.cluster, { recursive: true, force: true });
  try {
    initialize(source, ['--no-sync']);
    for (const name of settingsFiles) renameSync(join(source.cluster, name), join(files.cluster, name));
  } finally {
    rmSync(source.cluster, { recursive: true, force: true });
  }
}

/**
 * Returns the newest backup that ended by then. Does not skip a newer backup that cannot be opened, because its store
 * may have been rolled back, or the passphrase may belong to older backups.
 */
async function chooseBackup({ place, to }: RestoreRequest): Promise<Pick<RestoredBackup, 'entry' | 'ignored'>> {
  const { backups, ignored } = await listBackups(place);
  const [oldest] = backups;
  const entry = backups.findLast(({ endedAt }) => to === null || Date.parse(endedAt) <= to.getTime());
  const until = to === null ? null : idTime(to);
  const unread = ignored.findLast(
    ({ id, reason }) =>
      reason !== 'unsealed' && (entry === undefined || id > entry.id) && (until === null || id <= until),
  );
  const last = unread ?? (oldest === undefined ? ignored.at(-1) : undefined);
  if (last !== undefined) {
    const remedy =
      entry !== undefined && (last.reason === 'damaged' || last.reason === 'unopened')
        ? ' To restore an older backup, use `--to` with an earlier time.'
        : '';
    throw new BackupError(`The backup ${last.id} in ${place.store.place} ${ignoredReasons[last.reason]}.${remedy}`);
  }
  if (oldest === undefined) throw new BackupError(noBackup(place.store.place));
  if (entry === undefined) {
    throw new BackupError(
      `The oldest backup in ${place.store.place} was completed at ${oldest.endedAt}. Use a later time.`,
    );
  }
  return { entry, ignored };
}

export function noBackup(place: string): string {
  return `There is no backup in ${place}.`;
}

type WriteIntoCluster = (name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<void>;

/** Files belong to the user that PostgreSQL runs as. */
function writerInto({ cluster, runner }: ServerFiles): WriteIntoCluster {
  const giveToRunner = (path: string, mode: number): void => {
    chmodSync(path, mode);
    if (runner.identity !== null) chownSync(path, runner.identity.uid, runner.identity.gid);
  };
  return async (name, content) => {
    const path = join(cluster, name);
    const folder = name.endsWith('/') ? path : dirname(path);
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) giveToRunner(folder, 0o700);
    if (name.endsWith('/')) return;
    const file = await open(path, 'w', 0o600);
    try {
      for await (const piece of content) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    giveToRunner(path, 0o600);
  };
}

/** Replaying a large WAL takes time. This is enough for several days of writes. */
const recoverMilliseconds = 6 * 3_600_000;

/** Recovers the cluster. All WAL is in place already, so no command fetches it. */
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
    throw error instanceof EmbeddedError ? new BackupError(describeRestoreFailure(error.message, to)) : error;
  });
  try {
    const pool = openPool(buildUrl(server, 'lotbook'), 1);
    try {
      const [row] = await pool<{ at: Date | null }[]>`select pg_last_xact_replay_timestamp() as at`;
      await pool.begin((sql) => detachStaged(sql));
      return row?.at?.toISOString() ?? null;
    } finally {
      await pool.end({ timeout: 1 });
    }
  } finally {
    await stopServer(files.cluster, server.pid);
  }
}

function describeRestoreFailure(message: string, to: Date | null): string {
  return to !== null && message.includes('before configured recovery target was reached')
    ? `The backup has no commit at ${to.toISOString()} or later. To restore the last state, leave out --to.`
    : `The backup was not restored: ${message}`;
}

/** Restores a backup into a data folder without a database. Leaves no server running on it. */
export async function restoreEmbedded(dataDir: string, request: RestoreRequest): Promise<RestoredBackup> {
  const { folder, lock } = await lockData(dataDir);
  try {
    const files = await serverFiles(folder);
    if (existsSync(files.cluster)) {
      throw new BackupError(
        `${folder} has a database. Restoring never overwrites one: move ${files.cluster} away, or set DATA_DIR to a different folder.`,
      );
    }
    const socketFolder = chooseSocketFolder(folder);
    try {
      // The folder may still contain WAL that the lost database archived last.
      if (existsSync(walFolderIn(folder))) await shipWal(folder, request.place);
      return await restoreCluster({ ...files, socketFolder }, request, () => {
        markDatabase(folder);
        // Later WAL belongs to a different history than files archived by another database in this folder.
        rmSync(join(folder, 'wal-set'), { force: true });
        rmSync(walFolderIn(folder), { recursive: true, force: true });
      });
    } finally {
      if (!socketFolder.startsWith(folder)) rmSync(socketFolder, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}
