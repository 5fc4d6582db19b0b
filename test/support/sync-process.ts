import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connection.ts';
import { createDeps, silentLog, systemClock } from '../../src/deps.ts';
import { syncDue } from './connections.ts';

/**
 * A server that syncs due connections, as a separate process that a test can kill: `bun sync-process.ts DATABASE_URL
 * KRAKEN_URL`. It writes a line when it begins.
 */
const [url = '', kraken] = process.argv.slice(2);
const database = connect({ url, directUrl: null }, { connectionsMax: 4, name: 'syncing' });
const mail = { send: async () => {} };
const config = loadConfig({ KRAKEN_SYNC_URL: kraken });
const world = { config, database, clock: systemClock, assistant: null, mail, billing: null };
const deps = createDeps({ ...world, log: silentLog });
process.stdout.write('begins\n');
await syncDue({ deps });
await deps.jobs.stop(0);
await database.close();
process.exit(0);
