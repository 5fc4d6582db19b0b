import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwnerOfFolder } from '../unprivileged-runner.ts';
import { type BackupLocation, listWal, put, walName } from './catalog.ts';

/**
 * Ships finished WAL files to the store. PostgreSQL's module `basic_archive` copies each one into a folder next to the
 * data, and `shipWal` uploads the files from that folder. An `archive_command` would have to find this program, which
 * can move.
 */

export function archivingInto(folder: string): Readonly<Record<string, string>> {
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': folder,
    // A commit older than this is in a finished file unless nothing was written since.
    archive_timeout: `${archiveSecondsMax}`,
  };
}

const archiveSecondsMax = 60;

export function walFolderIn(dataFolder: string): string {
  return join(dataFolder, 'wal');
}

/** Uploads archived files, oldest first, and removes them from this folder. Returns the number of files. */
export async function shipWal(dataFolder: string, location: BackupLocation): Promise<number> {
  const folder = walFolderIn(dataFolder);
  const names = readdirSync(folder);
  // These are PostgreSQL's backup history files. Each backup has its own.
  for (const name of names.filter((one) => one.endsWith('.backup'))) rmSync(join(folder, name));
  const waiting = names.filter(isFinished);
  if (waiting.length === 0) return 0;
  const set = archiveSet(dataFolder);
  for (const name of waiting.sort()) {
    const path = join(folder, name);
    await put(location, walName(set, name, location.seal !== null), Bun.file(path).stream());
    rmSync(path);
  }
  return waiting.length;
}

/** Returns the number of files waiting to be stored. */
export function waitingWal(dataFolder: string): number {
  const folder = walFolderIn(dataFolder);
  return existsSync(folder) ? readdirSync(folder).filter(isFinished).length : 0;
}

/**
 * Returns whether PostgreSQL has finished the file. Other files are still being copied, or were when a crash
 * interrupted the copy.
 */
function isFinished(name: string): boolean {
  return /^[0-9A-F]{8}(?:[0-9A-F]{16}|\.history)$/.test(name);
}

/** Identifies the WAL of a data folder. A restored folder gets a new id because its history diverges. */
export function archiveSet(dataFolder: string): string {
  const path = join(dataFolder, 'wal-set');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    const set = crypto.randomUUID();
    writeFileSync(path, `${set}\n`, { mode: 0o600 });
    giveToOwnerOfFolder(path);
    return set;
  }
}

/** The WAL files that continue a backup. */
export interface WalRun {
  /** Stored files by WAL name, up to the first missing one. */
  readonly files: ReadonlyMap<string, string>;
  /** The first missing file that is followed by existing ones, or null. */
  readonly missing: string | null;
}

/** Finds the WAL after a backup. The backup contains its own WAL, from its first file to its last. */
export async function walAfter(
  location: BackupLocation,
  set: string,
  { firstWal, lastWal }: { readonly firstWal: string; readonly lastWal: string },
): Promise<WalRun> {
  const stored = await listWal(location, set);
  const timeline = firstWal.slice(0, timelineDigits);
  const later = [...stored.keys()]
    .filter((name) => name.length === firstWal.length && name.startsWith(timeline) && name >= firstWal)
    .sort();
  const files = new Map<string, string>();
  const begin = later[0] ?? firstWal;
  if (begin > nextWal(lastWal)) return { files, missing: nextWal(lastWal) };
  for (let name = begin; stored.has(name); name = nextWal(name)) files.set(name, stored.get(name) ?? '');
  const end = [...files.keys()].at(-1);
  return { files, missing: end === undefined || end === later.at(-1) ? null : nextWal(end) };
}

/**
 * Returns the name of the next WAL file. A name consists of the timeline, the log and one of 256 segments of 16 MB,
 * with eight hexadecimal digits each.
 */
function nextWal(name: string): string {
  const next = BigInt(`0x${name.slice(timelineDigits, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`) + 1n;
  const digits = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0');
  return `${name.slice(0, timelineDigits)}${digits(next / 256n)}${digits(next % 256n)}`;
}

const timelineDigits = 8;
