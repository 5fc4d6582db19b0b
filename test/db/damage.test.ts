import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreEmbedded } from '../../src/db/backup/restore.ts';
import { openStore } from '../../src/db/backup/store.ts';
import { takeBackup } from '../../src/db/backup/take.ts';
import { errorSentence } from '../../src/db/damage.ts';
import { openEmbedded, serverFiles } from '../../src/db/embedded.ts';
import { packagedPostgres } from '../../src/db/postgres-programs.ts';
import { initialize, isAlive, serverVersion, startServer } from '../../src/db/postgres-server.ts';
import { EmbeddedError } from '../../src/db/unprivileged-runner.ts';
import { runCommand } from '../support/process.ts';
import { query } from '../support/query.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotbook-damage-'));
const sound = join(folder, 'sound');
const location = { store: openStore(join(folder, 'backups'), null), seal: null };
let roles: string;
let classesOfPostgres: string;
let classesOfLotbook: string;

beforeAll(async () => {
  const embedded = await openEmbedded(sound);
  try {
    await query(embedded.ownerUrl, 'create table schema_migrations as select 1 as number, $$0001_users$$ as name');
    await query(embedded.ownerUrl, 'create table kept as select 42 as answer');
    await query(embedded.ownerUrl, 'checkpoint');
    const postgres = embedded.ownerUrl.replace('/lotbook?', '/postgres?');
    roles = await fetchFile(embedded.ownerUrl, 'pg_authid');
    classesOfPostgres = await fetchFile(postgres, 'pg_class');
    classesOfLotbook = await fetchFile(embedded.ownerUrl, 'pg_class');
    const order = {
      ownerUrl: embedded.ownerUrl,
      place: location,
      keep: null,
      lotbook: '9.9.9',
      set: null,
      now: new Date(),
    };
    await takeBackup(order);
  } finally {
    await embedded.close();
  }
});
const disk = join(folder, 'disk');
mkdirSync(disk);
const isMounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk]).exitCode === 0;
afterAll(() => {
  // A server that was just killed can keep the file system busy for a moment, so it is detached at once.
  if (isMounted) Bun.spawnSync(['umount', '--lazy', disk]);
  rmSync(folder, { recursive: true, force: true });
});

/** Copies the intact folder and damages the copy. Each copy is removed after its test because it is large. */
let copies = 0;
afterEach(() => {
  rmSync(join(folder, `copy-${copies}`), { recursive: true, force: true });
});
function damaged(damage: (data: string) => void): string {
  const data = join(folder, `copy-${++copies}`);
  cpSync(sound, data, { recursive: true, preserveTimestamps: true });
  chmodSync(join(data, 'postgres'), 0o700);
  damage(data);
  return data;
}

