import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringUp, joinPostgres } from '../../src/commands/postgres.ts';
import { loadConfig } from '../../src/config.ts';
import { restoreEmbedded } from '../../src/db/backup/restore.ts';
import { openStore } from '../../src/db/backup/store.ts';
import { openPool } from '../../src/db/connection.ts';
import { joinEmbedded, openEmbedded } from '../../src/db/embedded.ts';
import { appliedSteps, migrate, migrations } from '../../src/db/migrate.ts';
import { MigrationError } from '../../src/db/migration-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotbook-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the embedded PostgreSQL is copied before its schema changes, and the restored copy has the earlier state', async () => {
  const dataDir = join(folder, 'data');
  const copies = join(dataDir, 'before-upgrade');
  const older = await openEmbedded(dataDir);
  await migrate(older.ownerUrl, migrations.slice(0, -1));
  await older.close();

  const said: string[] = [];
  const postgres = await joinPostgres(loadConfig({ DATA_DIR: dataDir }));
  expect(await bringUp(postgres, (sentence) => said.push(sentence))).toEqual([migrations.at(-1)?.name ?? '']);
  expect(said).toEqual([expect.stringContaining(`copied to ${copies}`)]);
  // There is no reason for a copy.
  expect(await bringUp(postgres, (sentence) => said.push(sentence))).toEqual([]);
  expect(said).toHaveLength(1);

  await makeNewer(postgres.ownerUrl);
  const refused = bringUp(postgres, () => {});
  await expect(refused).rejects.toBeInstanceOf(MigrationError);
  await expect(refused).rejects.toThrow('belongs to a newer version of Lotbook: it has 9999_later');
  await postgres.close();

  const again = join(folder, 'again');
  await restoreEmbedded(again, { place: { store: openStore(copies, null), seal: null }, to: null });
  const restored = await joinEmbedded(again);
  expect(await appliedSteps(restored.ownerUrl)).toBe(migrations.length - 1);
  await restored.close();
});

async function makeNewer(ownerUrl: string): Promise<void> {
  const pool = openPool(ownerUrl, 1);
  await pool`insert into schema_migrations (number, name, hash) values (9999, '9999_later', '')`;
  await pool.end();
}
