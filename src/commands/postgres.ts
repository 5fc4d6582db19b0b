import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../db/connection.ts';
import { type EmbeddedPostgres, joinEmbedded, openEmbedded } from '../db/embedded.ts';
import type { ReportEvent } from '../db/keep-running.ts';
import { refuseUnfitServer } from '../db/server-check.ts';

/** The PostgreSQL that the environment names, or the embedded one. */
export interface Postgres {
  readonly address: DatabaseAddress;
  /** For migrations. */
  readonly ownerUrl: string;
  /** For people. Never the address, which may hold a password. */
  readonly description: string;
  close(): Promise<void>;
}

/** For a server, which holds DATA_DIR alone. */
export function keepPostgres(config: Config, report: ReportEvent): Promise<Postgres> {
  return openPostgres(config, () => openEmbedded(config.dataDir, report));
}

/** For a command, which may share DATA_DIR with a server. */
export function joinPostgres(config: Config): Promise<Postgres> {
  return openPostgres(config, () => joinEmbedded(config.dataDir));
}

async function openPostgres(config: Config, open: () => Promise<EmbeddedPostgres>): Promise<Postgres> {
  if (config.databaseUrl !== null) {
    const ownerUrl = config.databaseDirectUrl ?? config.databaseUrl;
    await refuseUnfitServer(ownerUrl);
    const address = { url: config.databaseUrl, directUrl: config.databaseDirectUrl };
    return { address, ownerUrl, description: 'the database of DATABASE_URL', close: async () => {} };
  }
  const embedded = await open();
  const description = `the embedded PostgreSQL in ${config.dataDir}${embedded.adopted ? ', which ran already' : ''}`;
  const address = { url: embedded.url, directUrl: null };
  return { address, ownerUrl: embedded.ownerUrl, description, close: embedded.close };
}