describe('damage that loses no data is repaired at the next start', () => {
  test.each([
    ['an empty postmaster.pid', (data) => writeFileSync(join(data, 'postgres', 'postmaster.pid'), '')],
    ['a postmaster.pid of noise', (data) => writeFileSync(join(data, 'postgres', 'postmaster.pid'), noise(300))],
    [
      'a postmaster.pid truncated after the id of a live process',
      (data) => writeFileSync(join(data, 'postgres', 'postmaster.pid'), `${process.pid}\n`),
    ],
    ['a lotbook.lock of noise', (data) => writeFileSync(join(data, 'lotbook.lock'), noise(5_000))],
    [
      'a lotbook.lock with only the SQLite header',
      (data) => writeFileSync(join(data, 'lotbook.lock'), `SQLite format 3\0${'\xff'.repeat(900)}`, 'latin1'),
    ],
    ['a lotbook.pid of noise', (data) => writeFileSync(join(data, 'lotbook.pid'), noise(30))],
    [
      'no lotbook.lock, no socket folder and no log',
      (data) => {
        for (const name of ['lotbook.lock', 'socket', 'postgres.log'])
          rmSync(join(data, name), { recursive: true, force: true });
      },
    ],
  ] as readonly [string, (data: string) => void][])('%s', async (_what, damage) => {
    const embedded = await openEmbedded(damaged(damage));
    expect(await query(embedded.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await embedded.close();
  });

  test('a server that is still running without a readable postmaster.pid is stopped first', async () => {
    const data = damaged(() => {});
    const files = await serverFiles(data);
    const { pid } = await startServer(files);
    truncateSync(join(data, 'postgres', 'postmaster.pid'));
    const embedded = await openEmbedded(data);
    expect(isAlive(pid)).toBe(false);
    expect(await query(embedded.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await embedded.close();
  });
});

const restoreWith = (data: string): string =>
  `Run \`mv ${data}/postgres ${data}/postgres.damaged\`, then \`lotbook restore "$BACKUP_TO"\`.`;

describe('damage that loses the database is reported in one sentence with the commands to run', () => {
  test.each([
    ['no WAL', (data) => removeWal(data), 'The write-ahead log of the database (pg_wal) is damaged or incomplete'],
    ['WAL of zeros', (data) => blankWal(data), 'The write-ahead log of the database (pg_wal) is damaged or incomplete'],
    [
      'no WAL folder',
      (data) => rmSync(join(data, 'postgres', 'pg_wal'), { recursive: true }),
      'The write-ahead log of the database (pg_wal) is damaged or incomplete',
    ],
    [
      'a pg_control of zeros',
      (data) => blank(data, 'global/pg_control'),
      'The control file of the database (pg_control) is damaged',
    ],
    [
      'no pg_control',
      (data) => rmSync(join(data, 'postgres', 'global', 'pg_control')),
      'The control file of the database (pg_control) is damaged',
    ],
    [
      'an empty pg_control',
      (data) => truncateSync(join(data, 'postgres', 'global', 'pg_control')),
      'The control file of the database (pg_control) is damaged',
    ],
    ['corrupted pages of the roles', (data) => spoil(data, roles), 'A file of the database is damaged or missing'],
    [
      'corrupted pages of a catalog',
      (data) => spoil(data, classesOfPostgres),
      'A file of the database is damaged or missing',
    ],
    [
      'a missing catalog',
      (data) => rmSync(join(data, 'postgres', classesOfPostgres)),
      'A file of the database is damaged or missing',
    ],
    [
      'no folder for tables',
      (data) => rmSync(join(data, 'postgres', 'base'), { recursive: true }),
      'A file of the database is damaged or missing',
    ],
    [
      'a damaged file map',
      (data) => spoil(data, 'global/pg_filenode.map'),
      'A file of the database is damaged or missing',
    ],
    [
      'a folder in place of postmaster.pid',
      (data) => mkdirSync(join(data, 'postgres', 'postmaster.pid')),
      'cannot be opened (',
    ],
    ['no PG_VERSION', (data) => rmSync(join(data, 'postgres', 'PG_VERSION')), 'is incomplete: it has no PG_VERSION'],
    ['an empty PG_VERSION', (data) => truncateSync(join(data, 'postgres', 'PG_VERSION')), 'The file PG_VERSION of'],
  ] as readonly [string, (data: string) => void, string][])('%s', async (_what, damage, sentence) => {
    const data = damaged(damage);
    const error: unknown = await openEmbedded(data).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EmbeddedError);
    const { message } = error as EmbeddedError;
    expect(message).toContain(sentence);
    expect(message).toEndWith(restoreWith(data));
    expect(message).not.toContain('\n');
  });

  test('those commands restore the database', async () => {
    const data = damaged((path) => blank(path, 'global/pg_control'));
    const { message } = (await openEmbedded(data).catch((reason: unknown) => reason)) as EmbeddedError;
    const move = /`(mv [^`]+)`/.exec(message)?.[1] ?? 'false';
    expect(Bun.spawnSync(['sh', '-c', move]).exitCode).toBe(0);
    await restoreEmbedded(data, { place: location, to: null });
    const embedded = await openEmbedded(data);
    expect(await query(embedded.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await embedded.close();
  });

  test('a command that reads a corrupted page later prints that sentence and no stack trace', async () => {
    const data = damaged((path) => spoil(path, classesOfLotbook));
    const { code, err } = await runCommand({ path: folder }, ['verify'], { DATA_DIR: data });
    expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
    expect(err).toContain('A file of the database is damaged or missing (');
    expect(err).toContain('then `lotbook restore "$BACKUP_TO"`');
  });
});

test('a data folder that is a file or a dangling link is reported as such', async () => {
  const [file, link] = [join(folder, 'a-file'), join(folder, 'a-link')];
  writeFileSync(file, '');
  symlinkSync(join(folder, 'nowhere'), link);
  for (const path of [file, link, join(file, 'data')])
    await expect(openEmbedded(path)).rejects.toThrow(
      `DATA_DIR (${path}) is not a folder, but a file, a broken link or a path below a file.`,
    );
});

describe('a folder that once had a database does not get a new one', () => {
  test.each([
    [
      'a renamed cluster',
      (data) => renameSync(join(data, 'postgres'), join(data, 'postgres.old')),
      'had a database, and',
    ],
    ['a removed cluster', (data) => rmSync(join(data, 'postgres'), { recursive: true }), 'had a database, and'],
    ['an emptied cluster', (data) => empty(join(data, 'postgres')), 'had a database, and'],
    [
      'an interrupted restore',
      (data) => {
        rmSync(join(data, 'lotbook.database'));
        renameSync(join(data, 'postgres'), join(data, 'postgres.restoring'));
      },
      'was interrupted. Run',
    ],
  ] as readonly [string, (data: string) => void, string][])('%s', async (_what, damage, sentence) => {
    const data = damaged(damage);
    const before = readdirSync(data).filter((name) => name.startsWith('postgres') && !name.endsWith('.log'));
    const refused = openEmbedded(data);
    await expect(refused).rejects.toBeInstanceOf(EmbeddedError);
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toThrow('lotbook restore "$BACKUP_TO"');
    expect(readdirSync(data).filter((name) => name.startsWith('postgres') && !name.endsWith('.log'))).toEqual(before);
  });

  test('`lotbook serve` reports the lost database in one sentence', async () => {
    const data = damaged((path) => renameSync(join(path, 'postgres'), join(path, 'postgres.old')));
    const { code, out, err } = await runCommand({ path: folder }, ['serve'], { DATA_DIR: data });
    expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(err).toContain('Move it back, or run `lotbook restore "$BACKUP_TO"`.');
    expect(existsSync(join(data, 'postgres'))).toBe(false);
  });

  test('a dropped database is not replaced', async () => {
    const data = damaged(() => {});
    const embedded = await openEmbedded(data);
    const postgres = embedded.ownerUrl.replace('/lotbook?', '/postgres?');
    await query(postgres, 'drop database lotbook');
    await embedded.close();
    await expect(openEmbedded(data)).rejects.toThrow('has lost the database "lotbook". Run `mv ');
  });

  test('a folder of an earlier version gets its marker at the next start', async () => {
    const data = damaged((path) => rmSync(join(path, 'lotbook.database')));
    await (await openEmbedded(data)).close();
    expect(existsSync(join(data, 'lotbook.database'))).toBe(true);
  });

  test('a folder gets a new database after its owner removes the marker', async () => {
    const data = damaged((path) => rmSync(join(path, 'postgres'), { recursive: true }));
    const { message } = (await openEmbedded(data).catch((reason: unknown) => reason)) as EmbeddedError;
    rmSync(/remove (\S+)\.$/.exec(message)?.[1] ?? '');
    await (await openEmbedded(data)).close();
  });
});

describe('a truncated PostgreSQL program', () => {
  test.each([0, 100, 4_096, 200_000])(
    'a program of %d bytes is reported in one sentence with the command to run',
    (bytes) => {
      const programs = cutPrograms('postgres', bytes);
      expect(() => serverVersion(programs)).toThrow(
        'do not run: they are damaged, or built for another kind of machine. Run `rm -r ',
      );
      expect(() => serverVersion(programs)).toThrow(EmbeddedError);
    },
  );

  test('is reported the same way for initdb', async () => {
    const files = {
      ...(await serverFiles(sound)),
      cluster: join(folder, 'never'),
      programs: cutPrograms('initdb', 4_096),
    };
    expect(() => initialize(files)).toThrow('do not run: they are damaged');
  });
});

if (!isMounted) console.warn('SKIPPED: the test of a full disk. This machine does not permit `mount -t tmpfs`.');

const driverErrors: readonly (readonly [string, string, string | null])[] = [
  [
    '58P01',
    'could not open file "base/5/1259": No such file or directory',
    'A file of the database is damaged or missing',
  ],
  ['58P01', 'could not rename file "pg_wal/xlogtemp.1": No such file', 'A file of the database is damaged or missing'],
  ['58P01', 'could not access file "$libdir/amcheck": No such file or directory', null],
  ['58P01', 'could not access file "pg_trgm": No such file or directory', null],
  ['58P01', 'could not open extension control file "/usr/share/postgresql/15/extension/amcheck.control"', null],
  ['58030', 'could not write to file', 'A file of the database is damaged or missing'],
  ['XX001', 'page verification failed', 'A file of the database is damaged or missing'],
  ['XX002', 'index "a" contains a bad item', 'A file of the database is damaged or missing'],
  ['XX000', 'unexpected state', null],
  ['53100', 'could not extend file', 'The disk is full'],
  ['42P01', 'relation "corrupt" does not exist', null],
];

test.each(driverErrors)('SQLSTATE %s with the message %s is reported as: %p', (code, message, sentence) => {
  const said = errorSentence(Object.assign(new Error(message), { code }));
  if (sentence === null) expect(said).toBeNull();
  else expect(said).toStartWith(sentence);
});

test.if(isMounted)('a full disk is reported in one sentence, and the start succeeds once there is space', async () => {
  const data = join(disk, 'data');
  cpSync(sound, data, { recursive: true });
  chmodSync(join(data, 'postgres'), 0o700);
  Bun.spawnSync(['dd', 'if=/dev/zero', `of=${disk}/filler`, 'bs=4096']);
  const { code, err } = await runCommand({ path: folder }, ['verify'], { DATA_DIR: data });
  expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
  expect(err).toContain('Free some space and start again: nothing is lost.');
  const refusal = await openEmbedded(join(disk, 'new')).then(() => null, errorSentence);
  expect(refusal).toStartWith('The disk is full');
  rmSync(join(disk, 'filler'));
  const embedded = await openEmbedded(data);
  expect(await query(embedded.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await embedded.close();
});

function noise(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

function removeWal(data: string): void {
  for (const name of walNames(data)) rmSync(join(data, 'postgres', 'pg_wal', name));
}

function blankWal(data: string): void {
  for (const name of walNames(data)) blank(data, `pg_wal/${name}`);
}

function walNames(data: string): string[] {
  return readdirSync(join(data, 'postgres', 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name));
}

function blank(data: string, file: string): void {
  const path = join(data, 'postgres', file);
  writeFileSync(path, new Uint8Array(readFileSync(path).length));
}

/** Replaces every page with random bytes. */
function spoil(data: string, file: string): void {
  const path = join(data, 'postgres', file);
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += 512) bytes.set(noise(Math.min(300, bytes.length - at)), at);
  writeFileSync(path, bytes);
}

function empty(path: string): void {
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
}

/** Creates a folder like the one that the compiled binary unpacks, with one program truncated. */
function cutPrograms(program: string, bytes: number): string {
  const native = join(mkdtempSync(join(folder, 'programs-')), 'native');
  const whole = packagedPostgres();
  mkdirSync(join(native, 'bin'), { recursive: true });
  for (const name of ['lib', 'share']) symlinkSync(join(whole, name), join(native, name));
  for (const name of readdirSync(join(whole, 'bin'))) {
    if (name !== program) symlinkSync(join(whole, 'bin', name), join(native, 'bin', name));
  }
  const cut = join(native, 'bin', program);
  writeFileSync(cut, readFileSync(join(whole, 'bin', program)).subarray(0, bytes), { mode: 0o755 });
  return native;
}

async function fetchFile(url: string, relation: string): Promise<string> {
  const [row] = await query<{ path: string }>(url, `select pg_relation_filepath('${relation}') as path`);
  return row?.path ?? '';
}
