import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { sealBy } from '../../src/base/sealed.ts';
import { loadConfig } from '../../src/config.ts';
import { type BackupLocation, listBackups } from '../../src/db/backup/catalog.ts';
import { restoreEmbedded } from '../../src/db/backup/restore.ts';
import { openStore } from '../../src/db/backup/store.ts';
import { takeBackup } from '../../src/db/backup/take.ts';
import { archiveSet, shipWal } from '../../src/db/backup/wal.ts';
import { connect, type Database } from '../../src/db/connection.ts';
import { type EmbeddedPostgres, openEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDeps, silentLog, systemClock } from '../../src/deps.ts';
import { sessionCookie } from '../support/app.ts';
import { query } from '../support/query.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotbook-backup-'));
const location: BackupLocation = { store: openStore(join(folder, 'backups'), null), seal: sealBy('a long passphrase') };
const data = join(folder, 'data');
/** The state before the drill destroyed the folder. */
interface Known {
  readonly summaries: string;
  readonly beforeDeletion: Date;
  readonly cookie: string;
}
let known: Known;

beforeAll(async () => {
  const books = await openBooks(data);
  try {
    const cookie = await books.register('ann@example.com');
    await books.import(cookie, 0);
    // Other users write while the backup reads the files.
    const writing = (async () => {
      for (let file = 1; file <= 5; file++) await books.import(cookie, file);
    })();
    await take(books.embedded);
    await writing;
    // If reading the files took longer than those writes, only this import is replayed.
    await books.import(cookie, 6);
    const summaries = await books.summaries(cookie);
    const beforeDeletion = new Date(
      (await query<{ at: Date }>(books.embedded.ownerUrl, 'select clock_timestamp() as at'))[0]?.at ?? 0,
    );
    await books.deleteAll(cookie);
    expect(await books.summaries(cookie)).not.toBe(summaries);
    await query(books.embedded.ownerUrl, 'select pg_switch_wal()');
    known = { summaries, beforeDeletion, cookie };
  } finally {
    await books.close();
  }
  // Stopping the server archives the remaining WAL.
  expect(await shipWal(data, location)).toBeGreaterThan(0);
  rmSync(data, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a backup taken during imports is restored to the moment before a deletion with identical summaries', async () => {
  const newer = 'base/20991231T000000Z-beef.json.sealed';
  await location.store.write(newer, pieces('damaged'));
  await expect(restoreEmbedded(data, { place: location, to: null })).rejects.toThrow(
    'To restore an older backup, use `--to` with an earlier time.',
  );
  const { entry, lastCommitAt } = await restoreEmbedded(data, { place: location, to: known.beforeDeletion });
  await location.store.remove(newer);
  expect(entry).toMatchObject({ sealed: true, lotbook: '9.9.9' });
  expect(Date.parse(lastCommitAt ?? '')).toBeLessThanOrEqual(known.beforeDeletion.getTime());
  const books = await openBooks(data);
  expect(await books.summaries(known.cookie)).toBe(known.summaries);
  // The restored database starts a new history, which is backed up separately.
  await books.import(known.cookie, 9);
  const next = await take(books.embedded);
  expect(next.set).not.toBe(entry.set);
  expect(next.firstWal.slice(0, 8)).toBe('00000002');
  await books.close();
});

test('a restore refuses a folder with a database, and a moment that no backup covers', async () => {
  const other = join(folder, 'other');
  const refused = restoreEmbedded(data, { place: location, to: null });
  await expect(refused).rejects.toThrow('has a database. Restoring never overwrites one');
  const [first] = (await listBackups(location)).backups;
  const late = restoreEmbedded(other, { place: onlyFirst(first?.id ?? ''), to: new Date('2999-01-01') });
  await expect(late).rejects.toThrow('no commit at 2999-01-01T00:00:00.000Z or later');
  expect(existsSync(join(other, 'postgres'))).toBe(false);
});

test('a restore that is impossible reports the reason and leaves nothing behind', async () => {
  const other = join(folder, 'none');
  const restore = (from: BackupLocation, to: Date | null = null) => restoreEmbedded(other, { place: from, to });
  await expect(restore({ ...location, store: openStore(join(folder, 'empty'), null) })).rejects.toThrow(
    'There is no backup in',
  );
  await expect(restore(location, new Date('2020-01-01'))).rejects.toThrow('was completed at');
  await expect(restore({ ...location, seal: null })).rejects.toThrow('set BACKUP_PASSPHRASE');
  await expect(restore({ ...location, seal: sealBy('another passphrase') })).rejects.toThrow(
    'the passphrase is different',
  );
  const path = await pathOfLast();
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[whole.length >> 1] = (damaged[whole.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, damaged);
  await expect(restore(location)).rejects.toThrow('damaged');
  writeFileSync(path, whole.subarray(0, whole.length - 300_000));
  await expect(restore(location)).rejects.toThrow('damaged');
  writeFileSync(path, whole);
  expect(existsSync(join(other, 'postgres')) || existsSync(join(other, 'postgres.restoring'))).toBe(false);
});

test('a backup is readable only by its owner, and contains no books in plain text', async () => {
  const path = await pathOfLast();
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(readFileSync(path).includes('ann@example.com')).toBe(false);
});

test('the newest backups are kept, with the WAL that they need', async () => {
  const embedded = await openEmbedded(data, undefined, true);
  try {
    const before = (await listBackups(location)).backups;
    const { entry, removed } = await takeBackup({ ...createOrder(embedded), keep: 1 });
    expect(removed).toBe(before.length);
    expect((await listBackups(location)).backups).toEqual([entry]);
    const names = await location.store.list('');
    expect(names.filter((name) => name.startsWith('base/'))).toHaveLength(2);
    for (const name of names.filter((one) => one.startsWith('wal/'))) {
      expect(name.startsWith(`wal/${entry.set}/`)).toBe(true);
      expect((name.split('/')[2] ?? '') >= entry.firstWal).toBe(true);
    }
  } finally {
    await embedded.close();
  }
});

interface Books {
  readonly embedded: EmbeddedPostgres;
  register(email: string): Promise<string>;
  import(cookie: string, file: number): Promise<void>;
  deleteAll(cookie: string): Promise<void>;
  summaries(cookie: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens the application on the embedded PostgreSQL, which archives its WAL. */
async function openBooks(dataDir: string): Promise<Books> {
  const embedded = await openEmbedded(dataDir, undefined, true);
  await migrate(embedded.ownerUrl);
  const database: Database = connect({ url: embedded.url, directUrl: null }, { connectionsMax: 8 });
  const mail = { send: async () => {} };
  const config = loadConfig({ RATE_LIMIT_FACTOR: '100000' });
  const app = createApp(
    createDeps({ config, database, clock: systemClock, assistant: null, billing: null, mail, log: silentLog }),
  );
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const init = body === undefined ? { method, headers } : { method, headers, body };
    const response = await app.fetch(new Request(`http://localhost${path}`, init));
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    embedded,
    register: async (email) => {
      const body = JSON.stringify({ email, password: 'correct horse battery' });
      const cookie = sessionCookie(
        await ask('POST', '/v1/auth/register', { 'content-type': 'application/json' }, body),
      );
      await query(embedded.ownerUrl, `update users set plan = 'PRO'`);
      return cookie;
    },
    import: async (cookie, file) => {
      await ask('POST', '/v1/transactions/import', { cookie, 'content-type': 'text/csv' }, csvOf(file));
    },
    deleteAll: async (cookie) => {
      const { data: items } = (await (await ask('GET', '/v1/imports?limit=50', { cookie })).json()) as {
        data: { id: string }[];
      };
      for (const { id } of items.slice(0, 2)) await ask('DELETE', `/v1/imports/${id}`, { cookie });
    },
    summaries: async (cookie) => {
      const paths = [
        '/v1/tax/summary?year=2024',
        '/v1/tax/summary?year=2025',
        '/v1/tax/disposals?limit=1000',
        '/v1/tax/lots',
      ];
      const texts = [];
      for (const path of paths) texts.push(await (await ask('GET', path, { cookie })).text());
      return texts.join('\n');
    },
    close: async () => {
      await database.close();
      await embedded.close();
    },
  };
}

function csvOf(file: number): string {
  const rows = Array.from({ length: 40 }, (_, at) => {
    const day = String((at % 28) + 1).padStart(2, '0');
    return `2024-0${(file % 9) + 1}-${day},buy,B${file},S${at % 7},10,${1000 + at}.00,1\n2025-0${(file % 9) + 1}-${day},sell,B${file},S${at % 7},4,${500 + at}.00,1\n`;
  });
  return `date,type,account,asset,quantity,amount,fee\n${rows.join('')}`;
}

function createOrder(embedded: EmbeddedPostgres) {
  const { ownerUrl, folder: dataFolder } = embedded;
  return { ownerUrl, place: location, keep: null, lotbook: '9.9.9', set: archiveSet(dataFolder), now: new Date() };
}

async function take(embedded: EmbeddedPostgres) {
  return (await takeBackup(createOrder(embedded))).entry;
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function pathOfLast(): Promise<string> {
  const entry = (await listBackups(location)).backups.at(-1);
  return join(location.store.place, 'base', `${entry?.id}.tar.zst.sealed`);
}

/** Returns the backup store with only its first backup. */
function onlyFirst(id: string): BackupLocation {
  const { store } = location;
  const list = async (prefix: string) =>
    (await store.list(prefix)).filter((name) => !name.startsWith('base/') || name.includes(id));
  return { ...location, store: { ...store, list } };
}
