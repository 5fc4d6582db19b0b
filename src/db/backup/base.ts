import { type Dirent, readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TarEntry, tarFile } from '../../base/tar.ts';
import { openPool } from '../connection.ts';

/** Facts about a base backup that are known only after its last byte. */
export interface BaseFacts {
  readonly startedAt: string;
  /** The backup contains everything that committed before this time. */
  readonly endedAt: string;
  /** The first and the last WAL file that the backup needs and contains. */
  readonly firstWal: string;
  readonly lastWal: string;
  readonly postgres: string;
  readonly schema: string;
}

interface Base {
  readonly entries: AsyncGenerator<TarEntry>;
  /** Set only after the last entry. */
  facts(): BaseFacts;
}

/**
 * Reads the files of a running server while others write to it (PostgreSQL's low-level backup). The backup includes the
 * WAL with the concurrent changes, so it can be started without an archive. A replication slot of this session keeps
 * that WAL until it is read. Nothing remains if the session breaks.
 */
export function createBase(ownerUrl: string): Base {
  let known: BaseFacts | undefined;
  return {
    entries: readBase(ownerUrl, (facts) => {
      known = facts;
    }),
    facts: () => {
      if (known === undefined) throw new Error('The base backup is not complete.');
      return known;
    },
  };
}

async function* readBase(ownerUrl: string, done: (facts: BaseFacts) => void): AsyncGenerator<TarEntry> {
  // The backup ends with the session that started it.
  const pool = openPool(ownerUrl, 1, { statement_timeout: 0 });
  const session = await pool.reserve();
  try {
    const slot = `lotbook_backup_${crypto.randomUUID().replaceAll('-', '')}`;
    await session`select pg_create_physical_replication_slot(${slot}, true, true)`;
    await session`select pg_backup_start('lotbook', true)`;
    const [begun] = await session<{ folder: string; postgres: string; schema: string; now: Date }[]>`
      select current_setting('data_directory') as folder, current_setting('server_version') as postgres, now() as now,
        (select name from schema_migrations order by number desc limit 1) as schema`;
    if (begun === undefined) throw new Error('PostgreSQL returned no information about itself.');
    yield* clusterFiles(begun.folder);
    const [ended] = await session<{ label: string; last: string; at: Date }[]>`
      select s.labelfile as label, pg_walfile_name(s.lsn) as last, clock_timestamp() as at from pg_backup_stop(false) s`;
    const first = /\(file ([0-9A-F]{24})\)/.exec(ended?.label ?? '')?.[1];
    if (ended === undefined || first === undefined) throw new Error('PostgreSQL did not end the backup.');
    yield tarFile('backup_label', ended.label);
    yield* walFiles(begun.folder, first, ended.last);
    done({
      startedAt: begun.now.toISOString(),
      endedAt: ended.at.toISOString(),
      firstWal: first,
      lastWal: ended.last,
      postgres: begun.postgres,
      schema: begun.schema,
    });
  } finally {
    session.release();
    await pool.end({ timeout: 5 });
  }
}

/** Folders that are backed up empty. PostgreSQL fills them when it starts. */
const emptied: ReadonlySet<string> = new Set([
  'pg_tblspc',
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
/** Files that PostgreSQL recreates, or writes at the end of the backup. */
const leftOut = /^(?:backup_label|pgsql_tmp.*|pg_internal\.init.*)$/;
const controlFile = 'global/pg_control';

async function* clusterFiles(cluster: string): AsyncGenerator<TarEntry> {
  yield* listFiles(cluster, '');
  yield tarFolder('pg_wal/archive_status/');
  // Added last, as in pg_basebackup, because it must be at least as new as everything else.
  yield* fileEntry(cluster, controlFile);
}

async function* listFiles(cluster: string, folder: string): AsyncGenerator<TarEntry> {
  for (const entry of listFolderEntries(join(cluster, folder))) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (leftOut.test(entry.name) || name === controlFile) continue;
    if (entry.isDirectory() && isClusterFile(`${name}/`)) {
      yield tarFolder(`${name}/`);
      if (!emptied.has(name)) yield* listFiles(cluster, name);
    } else if (entry.isFile() && isClusterFile(name)) yield* fileEntry(cluster, name);
  }
}

/**
 * Lists the entries of a folder, or none if it is gone. A table that is dropped in the meantime has its folder or file
 * removed, and the WAL contains the drop.
 */
function listFolderEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function* fileEntry(cluster: string, name: string): AsyncGenerator<TarEntry> {
  const file = await open(join(cluster, name), 'r').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield { name, size, content: readContent(file, size) };
  } finally {
    await file.close();
  }
}

/**
 * Yields `size` bytes of a file. If the file grows in the meantime, the WAL contains the growth. If it shrinks, zeros
 * replace the missing part, which the WAL then removes.
 */
async function* readContent(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) {
      yield piece;
      at += piece.length;
    } else {
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}

async function* walFiles(cluster: string, first: string, last: string): AsyncGenerator<TarEntry> {
  const names = listFolderEntries(join(cluster, 'pg_wal')).map(({ name }) => name);
  const needed = names.filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last);
  if (!needed.includes(first) || !needed.includes(last)) throw new Error('The WAL of the backup is already gone.');
  for (const name of [...names.filter((name) => /^[0-9A-F]{8}\.history$/.test(name)), ...needed]) {
    yield* fileEntry(cluster, `pg_wal/${name}`);
  }
}

function tarFolder(name: string): TarEntry {
  return { name, size: 0, content: [] };
}

const pieceBytes = 262_144;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Returns whether a backup contains the file: data, but nothing that could make PostgreSQL run a command, load a
 * library or follow a link. A backup takes only these files, and a restore refuses all others. A restored cluster has
 * the settings that initdb writes on its machine.
 */
export function isClusterFile(name: string): boolean {
  return allowed.some((pattern) => pattern.test(name));
}

const part = '[A-Za-z0-9_][A-Za-z0-9_.-]*';
const allowed: readonly RegExp[] = [
  /^PG_VERSION$/,
  /^backup_label$/,
  // For tablespaces and slots, a backup contains only the empty folder, which PostgreSQL needs.
  /^(?:pg_tblspc|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/$/,
  new RegExp(`^(?:base|global|pg_commit_ts|pg_logical|pg_multixact|pg_stat|pg_twophase|pg_xact)/(?:${part}/?)*$`),
  /^pg_wal\/(?:archive_status\/|[0-9A-F]{24}|[0-9A-F]{8}\.history)?$/,
];

/** The files with settings, which a backup never contains. */
export const settingsFiles = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf'] as const;
