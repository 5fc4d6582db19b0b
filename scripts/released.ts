import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { createDump } from '../src/db/dump.ts';
import { fillAccount } from '../src/features/answers/demo/account.ts';
import { testApp } from '../test/support/app.ts';
import { stopTestServer } from '../test/support/database.ts';
import { fetchSummaries, releasedFolder } from '../test/support/released.ts';

/**
 * `bun scripts/released.ts`, run once per release, dumps the demo books as this version stores them, with the summaries
 * that it computes. Every later version starts on the dump (test/db/released.test.ts).
 */
const app = await testApp();
const ann = await app.register('PRO');
const outcome = await fillAccount(app.deps, ann.email);
if (outcome !== 'done') throw new Error(`The account is ${outcome}.`);
mkdirSync(releasedFolder, { recursive: true });
const path = join(releasedFolder, manifest.version);
const pieces: Uint8Array[] = [];
for await (const piece of createDump(app.books.url, manifest.version).bytes) pieces.push(piece);
await Bun.write(`${path}.dump`, Buffer.concat(pieces));
const { email, password } = ann;
const expected = { email, password, summaries: await fetchSummaries(app.app, { email, password }) };
await Bun.write(`${path}.json`, `${JSON.stringify(expected, null, 2)}\n`);
console.log(`${path}.dump: ${Buffer.concat(pieces).length} bytes`);
await app.close();
await stopTestServer();
