import { type BackupEntry, type IgnoredBackup, ignoredReasons } from '../db/backup/catalog.ts';
import type { RestoredBackup } from '../db/backup/restore.ts';
import { sizeText } from './result.ts';

export function backupLine({ id, endedAt, bytes, sealed, lotbook }: BackupEntry): string {
  return `${id}: as of ${endedAt}, ${sizeText(bytes)}${sealed ? ', encrypted' : ''}, Lotbook ${lotbook}.`;
}

/** Describes a backup that `restore` and `verify` ignore. */
export function ignoredLine({ id, reason }: IgnoredBackup): string {
  return `Ignored: ${id} ${ignoredReasons[reason]}.`;
}

/**
 * Describes a restore. The first line shows the time up to which changes are restored because nothing else reveals that
 * newer backups were removed.
 */
export function restoredLines({ entry, lastCommitAt, missing, ignored }: RestoredBackup): string[] {
  const until = lastCommitAt === null ? `as of ${entry.endedAt}` : `including every commit up to ${lastCommitAt}`;
  return [
    `Backup ${entry.id} was restored, ${until}.`,
    ...(missing === null ? [] : [`WAL file ${missing} is missing. Later changes were not restored.`]),
    ...ignored.map(ignoredLine),
  ];
}

export function toRestoreResult({ entry, lastCommitAt, missing, ignored }: RestoredBackup) {
  return { id: entry.id, endedAt: entry.endedAt, lastCommitAt, missing, ignored };
}
