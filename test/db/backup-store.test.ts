import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealError, sealBy } from '../../src/base/sealed.ts';
import { ZstdError } from '../../src/base/zstd.ts';
import { type BackupEntry, listBackups, prune, put, putIndex, take, walName } from '../../src/db/backup/catalog.ts';
import { BackupError, type BackupStore, openStore } from '../../src/db/backup/store.ts';
import { walAfter } from '../../src/db/backup/wal.ts';
import { s3Keys, s3Server } from '../support/s3-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'lotbook-store-'));
const service = s3Server();
const access = { endpoint: service.endpoint, ...s3Keys };
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const seal = sealBy('a long passphrase');
/** Incompressible content that needs more than one part of an upload. */
const large = new Uint8Array(20_000_000);
for (let at = 0; at < large.length; at += 65_536) crypto.getRandomValues(large.subarray(at, at + 65_536));

describe.each([
  ['a folder', () => openStore(join(folder, 'backups'), null)],
  ['a bucket', () => openStore('s3://books/of/ann', access)],
] as const)('%s', (_name, open) => {
  const store: BackupStore = open();

  test('returns the stored content, compressed and encrypted, also in several parts', async () => {
    for (const [name, bytes] of [
      ['base/large.sealed', large],
      ['base/empty.sealed', new Uint8Array(0)],
      ['base/plain', new TextEncoder().encode('plain')],
    ] as const) {
      const location = { store, seal: name.endsWith('.sealed') ? seal : null };
      const stored = await put(location, name, readPieces(bytes));
      expect(stored.bytes).toBeGreaterThan(name === 'base/large.sealed' ? large.length : 0);
      expect(Buffer.compare(await joined(take(location, name)), bytes)).toBe(0);
    }
    expect(await store.list('base/')).toEqual(['base/empty.sealed', 'base/large.sealed', 'base/plain']);
    for (const name of await store.list('')) await store.remove(name);
    expect(await store.list('')).toEqual([]);
  });

  test('leaves no file after a write that failed midway', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield large;
      throw new Error('The disk of the database broke.');
    };
    await expect(store.write('base/half', failing())).rejects.toThrow('The disk of the database broke.');
    expect(await store.list('')).toEqual([]);
  });

  test('keeps the newest backups of each data folder and the WAL that follows them', async () => {
    const [one, two, three] = ['one', 'two', 'new'].map(() => crypto.randomUUID()).sort() as [string, string, string];
    const location = { store, seal: null };
    const entries = [entry('1', one, 3), entry('2', one, 5), entry('3', two, 1), entry('4', two, 4)];
    for (const each of entries) {
      await store.write(`base/${each.id}.tar.zst`, readPieces(new Uint8Array(9)));
      await putIndex(location, each);
    }
    await store.write('base/0.tar.zst', readPieces(new Uint8Array(9)));
    await store.write('base/5.tar.zst', readPieces(new Uint8Array(9)));
    for (const set of [one, two, three])
      for (const at of [2, 4, 6]) await store.write(walName(set, wal(at), false), readPieces(new Uint8Array(9)));
    expect(await prune(location, 2)).toBe(2);
    expect((await listBackups(location)).backups.map(({ id }) => id)).toEqual(['3', '4']);
    expect(await store.list('')).toEqual([
      'base/3.json',
      'base/3.tar.zst',
      'base/4.json',
      'base/4.tar.zst',
      // Another server may still be writing it.
      'base/5.tar.zst',
      ...[2, 4, 6].map((at) => walName(two, wal(at), false)),
      ...[2, 4, 6].map((at) => walName(three, wal(at), false)),
    ]);
    await prune(location, 1);
    expect(await store.list(`wal/${two}/`)).toEqual([4, 6].map((at) => walName(two, wal(at), false)));
  });
});

