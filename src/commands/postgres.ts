import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { sealBy } from '../base/sealed.ts';
import type { Config } from '../config.ts';
import type { BackupLocation } from '../db/backup/catalog.ts';
import { openStore } from '../db/backup/store.ts';
import { takeBackup } from '../db/backup/take.ts';
import { connect, type Database, type DatabaseAddress } from '../db/connection.ts';
import { type EmbeddedPostgres, joinEmbedded, openEmbedded } from '../db/embedded.ts';
import type { ReportEvent } from '../db/keep-running.ts';
import { lacksSteps, migrate, migrations } from '../db/migrate.ts';
import { refuseUnfitServer } from '../db/server-check.ts';
import { systemClock } from '../deps.ts';
import { say } from './output.ts';

/** The PostgreSQL in the environment, or the embedded one. */
export interface Postgres {
  readonly address: DatabaseAddress;
  /** The address used for migrations. */
  readonly ownerUrl: string;
  /** A description for display. Never contains the address, which may include a password. */
  readonly description: string;
  /** Null if DATABASE_URL names a different PostgreSQL. */
  readonly embedded: EmbeddedPostgres | null;
  /** The folder for copies of the embedded database before schema changes. */
  readonly copies: BackupLocation | null;
  close(): Promise<void>;
}

/** Opens PostgreSQL for a server, which needs DATA_DIR for itself. */
export function keepPostgres(config: Config, report: ReportEvent): Promise<Postgres> {
  return openPostgres(config, () => openEmbedded(config.dataDir, report, config.backup.to !== null));
}

/** Opens PostgreSQL for a command, which may share DATA_DIR with a server. */
export function joinPostgres(config: Config): Promise<Postgres> {
  return openPostgres(config, () => joinEmbedded(config.dataDir, config.backup.to !== null));
}

/** Runs a command's work with PostgreSQL, which it may share with a server, and closes it afterward. */
export async function withPostgres<T>(config: Config, work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = await joinPostgres(config);
  try {
    return await work(postgres);
  } finally {
    await postgres.close();
  }
}

/** Same as `withPostgres`, for work that needs the current schema and a connection. */
export function withDatabase<T>(
  config: Config,
  options: Parameters<typeof connect>[1],
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withPostgres(config, async (postgres) => {
    await bringUp(postgres, say);
    const database = connect(postgres.address, options);
    return work(database).finally(() => database.close());
  });
}

async function openPostgres(config: Config, open: () => Promise<EmbeddedPostgres>): Promise<Postgres> {
  if (config.databaseUrl !== null) {
    const ownerUrl = config.databaseDirectUrl ?? config.databaseUrl;
    await refuseUnfitServer(ownerUrl);
    const address = { url: config.databaseUrl, directUrl: config.databaseDirectUrl };
    const close = async (): Promise<void> => {};
    return { address, ownerUrl, description: 'the database of DATABASE_URL', embedded: null, copies: null, close };
  }
  const embedded = await open();
  const description = `the embedded PostgreSQL in ${config.dataDir}${embedded.adopted ? ', which was already running' : ''}`;
  const address = { url: embedded.url, directUrl: null };
  const copies = openBackupLocation(join(embedded.folder, 'before-upgrade'), config);
  return { address, ownerUrl: embedded.ownerUrl, description, embedded, copies, close: embedded.close };
}

/**
 * Applies the missing schema steps and returns their names. An embedded database with data is copied first because the
 * copy is the only way to go back.
 */
export async function bringUp(
  postgres: Postgres,
  report: (sentence: string) => void,
  settles = false,
): Promise<string[]> {
  const { copies: location, ownerUrl } = postgres;
  if (location !== null && (await lacksSteps(ownerUrl))) {
    const { version: lotbook } = manifest;
    const { entry } = await takeBackup({
      ownerUrl,
      place: location,
      keep: copiesMax,
      lotbook,
      set: null,
      now: systemClock.now(),
    });
    report(`The database was copied to ${location.store.place} (${entry.id}) before the schema change.`);
  }
  return migrate(ownerUrl, migrations, settles);
}

const copiesMax = 2;

/** Opens a backup store with the passphrase from the environment. */
export function openBackupLocation(
  where: string,
  { s3, backup: { passphrase } }: Pick<Config, 's3' | 'backup'>,
): BackupLocation {
  return { store: openStore(where, s3), seal: passphrase === null ? null : sealBy(passphrase) };
}
