import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connection.ts';
import { createDeps, silentLog, systemClock } from '../../src/deps.ts';
import { eraseNow } from './erasure.ts';

/**
 * A server that erases due accounts, as a separate process that a test can kill: `bun erase-process.ts DATABASE_URL`.
 */
const database = connect({ url: process.argv[2] ?? '', directUrl: null }, { connectionsMax: 1, name: 'erasing' });
const mail = { send: async () => {} };
const world = { config: loadConfig({}), database, clock: systemClock, assistant: null, mail, billing: null };
const deps = createDeps({ ...world, log: silentLog });
await eraseNow({ deps });
await deps.jobs.stop(0);
await database.close();
