import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { type RestoredBackup, restoreEmbedded } from '../db/backup/restore.ts';
import { connect } from '../db/connection.ts';
import { checkStorage } from '../db/integrity.ts';
import { lacksSteps } from '../db/migrate.ts';
import { silentLog } from '../deps.ts';
import { verifyBooks } from '../features/gains/calculations.ts';
import { checkNamed } from '../features/ledger/blobs/collect.ts';
import { restoredLines, toRestoreResult } from './backup.ts';
import { openBlobs } from './blobs.ts';
import { CommandError, commandDeps } from './command.ts';
import { readOptions } from './options.ts';
import { printResult } from './output.ts';
import { openBackupLocation, type Postgres, withPostgres } from './postgres.ts';
import { Messages } from './report/messages.ts';

/** `verify [DIR|s3://…]` checks the database in the environment, or the latest state in a backup store. */
export async function verify(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('verify', args, 1);
  const [where] = words;
  const config = loadConfig(process.env);
  if (where === undefined) return verifyDatabase(config, options);
  const dataDir = mkdtempSync(join(tmpdir(), 'lotbook-verify-'));
  try {
    const restored = await restoreEmbedded(dataDir, { place: openBackupLocation(where, config), to: null });
    const copy = { ...config, databaseUrl: null, dataDir, backup: { ...config.backup, to: null } };
    return await verifyDatabase(copy, options, restored);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Verifies a database. `restored` is the backup that it was restored from. */
async function verifyDatabase(
  config: Config,
  options: ReadonlyMap<string, string>,
  restored: RestoredBackup | null = null,
): Promise<number> {
  return withPostgres(config, async (postgres) => {
    if (await lacksSteps(postgres.ownerUrl)) {
      throw new CommandError('The database has the schema of an earlier version: run "lotbook migrate" first.');
    }
    const storage = await checkStorage(postgres.ownerUrl);
    const { books, blobs } = await checkBooks(config, postgres);
    const backup = restored === null ? null : toRestoreResult(restored);
    const isSound =
      (backup?.missing ?? null) === null &&
      (storage?.faults.length ?? 0) === 0 &&
      books.differences.length === 0 &&
      blobs.faults.length === 0;
    const sentences = [
      ...(restored === null ? [] : restoredLines(restored)),
      storage === null
        ? 'Tables and indexes were not checked, because this PostgreSQL, or this user, lacks the extension amcheck.'
        : `${storage.tables} tables and ${storage.indexes} indexes checked by amcheck: ${faultsText(storage.faults.length)}.`,
      ...(storage?.faults ?? []).map((fault) => `  ${fault}`),
      ...(blobs.objects === 0
        ? []
        : [`${blobs.objects} objects of the bucket read: ${faultsText(blobs.faults.length)}.`]),
      ...blobs.faults.map(({ taxpayerId, digest, reason }) => `  ${taxpayerId}/${digest} ${reason}`),
      `${books.taxpayers} taxpayers, ${books.transactions} transactions calculated: ${faultsText(books.differences.length)}.`,
      ...books.differences.map(
        ({ taxpayerId, year, member }) => `  ${taxpayerId}: the stored ${member} of ${year} differs`,
      ),
      ...(books.stale === 0
        ? []
        : [
            `${books.stale} of them were computed by another version of the engine and not compared. They will be recomputed.`,
          ]),
    ];
    await printResult(options, { sound: isSound, backup, storage, blobs, books }, sentences.join('\n'));
    return isSound ? 0 : 1;
  });
}

async function checkBooks(config: Config, postgres: Postgres) {
  const database = connect(postgres.address, { connectionsMax: 2 });
  const deps = commandDeps(config, database, silentLog, openBlobs(config));
  const messages = new Messages();
  try {
    const blobs = await checkNamed(deps, (done) => messages.progress(`Reading the bucket: ${done} objects`));
    const books = await verifyBooks(deps, (done) => messages.progress(`Calculating: ${done} taxpayers`));
    return { books, blobs };
  } finally {
    messages.wipe();
    await database.close();
  }
}

function faultsText(count: number): string {
  return count === 0 ? 'no fault' : count === 1 ? '1 fault' : `${count} faults`;
}
