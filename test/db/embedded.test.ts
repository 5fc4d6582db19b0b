import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '../../src/db/connection.ts';
import { joinEmbedded, openEmbedded } from '../../src/db/embedded.ts';
import { takeFolderLock } from '../../src/db/folder-lock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MigrationError } from '../../src/db/migration-files.ts';
import { runningServer } from '../../src/db/postgres-server.ts';
import { EmbeddedError } from '../../src/db/unprivileged-runner.ts';
import { query } from '../support/query.ts';

/** A folder with a database that was started and stopped. Most tests use a copy, because creating one takes longer. */
const sound = mkdtempSync(join(tmpdir(), 'lotbook-embedded-'));
beforeAll(async () => {
  await (await openEmbedded(sound)).close();
});
afterAll(() => rmSync(sound, { recursive: true, force: true }));

function openCopy(to: string) {
  cpSync(sound, to, { recursive: true, preserveTimestamps: true });
  chmodSync(join(to, 'postgres'), 0o700);
  return openEmbedded(to);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lotbook-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('data survives a stop and a start, and nothing runs in between', async () => {
  const first = await openCopy(folder);
  await query(first.ownerUrl, 'create table kept as select 42 as answer');
  await first.close();
  expect(runningServer(join(folder, 'postgres'))).toBeNull();
  const second = await openEmbedded(folder);
  expect(second.adopted).toBe(false);
  expect(await query(second.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await second.close();
});

test('the server connects as a role that owns nothing and is not a superuser', async () => {
  const embedded = await openCopy(folder);
  const who = 'select session_user as "user", rolsuper as superuser from pg_roles where rolname = session_user';
  expect(await query(embedded.url, who)).toEqual([{ user: 'lotbook_server', superuser: false }]);
  expect(await query(embedded.ownerUrl, who)).toEqual([{ user: 'lotbook', superuser: true }]);
  await embedded.close();
});

test('the PostgreSQL log contains no value from a row, even if a statement fails', async () => {
  const embedded = await openCopy(folder);
  const pool = openPool(embedded.ownerUrl, 1);
  await pool`create table kept (email text primary key check (email <> 'x'))`;
  for (const email of ['ann@example.com', 'ann@example.com', 'x']) {
    await pool`insert into kept values (${email})`.catch(() => {});
  }
  await pool.end();
  await embedded.close();
  const log = readFileSync(join(folder, 'postgres.log'), 'utf8');
  expect(log).toContain('kept_pkey');
  expect(log).toContain('kept_email_check');
  expect(log).not.toContain('ann@example.com');
});

test('the server can connect even if its role exists without the right to sign in', async () => {
  const first = await openCopy(folder);
  await query(first.ownerUrl, 'alter role lotbook_server nologin');
  await first.close();
  const second = await openEmbedded(folder);
  expect(await query(second.url, 'select session_user as "user"')).toEqual([{ user: 'lotbook_server' }]);
  await second.close();
});

test('an owner that cannot create the roles is told what an administrator must do', async () => {
  const embedded = await openCopy(folder);
  await query(embedded.ownerUrl, 'create role plain login');
  await query(embedded.ownerUrl, 'alter database lotbook owner to plain');
  const owned = new URL(embedded.ownerUrl);
  owned.username = 'plain';
  const refused: unknown = await migrate(owned.href).catch((reason: unknown) => reason);
  expect(refused).toBeInstanceOf(MigrationError);
  const advice = String(refused).split('Have an administrator run once: ')[1] ?? '';
  expect(advice).toBe(
    'create role lotbook_app nologin; grant lotbook_app to lotbook_server; grant lotbook_server to plain',
  );
  await query(embedded.ownerUrl, advice);
  expect(await migrate(owned.href)).toContain('0001_users');
  await embedded.close();
});

test('only this user can connect, and only through the socket', async () => {
  const embedded = await openEmbedded(folder);
  expect(await query(embedded.url, `select current_setting('listen_addresses') as tcp`)).toEqual([{ tcp: '' }]);
  for (const name of ['postgres', 'socket']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  await embedded.close();
});

test('a folder whose path is too long for a socket gets its socket elsewhere, and the stop removes it', async () => {
  const long = join(folder, 'x'.repeat(120), 'data');
  const embedded = await openEmbedded(long);
  const socket = new URL(embedded.url).searchParams.get('host') ?? '';
  expect(socket.startsWith(folder)).toBe(false);
  expect(await query(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await embedded.close();
  expect(() => statSync(socket)).toThrow();
});

test('a folder name may contain a space, a quote and a comma', async () => {
  const embedded = await openEmbedded(join(folder, `Ann's "books", 2025`));
  expect(await query(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await embedded.close();
});

test('a leftover process id that now belongs to another process is ignored', async () => {
  const cluster = join(folder, 'postgres');
  await (await openCopy(folder)).close();
  writeFileSync(
    join(cluster, 'postmaster.pid'),
    `${process.pid}\n${cluster}\n1\n5432\n${folder}/socket\n\n1 1\nready\n`,
  );
  const embedded = await openEmbedded(folder);
  expect(embedded.adopted).toBe(false);
  await embedded.close();
});

test('a PostgreSQL for another folder is not mistaken for ours, and keeps running', async () => {
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  const other = await openCopy(theirs);
  await (await openCopy(ours)).close();
  const pidFile = readFileSync(join(theirs, 'postgres', 'postmaster.pid'), 'utf8');
  writeFileSync(join(ours, 'postgres', 'postmaster.pid'), pidFile);
  const embedded = await openEmbedded(ours);
  expect(embedded.adopted).toBe(false);
  expect(await query(embedded.ownerUrl, `select current_setting('data_directory') as folder`)).toEqual([
    { folder: join(ours, 'postgres') },
  ]);
  expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await embedded.close();
  await other.close();
});

test('a cluster that a crash left incomplete is created again', async () => {
  // The initdb of a killed process may still be running in its folder, so the next one works in another folder.
  const left = ['postgres.new', 'postgres.new-0123abcd'].map((name) => join(folder, name));
  for (const path of left) mkdirSync(join(path, 'base'), { recursive: true });
  const embedded = await openEmbedded(folder);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(await query(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await embedded.close();
});

test('a second server in the same folder is refused, but a command can connect', async () => {
  const keeper = await openCopy(folder);
  // The lock also applies within this process because SQLite itself holds it.
  expect(takeFolderLock(folder)).toBeNull();
  await expect(openEmbedded(folder)).rejects.toBeInstanceOf(EmbeddedError);
  const joined = await joinEmbedded(folder);
  expect(joined).toMatchObject({ url: keeper.url, ownerUrl: keeper.ownerUrl, adopted: true });
  await joined.close();
  expect(await query(keeper.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await keeper.close();
});
