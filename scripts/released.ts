import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { type TarEntry, tarFile, writeTar } from '../src/base/tar.ts';
import { createDump } from '../src/db/dump.ts';
import { joinEmbedded } from '../src/db/embedded.ts';
import { loadDump } from '../src/db/load-dump.ts';
import { fillAccount } from '../src/features/answers/demo/account.ts';
import { testApp } from '../test/support/app.ts';
import { stopTestServer } from '../test/support/database.ts';
import { fetchSummaries, releasedFolder } from '../test/support/released.ts';

/**
 * `bun scripts/released.ts`, run once per release, stores the demo books as this version stores them: as a dump and as
 * the folder DATA_DIR, each with the summaries that it computes. Every later version starts on both
 * (test/db/released.test.ts). Files that exist are kept, so remove those that should be written again.
 */
const app = await testApp();
const ann = await app.register('PRO');
const outcome = await fillAccount(app.deps, ann.email);
if (outcome !== 'done') throw new Error(`The account is ${outcome}.`);
mkdirSync(releasedFolder, { recursive: true });
const path = join(releasedFolder, manifest.version);
const dump = Buffer.concat(await Array.fromAsync(createDump(app.books.url, manifest.version).bytes));
const { email, password } = ann;
const expected = { email, password, summaries: await fetchSummaries(app.app, { email, password }) };
await app.close();
await stopTestServer();
await write('dump', 'json', async () => dump);
await write('data.tar.zst', 'data.json', () => packDataFolder(dump));

async function write(ending: string, expectedEnding: string, pack: () => Promise<Uint8Array>): Promise<void> {
  if (existsSync(`${path}.${ending}`)) return console.log(`${path}.${ending} is kept`);
  const bytes = await pack();
  await Bun.write(`${path}.${ending}`, bytes);
  await Bun.write(`${path}.${expectedEnding}`, `${JSON.stringify(expected, null, 2)}\n`);
  console.log(`${path}.${ending}: ${bytes.length} bytes`);
}

/**
 * Loads the dump into a new data folder, stops PostgreSQL and packs the folder. Most of its 55 MB are four databases with
 * equal system tables and an empty log. The highest level compares across all of them and takes 2 MB instead of 4.
 */
async function packDataFolder(bytes: Uint8Array): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-released-'));
  try {
    const embedded = await joinEmbedded(folder);
    await loadDump(embedded.ownerUrl, new Blob([bytes as Uint8Array<ArrayBuffer>]).stream());
    await embedded.close();
    const entries: TarEntry[] = [];
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/^(?:postgres|lotbook\.database)(?:\/|$)/.test(name)) continue;
      const file = join(folder, name);
      entries.push(statSync(file).isFile() ? tarFile(name, readFileSync(file)) : tarFile(`${name}/`, ''));
    }
    return await Bun.zstdCompress(Buffer.concat(await Array.fromAsync(writeTar(entries))), { level: 22 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
