import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { openStore } from '../db/backup/store.ts';
import { takeBackup } from '../db/backup/take.ts';
import type { DatabaseAddress } from '../db/connection.ts';
import { type EmbeddedPostgres, joinEmbedded, openEmbedded } from '../db/embedded.ts';
import type { ReportEvent } from '../db/keep-running.ts';
import { lacksSteps, migrate } from '../db/migrate.ts';
import { refuseUnfitServer } from '../db/server-check.ts';
import { systemClock } from '../deps.ts';

/** The PostgreSQL that the environment names, or the embedded one. */
export interface Postgres {
  readonly address: DatabaseAddress;
  /** For migrations. */
  readonly ownerUrl: string;
  /** For people. Never the address, which may hold a password. */
  readonly description: string;
  /** Null where DATABASE_URL names another. */
  readonly embedded: EmbeddedPostgres | null;
  close(): Promise<void>;
}

/** For a server, which holds DATA_DIR alone. */
export function keepPostgres(config: Config, report: ReportEvent): Promise<Postgres> {
  return openPostgres(config, () => openEmbedded(config.dataDir, report, config.backup.to !== null));
}

/** For a command, which may share DATA_DIR with a server. */
export function joinPostgres(config: Config): Promise<Postgres> {
  return openPostgres(config, () => joinEmbedded(config.dataDir, config.backup.to !== null));
}

async function openPostgres(config: Config, open: () => Promise<EmbeddedPostgres>): Promise<Postgres> {
  if (config.databaseUrl !== null) {
    const ownerUrl = config.databaseDirectUrl ?? config.databaseUrl;
    await refuseUnfitServer(ownerUrl);
    const address = { url: config.databaseUrl, directUrl: config.databaseDirectUrl };
    return { address, ownerUrl, description: 'the database of DATABASE_URL', embedded: null, close: async () => {} };
  }
  const embedded = await open();
  const description = `the embedded PostgreSQL in ${config.dataDir}${embedded.adopted ? ', which ran already' : ''}`;
  const address = { url: embedded.url, directUrl: null };
  return { address, ownerUrl: embedded.ownerUrl, description, embedded, close: embedded.close };
}

/**
 * Applies the steps that the schema lacks. A database inside that has data is copied before: there is no way back from a
 * step but the copy. Returns the names of the steps.
 */
export async function bringUp(postgres: Postgres, report: (sentence: string) => void): Promise<string[]> {
  if (postgres.embedded !== null && (await lacksSteps(postgres.ownerUrl))) {
    const { folder } = postgres.embedded;
    const place = { store: openStore(join(folder, 'before-upgrade'), null), seal: null };
    const { ownerUrl } = postgres;
    const { version: lotbook } = manifest;
    const { entry } = await takeBackup({
      ownerUrl,
      place,
      keep: copiesMax,
      lotbook,
      set: null,
      now: systemClock.now(),
    });
    report(`The database was copied to ${place.store.place} (${entry.id}) before its schema is changed.`);
  }
  return migrate(postgres.ownerUrl);
}

const copiesMax = 2;
