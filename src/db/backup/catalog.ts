import { joinBytes } from '../../base/byte-reader.ts';
import { type Seal, SealError } from '../../base/sealed.ts';
import { compress, decompress, ZstdError } from '../../base/zstd.ts';
import type { BaseFacts } from './base.ts';
import { BackupError, type BackupStore, unfinishedSuffix } from './store.ts';

/**
 * The contents of a store. `base/ID.json` is the index of a backup, written when the backup is complete.
 * `base/ID.tar.zst` is the backup. `wal/SET/NAME.zst` is a WAL file of the data folder with the number SET. If there is
 * a passphrase, each file is sealed, including the index, and its name ends in `.sealed`. A seal authenticates the
 * name, so one file cannot replace another.
 */
export interface BackupEntry extends BaseFacts {
  readonly format: 2;
  readonly id: string;
  readonly lotbook: string;
  /** The data folder whose archived WAL continues the backup. Null if nothing was archived. */
  readonly set: string | null;
  readonly bytes: number;
  /** SHA-256 of the stored `base/ID.tar.zst`, so an index belongs to only one backup. */
  readonly digest: string;
  readonly sealed: boolean;
}

export interface BackupLocation {
  readonly store: BackupStore;
  /** Null if not encrypted. */
  readonly seal: Seal | null;
}

interface BackupList {
  /** All complete backups that can be used with the passphrase or without one, oldest first. */
  readonly backups: readonly BackupEntry[];
  /** Ignored backups. They are never restored and do not count toward retention. */
  readonly ignored: readonly IgnoredBackup[];
}

export interface IgnoredBackup {
  readonly id: string;
  readonly reason: IgnoredReason;
}

type IgnoredReason = keyof typeof ignoredReasons;

/** Why a backup is ignored. */
export const ignoredReasons = {
  unsealed: 'is not fully encrypted, so it is ignored while BACKUP_PASSPHRASE is set: anyone could have written it',
  sealed: 'is encrypted: set BACKUP_PASSPHRASE',
  unopened:
    'cannot be opened with BACKUP_PASSPHRASE: the passphrase is different, or the index is damaged or was copied from another backup',
  damaged: 'has a damaged index',
  format: 'was written by another version of Lotbook: restore it with that version',
} as const;

/** Admits only sealed backups if there is a passphrase, and only unsealed ones otherwise. */
export async function listBackups({ store, seal }: BackupLocation): Promise<BackupList> {
  const names = (await store.list('base/')).filter(isIndex);
  const backups: BackupEntry[] = [];
  const ignored: IgnoredBackup[] = [];
  for (const name of names) {
    const id = idIn(name);
    const isSealed = name.endsWith(sealedSuffix);
    if (isSealed !== (seal !== null)) {
      ignored.push({ id, reason: isSealed ? 'sealed' : 'unsealed' });
      continue;
    }
    const read = await readIndex({ store, seal }, name);
    if (typeof read === 'string') ignored.push({ id, reason: read });
    else backups.push(read);
  }
  return { backups, ignored };
}

export function baseName(entry: Pick<BackupEntry, 'id' | 'sealed'>): string {
  return nameOf(`base/${entry.id}.tar.zst`, entry.sealed);
}

export function walName(set: string, file: string, sealed: boolean): string {
  return nameOf(`wal/${set}/${file}.zst`, sealed);
}

/**
 * Returns the WAL files in a set by name. Includes only sealed files if there is a passphrase, and only unsealed ones
 * otherwise.
 */
export async function listWal({ store, seal }: BackupLocation, set: string): Promise<Map<string, string>> {
  const names = await store.list(`wal/${set}/`);
  const files = names.flatMap((name): [string, string][] => {
    const file = /^[0-9A-F]{8}(?:[0-9A-F]{16}|\.history)/.exec(name.slice(`wal/${set}/`.length))?.[0];
    return file !== undefined && name === walName(set, file, seal !== null) ? [[file, name]] : [];
  });
  return new Map(files);
}

interface BackupFile {
  readonly bytes: number;
  /** SHA-256 of the stored bytes. */
  readonly digest: string;
}

