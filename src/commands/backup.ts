import manifest from '../../package.json' with { type: 'json' };
import { type Config, loadConfig } from '../config.ts';
import { listBackups } from '../db/backup/catalog.ts';
import { noBackup } from '../db/backup/restore.ts';
import { takeBackup } from '../db/backup/take.ts';
import { archiveSet } from '../db/backup/wal.ts';
import { systemClock } from '../deps.ts';
import { backupLine, ignoredLine } from './backup-lines.ts';
import { openBackupLocation } from './backup-location.ts';
import { bucketSentence, countInBucket } from './blobs/blob-store.ts';
import { CommandError } from './command.ts';
import { readOptions, readWholeNumber, usageError } from './options.ts';
import { joinPostgres } from './postgres.ts';
import { printResult } from './result.ts';

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
    await printResult(options, { backups, ignored }, [...lines, ...ignored.map(ignoredLine)].join('\n'));
    return 0;
  }
  const keep = readWholeNumber(options, 'keep') ?? null;
  refuseOtherDatabase(config);
  const postgres = await joinPostgres(config);
  try {
    // The WAL of this data folder goes to only one store.
    const set = postgres.embedded !== null && where === config.backup.to ? archiveSet(postgres.embedded.folder) : null;
    const { ownerUrl } = postgres;
    const request = { ownerUrl, place: location, keep, lotbook: manifest.version, set, now: systemClock.now() };
    const { entry, removed } = await takeBackup(request);
    const removedText = removed === 0 ? '' : ` ${removed} older ${removed === 1 ? 'one was' : 'ones were'} removed.`;
    const inBucket = await countInBucket(postgres);
    await printResult(
      options,
      { ...entry, removed, inBucket },
      `${backupLine(entry)}${removedText}${bucketSentence(inBucket)}`,
    );
    return 0;
  } finally {
    await postgres.close();
  }
}

export function refuseOtherDatabase({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new CommandError(
    'This works only with the embedded PostgreSQL. For the one of DATABASE_URL, use its own tools (pg_basebackup), ' +
      'or copy it with `lotbook dump` and `lotbook load`.',
  );
}