test('WAL continues a backup up to the first missing file, also across the end of a log', async () => {
  const location = { store: openStore(join(folder, 'wal-run'), null), seal: null };
  const names = [
    '0000000100000000000000FE',
    '0000000100000000000000FF',
    '000000010000000100000000',
    '000000010000000100000002',
  ];
  for (const name of [...names, '000000020000000100000001', '000000010000000000000001'])
    await put(location, walName('set', name, false), readPieces(large.subarray(0, 9)));
  const base = { firstWal: '0000000100000000000000FC', lastWal: '0000000100000000000000FD' };
  const { files, missing } = await walAfter(location, 'set', base);
  expect([...files.keys()]).toEqual(names.slice(0, 3));
  expect(missing).toBe('000000010000000100000001');
  await put(location, walName('set', '000000010000000100000001', false), readPieces(large.subarray(0, 9)));
  expect((await walAfter(location, 'set', base)).missing).toBeNull();
  const early = { firstWal: '0000000100000000000000F0', lastWal: '0000000100000000000000F1' };
  expect(await walAfter(location, 'set', early)).toEqual({ files: new Map(), missing: '0000000100000000000000F2' });
});

test('a damaged file is reported with its cause, but a bug in the program is not reported as damage', async () => {
  const store = openStore(join(folder, 'damaged'), null);
  await put({ store, seal }, 'base/one.sealed', readPieces(large.subarray(0, 9)));
  await put({ store, seal: null }, 'base/one', readPieces(large.subarray(0, 9)));
  const impossibleCost = await joined(store.read('base/one.sealed'));
  impossibleCost.fill(0, 8, 12);
  await store.write('base/cost.sealed', readPieces(impossibleCost));
  await store.write('base/cut', readPieces((await joined(store.read('base/one'))).subarray(0, 8)));
  const readError = (name: string, from = store): Promise<unknown> =>
    joined(take({ store: from, seal }, name)).catch((error: unknown) => error);
  for (const [name, message, cause] of [
    ['base/cost.sealed', 'base/cost.sealed: The file is damaged.', SealError],
    ['base/cut', 'base/cut is damaged.', ZstdError],
    ['base/none', 'base/none is missing.', Error],
  ] as const) {
    const error = await readError(name);
    expect(error).toBeInstanceOf(BackupError);
    expect(error).toMatchObject({ message, cause: expect.any(cause) });
  }
  const bug = new TypeError('a bug');
  const broken = { ...store, read: () => failing(bug) };
  expect(await readError('base/one', broken)).toBe(bug);
});

test('files stored in a folder are readable only by their owner', async () => {
  const own = join(folder, 'own');
  await openStore(own, null).write('base/one', readPieces(large.subarray(0, 9)));
  for (const path of ['', 'base', 'base/one']) expect(statSync(join(own, path)).mode & 0o077).toBe(0);
  expect(readdirSync(join(own, 'base'))).toEqual(['one']);
});

test('an error from the service does not contain its keys, and a bucket without a service or with another protocol is refused', async () => {
  service.failWith(500);
  const refused = await openStore('s3://books/x', access)
    .write('base/one', readPieces(large.subarray(0, 9)))
    .catch((error: unknown) => error);
  service.failWith(null);
  expect(refused).toBeInstanceOf(BackupError);
  expect(String(refused)).toContain('s3://books/x refuses or does not respond');
  expect(String(refused)).not.toContain(s3Keys.secretAccessKey);
  const wrong = openStore('s3://books/x', { ...access, accessKeyId: 'other' });
  await expect(wrong.list('')).rejects.toThrow('AccessDenied');
  expect(() => openStore('s3://books', null)).toThrow('S3_ENDPOINT');
  expect(() => openStore('ftp://books', null)).toThrow('neither a folder');
});

// biome-ignore lint/correctness/useYield: it fails before its first piece.
async function* failing(error: Error): AsyncGenerator<Uint8Array> {
  throw error;
}

function entry(id: string, set: string, firstWal: number): BackupEntry {
  const at = '2026-01-02T03:04:05.000Z';
  const facts = { startedAt: at, endedAt: at, firstWal: wal(firstWal), lastWal: wal(firstWal), postgres: '18.4' };
  const numbers = { format: 2, bytes: 9, digest: '0'.repeat(64) } as const;
  return { ...facts, ...numbers, id, set, lotbook: '9.9.9', schema: '0001_users', sealed: false };
}

function wal(at: number): string {
  return `00000001${String(at).padStart(16, '0')}`;
}

async function* readPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return new Uint8Array(Buffer.concat(all));
}