/** Compresses the file, encrypts it if there is a passphrase, and stores it. */
export async function put(
  { store, seal }: BackupLocation,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<BackupFile> {
  const small = compress(bytes);
  const hash = new Bun.CryptoHasher('sha256');
  const length = await store.write(name, hashBytes(seal === null ? small : seal.seal(name, small), hash));
  return { bytes: length, digest: hash.digest('hex') };
}

/** Writes the index of a backup, which makes it complete. */
export async function putIndex({ store, seal }: BackupLocation, entry: BackupEntry): Promise<void> {
  const name = indexName(entry);
  const text = yieldOnce(new TextEncoder().encode(`${JSON.stringify(entry, null, 2)}\n`));
  await store.write(name, seal === null ? text : seal.seal(name, text));
}

/**
 * Returns the content of a file. `digest` is the expected digest of the stored bytes, which is verified after the last
 * byte.
 */
export async function* take(
  { store, seal }: BackupLocation,
  name: string,
  digest: string | null = null,
): AsyncGenerator<Uint8Array> {
  const isSealed = name.endsWith(sealedSuffix);
  if (isSealed && seal === null) throw new BackupError(`${name} is encrypted: set BACKUP_PASSPHRASE.`);
  const hash = new Bun.CryptoHasher('sha256');
  try {
    const stored = hashBytes(store.read(name), hash);
    yield* decompress(isSealed && seal !== null ? seal.open(name, stored) : stored);
  } catch (error) {
    throw readError(name, error);
  }
  if (digest !== null && hash.digest('hex') !== digest) {
    throw new BackupError(`${name} does not match its index: it is damaged or belongs to another backup.`);
  }
}

function readError(name: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  if (error instanceof SealError) return new BackupError(`${name}: ${error.message}`, { cause: error });
  if (error instanceof ZstdError) return new BackupError(`${name} is damaged.`, { cause: error });
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  // These are bugs in the program. The system's own errors have a code.
  if (code === null && (error instanceof TypeError || error instanceof RangeError)) throw error;
  if (code === 'ENOENT' || code === 'NoSuchKey') return new BackupError(`${name} is missing.`, { cause: error });
  return new BackupError(code === null ? `${name} is damaged.` : `${name} cannot be read (${code}).`, { cause: error });
}

/**
 * Keeps the newest backups and the WAL that continues them. Also removes unfinished files that are older than the
 * newest backup. A backup that this passphrase does not open is removed once `keep` newer ones exist, so neither a
 * planted backup nor a mistyped passphrase displaces a good one.
 */
export async function prune(location: BackupLocation, keep: number): Promise<number> {
  const { store } = location;
  const { backups } = await listBackups(location);
  const kept = backups.slice(-keep);
  const [oldest, newest] = [kept[0], kept.at(-1)];
  if (oldest === undefined || newest === undefined) return 0;
  const isFull = kept.length === keep;
  const keptIds = new Set(kept.map(({ id }) => id));
  const names = await store.list('base/');
  const complete = new Set(names.filter(isIndex).map(idIn));
  let removed = 0;
  // Removes the index first because the index makes a backup complete.
  for (const name of [...names].sort((one) => (isIndex(one) ? -1 : 1))) {
    const id = idIn(name);
    const isOlder = complete.has(id) ? isFull && id < oldest.id : id < newest.id;
    if (keptIds.has(id) || !isOlder) continue;
    await store.remove(name);
    if (isIndex(name)) removed += 1;
  }
  if (isFull) await pruneWal(store, backups, kept);
  return removed;
}

async function pruneWal(
  store: BackupStore,
  backups: readonly BackupEntry[],
  kept: readonly BackupEntry[],
): Promise<void> {
  const firstNeeded = new Map([...kept].reverse().map(({ set, firstWal }) => [set, firstWal]));
  const sets = new Set(backups.map(({ set }) => set));
  for (const name of await store.list('wal/')) {
    const [, set = '', file = ''] = name.split('/');
    const wal = file.split('.')[0] ?? '';
    const first = firstNeeded.get(set);
    // Keeps the WAL of a data folder that has no backup yet.
    const isOlder = first === undefined ? sets.has(set) : wal.length === walNameLength && wal < first;
    if (isOlder) await store.remove(name);
  }
}

function indexName({ id, sealed }: Pick<BackupEntry, 'id' | 'sealed'>): string {
  return nameOf(`base/${id}.json`, sealed);
}

/** Formats the start time as the beginning of a backup's id, so ids sort by time. */
export function idTime(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}

const walNameLength = 24;
const sealedSuffix = '.sealed';
/** An index is far smaller. The limit prevents a planted file from filling the memory. */
const indexBytesMax = 65_536;

function isIndex(name: string): boolean {
  return (name.endsWith('.json') || name.endsWith(`.json${sealedSuffix}`)) && !name.endsWith(unfinishedSuffix);
}

function idIn(name: string): string {
  return name.slice('base/'.length).split('.')[0] ?? '';
}

function nameOf(name: string, sealed: boolean): string {
  return sealed ? `${name}${sealedSuffix}` : name;
}

async function readIndex({ store, seal }: BackupLocation, name: string): Promise<BackupEntry | IgnoredReason> {
  const stored = await readSmall(store, name);
  if (stored === null) return 'damaged';
  try {
    const bytes = seal === null ? stored : await collectBytes(seal.open(name, yieldOnce(stored)));
    return readEntry(name, JSON.parse(new TextDecoder().decode(bytes)), seal !== null);
  } catch (error) {
    if (error instanceof SealError) return 'unopened';
    if (error instanceof SyntaxError) return 'damaged';
    throw error;
  }
}

function readEntry(name: string, entry: Partial<BackupEntry> | null, sealed: boolean): BackupEntry | IgnoredReason {
  if (entry?.format !== 2) return typeof entry?.format === 'number' ? 'format' : 'damaged';
  const { id, set, startedAt, endedAt, firstWal, lastWal, digest } = entry;
  const isWhole =
    id === idIn(name) &&
    entry.sealed === sealed &&
    (set === null || /^[0-9a-f-]{36}$/.test(set ?? '')) &&
    [startedAt, endedAt].every((time) => !Number.isNaN(Date.parse(time ?? ''))) &&
    [firstWal, lastWal].every((file) => /^[0-9A-F]{24}$/.test(file ?? '')) &&
    /^[0-9a-f]{64}$/.test(digest ?? '');
  return isWhole ? (entry as BackupEntry) : 'damaged';
}

/** Returns null if the file is larger than an index can be. */
async function readSmall(store: BackupStore, name: string): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of store.read(name)) {
    length += piece.length;
    if (length > indexBytesMax) return null;
    pieces.push(piece);
  }
  return joinBytes(pieces);
}

async function collectBytes(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return joinBytes(pieces);
}

async function* hashBytes(bytes: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
