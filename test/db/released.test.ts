import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { connect } from '../../src/db/connection.ts';
import { DumpError } from '../../src/db/dump/dump-error.ts';
import { type Loaded, loadDump } from '../../src/db/dump/load.ts';
import { createDeps, silentLog, systemClock } from '../../src/deps.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';
import { releasedFolder, summariesOf } from '../support/released.ts';

const versions = readdirSync(releasedFolder).flatMap((name) => /^(.+)\.dump$/.exec(name)?.[1] ?? []);
const changelog = readFileSync(join(import.meta.dir, '..', '..', '.github', 'CHANGELOG.md'), 'utf8');

test('every released version has left its data here', () => {
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version ?? '');
  expect(versions).toEqual(expect.arrayContaining([...released, manifest.version]));
});

test.each(versions)('on the data of %s this version starts, and makes the same of it', async (version) => {
  const url = await emptyDatabase();
  const loaded = await loadDump(url, Bun.file(join(releasedFolder, `${version}.dump`)).stream()).catch(
    (error: unknown) => error,
  );
  if (loaded instanceof DumpError) {
    // Until its release a version may change its steps. Its data is then refused in words, and made anew at the release.
    expect(changelog).not.toContain(`## ${version}`);
    expect(loaded.message).toContain('of a Lotbook between releases');
  } else {
    expect((loaded as Loaded).head.lotbook).toBe(version);
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
    expect(await summariesOf(createApp(deps), expected)).toEqual(expected.summaries);
    await deps.jobs.stop(0);
    await database.close();
  }
  await dropDatabase(url);
});
