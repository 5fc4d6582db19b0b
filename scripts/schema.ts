import { stopTestServer, testDatabase } from '../test/support/database.ts';
import { listSchema } from './catalog.ts';

/** `bun scripts/schema.ts` prints the whole schema that the migrations in sql/ create, without comments. */
const { asOwner, drop } = await testDatabase();
console.log(await asOwner(listSchema));
await drop();
await stopTestServer();
