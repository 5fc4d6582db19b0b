import { join } from 'node:path';
import { stopTestServer, testDatabase } from '../test/support/database.ts';
import { listSchema } from './catalog.ts';

/** Writes sql/schema.sql, the result of all migrations in sql/. A test compares the two. */
const head = `-- What the numbered steps come to, for reading: written by scripts/schema.ts, never applied, kept true by a test.\n\n`;
const { asOwner, drop } = await testDatabase();
const listing = await asOwner(listSchema);
await drop();
await stopTestServer();
await Bun.write(join(import.meta.dir, '..', 'sql', 'schema.sql'), head + listing);
