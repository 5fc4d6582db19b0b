import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connection.ts';
import { DumpError } from '../../src/db/dump-format.ts';
import { type LoadedDump, loadDump } from '../../src/db/load-dump.ts';
import { createDeps, silentLog, systemClock } from '../../src/deps.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';
import { fetchSummaries, releasedFolder } from '../support/released.ts';

const versions = readdirSync(releasedFolder).flatMap((name) => /^(.+)\.dump$/.exec(name)?.[1] ?? []);
const changelog = readFileSync(join(import.meta.dir, '..', '..', '.github', 'CHANGELOG.md'), 'utf8');

test('every released version has data in this folder', () => {
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version ?? '');
  expect(versions).toEqual(expect.arrayContaining([...released, manifest.version]));
});

test.each(versions)('this version starts on the data of %s and calculates the same figures', async (version) => {
  const url = await emptyDatabase();
  const loaded = await loadDump(url, Bun.file(join(releasedFolder, `${version}.dump`)).stream()).catch(
    (error: unknown) => error,
  );
  if (loaded instanceof DumpError) {
    // The steps of a version may change until it is released. Older data is then refused with a message, and created
    // again at the release.
    expect(changelog).not.toContain(`## ${version}`);
    expect(loaded.message).toContain('development version of Lotbook');
  } else {
    expect((loaded as LoadedDump).head.lotbook).toBe(version);
    const expected = await Bun.file(join(releasedFolder, `${version}.json`)).json();
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
  await dropDatabase(url);
});
