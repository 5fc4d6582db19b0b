import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealBy } from '../../src/base/sealed.ts';
import { type TarEntry, tarEntries, tarFile, writeTar } from '../../src/base/tar.ts';
import {
  type BackupEntry,
  type BackupLocation,
  baseName,
  listBackups,
  prune,
  put,
  putIndex,
  take,
} from '../../src/db/backup/catalog.ts';
import { restoreEmbedded } from '../../src/db/backup/restore.ts';
import { openStore } from '../../src/db/backup/store.ts';
import { takeBackup } from '../../src/db/backup/take.ts';
import { joinEmbedded, openEmbedded } from '../../src/db/embedded.ts';
import { forgedTar } from '../support/forged-tar.ts';
import { query } from '../support/query.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotbook-forged-'));
const data = join(folder, 'data');
const proof = join(folder, 'a-command-has-run');
const store = openStore(join(folder, 'backups'), null);
const sealed: BackupLocation = { store, seal: sealBy('a long passphrase') };
let real: BackupEntry;

beforeAll(async () => {
  const embedded = await openEmbedded(data);
  try {
    await query(embedded.ownerUrl, 'create table schema_migrations as select 1 as number, $$0001_users$$ as name');
    await query(embedded.ownerUrl, 'create table kept as select 42 as answer');
    real = await takeAt(embedded.ownerUrl, sealed, '2026-01-02T03:04:05Z');
  } finally {
    await embedded.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a restore with a passphrase ignores a newer unsealed backup and does not run its command', async () => {
  const planted = await plant({ store, seal: null }, '20991231T000000Z-beef', await withSettings());
  const target = join(folder, 'restored');
  const { entry, ignored } = await restoreEmbedded(target, { place: sealed, to: null });
  expect(entry.id).toBe(real.id);
  expect(ignored).toEqual([{ id: planted.id, reason: 'unsealed' }]);
  const embedded = await joinEmbedded(target);
  expect(await query(embedded.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await embedded.close();
  expect(existsSync(proof)).toBe(false);
  const refused = restoreEmbedded(join(folder, 'bare'), { place: { store, seal: null }, to: null });
  await expect(refused).rejects.toThrow('is damaged or forged: it contains postgresql.auto.conf');
  expect(existsSync(proof)).toBe(false);
  await removeBackup(planted);
});

test('a planted backup does not count toward retention and does not replace a real one', async () => {
  const other: BackupLocation = { ...sealed, store: openStore(join(folder, 'retention'), null) };
  const bare: BackupLocation = { ...other, seal: null };
  const rows: [BackupLocation, string][] = [
    [other, '20260101T000000Z-0001'],
    [other, '20260102T000000Z-0002'],
    [bare, '20260103T000000Z-0003'],
    [bare, '20990101T000000Z-0004'],
  ];
  for (const [place, id] of rows) await plant(place, id, []);
  expect(await prune(other, 2)).toBe(0);
  expect((await listBackups(other)).backups.map(({ id }) => id)).toEqual([rows[0]?.[1] ?? '', rows[1]?.[1] ?? '']);
  // After the passphrase changes, backups that cannot be opened are kept until the same number of newer ones exists.
  const mistyped: BackupLocation = { ...other, seal: sealBy('a mistyped passphrase') };
  await plant(mistyped, '20260105T000000Z-0005', []);
  expect(await prune(mistyped, 2)).toBe(0);
  await plant(mistyped, '20260106T000000Z-0006', []);
  expect(await prune(mistyped, 2)).toBe(3);
});

const refusedEntries: readonly (readonly [string, TarEntry])[] = [
  ...['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf', 'conf.d/more.conf'],
  ...['recovery.signal', 'standby.signal', 'recovery.conf', 'tablespace_map', 'backup_label.old', 'server.key'],
  ...['pg_tblspc/16400/PG_18/1', 'pg_replslot/one/state', 'pg_wal/not-a-log', 'base/.hidden', 'anything'],
].map((name) => [name, tarFile(name, `recovery_end_command = 'touch ${proof}'\n`)] as const);

describe('a restore with the passphrase', () => {
  test.each(refusedEntries)('refuses a backup with %s', async (name, entry) => {
    const planted = await plant(sealed, '20991231T000000Z-beef', [entry]);
    await expectRefusal(`is damaged or forged: it contains ${name}`);
    await removeBackup(planted);
  });

  test('refuses a backup with a link or a name that leads out of its folder', async () => {
    for (const header of [{ name: 'pg_wal', type: '2', link: '/tmp' }, { name: '../../x' }, { name: '/etc/x' }]) {
      const planted = await plantBytes(sealed, '20991231T000000Z-beef', forgedTar(header));
      await expectRefusal('is damaged or forged. The tar contains');
      await removeBackup(planted);
    }
  });
});

describe('parts of two backups', () => {
  const older = '20260101T000000Z-0a0a';
  beforeAll(async () => void (await plant(sealed, older, await fetchEntries())));

  test('are not mixed: a base under another name', async () => {
    await swapped(`base/${older}.tar.zst.sealed`, `base/${real.id}.tar.zst.sealed`, () =>
      expectRefusal('This passphrase did not encrypt the file, or the file is damaged'),
    );
  });

  test('are not mixed: an index replayed under a newer name', async () => {
    const path = join(folder, 'backups', 'base', '20991231T000000Z-beef.json.sealed');
    copyFileSync(join(folder, 'backups', 'base', `${older}.json.sealed`), path);
    await expectRefusal('cannot be opened with BACKUP_PASSPHRASE');
    rmSync(path);
  });

  test('are not mixed without a passphrase because the digest in the index identifies one base', async () => {
    const bare: BackupLocation = { store: openStore(join(folder, 'bare-backups'), null), seal: null };
    const [one, two] = [
      await plant(bare, '20260101T000000Z-0001', await fetchEntries()),
      await plant(bare, '20260102T000000Z-0002', []),
    ];
    const pathOf = (entry: BackupEntry): string => join(bare.store.place, baseName(entry));
    renameSync(pathOf(two), pathOf(one));
    const refused = restoreEmbedded(join(folder, 'bare'), { place: bare, to: new Date('2026-01-01T12:00:00Z') });
    await expect(refused).rejects.toThrow('does not match its index: it is damaged or belongs to another backup.');
  });
});

test('a sealed backup is refused by its name without a passphrase', async () => {
  const refused = restoreEmbedded(join(folder, 'bare'), { place: { store, seal: null }, to: null });
  await expect(refused).rejects.toThrow(`${real.id} in ${store.place} is encrypted: set BACKUP_PASSPHRASE.`);
});

test('a backup from an earlier Lotbook is refused with a one-sentence message', async () => {
  const old = openStore(join(folder, 'old'), null);
  const entry = { ...real, format: 1, sealed: false };
  await old.write('base/20260101T000000Z-0001.json', pieces(JSON.stringify(entry)));
  const restore = (seal: BackupLocation['seal']) =>
    restoreEmbedded(join(folder, 'bare'), { place: { store: old, seal }, to: null });
  await expect(restore(null)).rejects.toThrow(
    'was written by another version of Lotbook: restore it with that version.',
  );
  await expect(restore(sealed.seal)).rejects.toThrow(
    'is not fully encrypted, so it is ignored while BACKUP_PASSPHRASE is set',
  );
});

test('settings that run a command or load a library are off, regardless of the configuration files', async () => {
  const command = `touch ${proof}`;
  const lines = [
    ...['archive_command', 'archive_cleanup_command', 'recovery_end_command', 'restore_command'].map(
      (name) => `${name} = '${command}'`,
    ),
    `ssl_passphrase_command = '${command}'`,
    ...['shared', 'session', 'local'].map((kind) => `${kind}_preload_libraries = '${join(folder, 'evil.so')}'`),
    `dynamic_library_path = '${folder}'`,
    'ssl = on',
    `archive_mode = on`,
  ];
  const included = join(folder, 'included.conf');
  appendFileSync(included, `${lines.join('\n')}\n`);
  appendFileSync(join(data, 'postgres', 'postgresql.conf'), `include = '${included}'\n`);
  appendFileSync(join(data, 'postgres', 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  const embedded = await openEmbedded(data);
  try {
    await query(embedded.ownerUrl, 'select pg_switch_wal()');
    const names = lines.map((line) => line.split(' ')[0] ?? '').filter((name) => name !== 'archive_mode');
    const rows = await query(
      embedded.ownerUrl,
      `select name, setting from pg_settings where name = any (array['${names.join("','")}']) and setting <> ''`,
    );
    expect(rows).toEqual([
      { name: 'dynamic_library_path', setting: '$libdir' },
      { name: 'ssl', setting: 'off' },
    ]);
  } finally {
    await embedded.close();
  }
  expect(existsSync(proof)).toBe(false);
});

async function expectRefusal(sentence: string): Promise<void> {
  const target = join(folder, 'refused');
  await expect(restoreEmbedded(target, { place: sealed, to: null })).rejects.toThrow(sentence);
  expect(readdirSync(target).filter((name) => name.startsWith('postgres'))).toEqual([]);
  expect(existsSync(proof)).toBe(false);
}

async function takeAt(ownerUrl: string, location: BackupLocation, now: string): Promise<BackupEntry> {
  const order = { ownerUrl, place: location, keep: null, lotbook: '9.9.9', set: null, now: new Date(now) };
  return (await takeBackup(order)).entry;
}

/** Returns the files of the real backup. */
async function fetchEntries(): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  for await (const { name, content } of tarEntries(take(sealed, baseName(real), real.digest))) {
    const bytes: Uint8Array[] = [];
    for await (const piece of content) bytes.push(piece.slice());
    entries.push(tarFile(name, Buffer.concat(bytes)));
  }
  return entries;
}

/** Returns those files plus a command that PostgreSQL runs at the end of a recovery. */
async function withSettings(): Promise<TarEntry[]> {
  return [...(await fetchEntries()), tarFile('postgresql.auto.conf', `recovery_end_command = 'touch ${proof}'\n`)];
}

function plant(location: BackupLocation, id: string, entries: TarEntry[]): Promise<BackupEntry> {
  return plantBytes(location, id, writeTar(entries));
}

/** Writes a backup, either sealed with the store's passphrase or unsealed. */
async function plantBytes(
  location: BackupLocation,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<BackupEntry> {
  const isSealed = location.seal !== null;
  const stored = await put(location, baseName({ id, sealed: isSealed }), bytes);
  const at = `${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}T00:00:00.000Z`;
  const entry: BackupEntry = { ...(real ?? {}), ...stored, id, sealed: isSealed, startedAt: at, endedAt: at };
  await putIndex(location, entry);
  return entry;
}

async function removeBackup(entry: BackupEntry): Promise<void> {
  for (const name of await store.list(`base/${entry.id}`)) await store.remove(name);
}

async function swapped(from: string, to: string, check: () => Promise<void>): Promise<void> {
  const [source, target] = [join(store.place, from), join(store.place, to)];
  const whole = readFileSync(target);
  copyFileSync(source, target);
  try {
    await check();
  } finally {
    await Bun.write(target, whole);
  }
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
