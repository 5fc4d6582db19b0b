import { type Seal, SealError } from '../../base/sealed.ts';
import { compressed, decompressed } from '../../base/zstd.ts';
import { BackupError } from './backup-error.ts';
import type { BaseFacts } from './base.ts';
import { type BackupStore, readSmall, unfinishedSuffix } from './store.ts';

/**
 * What a store holds: `base/ID.json` says what a backup is, and is written when it is complete; `base/ID.tar.zst` is the
 * backup; `wal/SET/NAME.zst` is a file of WAL of the data folder that has that number. Encrypted files end in `.sealed`.
 */
export interface BackupEntry extends BaseFacts {
  readonly format: 1;
  readonly id: string;
  readonly lotbook: string;
  /** The data folder whose archived WAL continues it; null where nothing was archived. */
  readonly set: string | null;
  readonly bytes: number;
  readonly sealed: boolean;
}

export interface Place {
  readonly store: BackupStore;
  /** Null: not encrypted. */
  readonly seal: Seal | null;
}

/** All complete backups, the oldest first. */
export async function listBackups(store: BackupStore): Promise<BackupEntry[]> {
  const names = (await store.list('base/')).filter((name) => name.endsWith('.json'));
  const entries: BackupEntry[] = [];
  for (const name of names) {
    const bytes = await readSmall(store, name);
    if (bytes !== null) entries.push(readEntry(name, bytes));
  }
  return entries;
}

export function baseName(entry: Pick<BackupEntry, 'id' | 'sealed'>): string {
  return nameOf(`base/${entry.id}.tar.zst`, entry.sealed);
}

export function walName(set: string, file: string, sealed: boolean): string {
  return nameOf(`wal/${set}/${file}.zst`, sealed);
}

/** The files of WAL of a set that the store has, by their own names. */
export async function listWal(store: BackupStore, set: string): Promise<Map<string, string>> {
  const prefix = `wal/${set}/`;
  const names = (await store.list(prefix)).filter((name) => !name.endsWith(unfinishedSuffix));
  return new Map(names.map((name) => [(name.slice(prefix.length).split('.zst')[0] ?? '') as string, name]));
}

/** Compresses, encrypts where there is a passphrase, and stores. */
export function put({ store, seal }: Place, name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const small = compressed(bytes);
  return store.write(name, seal === null ? small : seal.seal(name, small));
}

export function take({ store, seal }: Place, name: string): AsyncGenerator<Uint8Array> {
  const stored = store.read(name);
  if (!name.endsWith(sealedSuffix)) return decompressed(stored);
  if (seal === null) throw new BackupError(`${name} is encrypted: set BACKUP_PASSPHRASE.`);
  return decompressed(openedBy(seal, name, stored));
}

async function* openedBy(seal: Seal, name: string, stored: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* seal.open(name, stored);
  } catch (error) {
    throw error instanceof SealError ? new BackupError(`${name}: ${error.message}`) : error;
  }
}

/** Keeps the newest backups, and of the WAL what continues them. What was left unfinished before the newest goes too. */
export async function prune(store: BackupStore, keep: number): Promise<number> {
  const entries = await listBackups(store);
  const kept = entries.slice(-keep);
  const newest = kept.at(-1);
  if (newest === undefined) return 0;
  const keptIds = new Set(kept.map(({ id }) => id));
  let removed = 0;
  const bases = await store.list('base/');
  // What says that a backup is complete goes first.
  for (const name of [...bases].sort((one) => (one.endsWith('.json') ? -1 : 1))) {
    const id = name.slice('base/'.length).split('.')[0] ?? '';
    if (keptIds.has(id) || id > newest.id) continue;
    await store.remove(name);
    if (name.endsWith('.json')) removed += 1;
  }
  const firstNeeded = new Map([...kept].reverse().map(({ set, firstWal }) => [set, firstWal]));
  const known = new Set(entries.map(({ set }) => set));
  for (const name of await store.list('wal/')) {
    const [, set = '', file = ''] = name.split('/');
    const wal = file.split('.')[0] ?? '';
    const first = firstNeeded.get(set);
    // The WAL of a data folder that has no backup yet stays.
    const isOlder = first === undefined ? known.has(set) : wal.length === walNameLength && wal < first;
    if (isOlder) await store.remove(name);
  }
  return removed;
}

export function entryName(id: string): string {
  return `base/${id}.json`;
}

const walNameLength = 24;
const sealedSuffix = '.sealed';

function nameOf(name: string, sealed: boolean): string {
  return sealed ? `${name}${sealedSuffix}` : name;
}

function readEntry(name: string, bytes: Uint8Array): BackupEntry {
  const entry = JSON.parse(new TextDecoder().decode(bytes)) as BackupEntry;
  if (entry.format !== 1) throw new BackupError(`${name} was written by a newer Lotbook.`);
  return entry;
}
