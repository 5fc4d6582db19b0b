import manifest from '../../package.json' with { type: 'json' };
import { type Config, loadConfig } from '../config.ts';
import { type BackupEntry, type IgnoredBackup, ignoredReasons, listBackups } from '../db/backup/catalog.ts';
import { noBackup, type RestoredBackup, restoreEmbedded } from '../db/backup/restore.ts';
import { takeBackup } from '../db/backup/take.ts';
import { archiveSet } from '../db/backup/wal.ts';
import { systemClock } from '../deps.ts';
import { bucketSentence, countInBucket } from './blobs.ts';
import { CommandError } from './command.ts';
import { readOptions, readWholeNumber, usageError } from './options.ts';
import { printResult, sizeText } from './output.ts';
import { openBackupLocation, withPostgres } from './postgres.ts';

/** `backup DIR|s3://…` backs up the embedded database, even while a server uses it. */
export async function backup(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('backup', args, 1);
  const [where] = words;
  if (where === undefined) throw usageError('backup');
  const config = loadConfig(process.env);
  const location = openBackupLocation(where, config);
  if (options.has('list')) {
    const { backups, ignored } = await listBackups(location);
    const lines = backups.length === 0 ? [noBackup(location.store.place)] : backups.map(backupLine);
    return printResult(options, { backups, ignored }, [...lines, ...ignored.map(ignoredLine)].join('\n'));
  }
  const keep = readWholeNumber(options, 'keep') ?? null;
  refuseOtherDatabase(config);
  return withPostgres(config, async (postgres) => {
    // The WAL of this data folder goes to only one store.
    const set = postgres.embedded !== null && where === config.backup.to ? archiveSet(postgres.embedded.folder) : null;
    const { ownerUrl } = postgres;
    const request = { ownerUrl, place: location, keep, lotbook: manifest.version, set, now: systemClock.now() };
    const { entry, removed } = await takeBackup(request);
    const removedText = removed === 0 ? '' : ` ${removed} older ${removed === 1 ? 'one was' : 'ones were'} removed.`;
    const inBucket = await countInBucket(postgres);
    const sentence = `${backupLine(entry)}${removedText}${bucketSentence(inBucket)}`;
    return printResult(options, { ...entry, removed, inBucket }, sentence);
  });
}

function refuseOtherDatabase({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new CommandError(
    'This works only with the embedded PostgreSQL. For the one of DATABASE_URL, use its own tools (pg_basebackup), ' +
      'or copy it with `lotbook dump` and `lotbook load`.',
  );
}

/** `restore DIR|s3://… [--to TIME]` restores into a DATA_DIR without a database. */
export async function restore(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('restore', args, 1);
  const [where] = words;
  if (where === undefined) throw usageError('restore');
  const config = loadConfig(process.env);
  refuseOtherDatabase(config);
  const to = parseMoment(options.get('to'));
  const restored = await restoreEmbedded(config.dataDir, { place: openBackupLocation(where, config), to });
  const [first, ...more] = restoredLines(restored);
  const lines = [`${first} It is in ${config.dataDir}. Run \`lotbook verify\` to check it.`, ...more];
  await printResult(options, toRestoreResult(restored), lines.join('\n'));
  return restored.missing === null ? 0 : 1;
}

/** Requires an offset because a time without one would be ambiguous. */
function parseMoment(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const whole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(text.replace(' ', 'T'));
  if (!whole || Number.isNaN(at.getTime())) {
    throw new CommandError('--to needs a time with an offset, like 2026-03-01T09:30:00Z or 2026-03-01T04:30:00-05:00.');
  }
  return at;
}

function backupLine({ id, endedAt, bytes, sealed, lotbook }: BackupEntry): string {
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
