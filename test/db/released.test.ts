import { expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connection.ts';
import { DumpError } from '../../src/db/dump-format.ts';
import { joinEmbedded } from '../../src/db/embedded.ts';
import { loadDump } from '../../src/db/load-dump.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MigrationError } from '../../src/db/migration-files.ts';
import { createDeps, silentLog, systemClock } from '../../src/deps.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';
import { fetchSummaries, releasedFolder, unpackDataFolder } from '../support/released.ts';

const kept = readdirSync(releasedFolder);
const versionsWith = (ending: string) =>
  kept.flatMap((name) => (name.endsWith(`.${ending}`) ? name.slice(0, -ending.length - 1) : []));
const dumps = versionsWith('dump');
const folders = versionsWith('data.tar.zst');
const changelog = readFileSync(join(import.meta.dir, '..', '..', '.github', 'CHANGELOG.md'), 'utf8');

test('every released version has a dump and a data folder in this folder', () => {
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version ?? '');
  expect(dumps).toEqual(expect.arrayContaining([...released, manifest.version]));
  expect(folders).toEqual(expect.arrayContaining([...released, manifest.version]));
});

test.each(dumps)('this version starts on the data of %s and calculates the same figures', async (version) => {
  const url = await emptyDatabase();
  const loaded = await loadDump(url, Bun.file(join(releasedFolder, `${version}.dump`)).stream()).catch(
    (error: unknown) => error,
  );
  if (loaded instanceof DumpError) expectUnreleased(version, loaded);
  else {
    expect(loaded).toMatchObject({ head: { lotbook: version } });
    await expectSummaries(url, `${version}.json`);
  }
  await dropDatabase(url);
});

test.each(folders)('this version starts in the data folder of %s and calculates the same figures', async (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-released-'));
  // Others may pass through it, as through the folder that a server makes.
  chmodSync(folder, 0o711);
  await unpackDataFolder(version, folder);
  const embedded = await joinEmbedded(folder);
  try {
    const applied = await migrate(embedded.ownerUrl).catch((error: unknown) => error);
    if (applied instanceof MigrationError) expectUnreleased(version, applied);
    else {
      expect(applied).toBeArray();
      await expectSummaries(embedded.url, `${version}.data.json`);
    }
  } finally {
    await embedded.close();
    rmSync(folder, { recursive: true });
  }
});

/**
 * The steps of a version may change until it is released. Older data is then refused with a message, and created again at
 * the release.
 */
function expectUnreleased(version: string, error: Error): void {
  expect(changelog).not.toContain(`## ${version}`);
  expect(error.message).toContain('development version of Lotbook');
}

async function expectSummaries(url: string, file: string): Promise<void> {
  const expected = await Bun.file(join(releasedFolder, file)).json();
  const database = connect({ url, directUrl: null }, { connectionsMax: 4 });
  const mail = { send: async () => {} };
  const config = loadConfig({ RATE_LIMIT_FACTOR: '100000' });
  const deps = createDeps({
    config,
    database,
    clock: systemClock,
    assistant: null,
    billing: null,
    mail,
    log: silentLog,
  });
  expect(await fetchSummaries(createApp(deps), expected)).toEqual(expected.summaries);
  await deps.jobs.stop(0);
  await database.close();
}
