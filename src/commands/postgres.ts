import type { Config } from '../config.ts';
import { joinEmbedded, openEmbedded } from '../db/embedded.ts';
import { refuseUnfitServer } from '../db/server-check.ts';

/** The PostgreSQL that the environment names, or the embedded one. */
export interface Postgres {
  readonly url: string;
  /** For people: never the address, which may hold a password. */
  readonly description: string;
  close(): Promise<void>;
}

/** `keep` for a server, which wants DATA_DIR for itself; `join` for a command, which may share it with one. */
export async function openPostgres(config: Config, purpose: 'keep' | 'join'): Promise<Postgres> {
  if (config.databaseUrl !== null) {
    await refuseUnfitServer(config.databaseUrl);
    return { url: config.databaseUrl, description: 'the database of DATABASE_URL', close: async () => {} };
  }
  const embedded = await (purpose === 'keep' ? openEmbedded : joinEmbedded)(config.dataDir);
  const description = `the embedded PostgreSQL in ${config.dataDir}${embedded.adopted ? ', which ran already' : ''}`;
  return { url: embedded.url, description, close: embedded.close };
}
