import type { Config } from '../config.ts';
import { type EmbeddedPostgres, joinEmbedded, openEmbedded } from '../db/embedded.ts';
import type { ReportEvent } from '../db/keep-running.ts';
import { refuseUnfitServer } from '../db/server-check.ts';

/** The PostgreSQL that the environment names, or the embedded one. */
export interface Postgres {
  readonly url: string;
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
    await refuseUnfitServer(config.databaseUrl);
    const url = config.databaseUrl;
    return { url, ownerUrl: url, description: 'the database of DATABASE_URL', close: async () => {} };
  }
  const embedded = await open();
  const description = `the embedded PostgreSQL in ${config.dataDir}${embedded.adopted ? ', which ran already' : ''}`;
  return { url: embedded.url, ownerUrl: embedded.ownerUrl, description, close: embedded.close };
}
