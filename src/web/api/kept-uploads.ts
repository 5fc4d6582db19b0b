import { now } from '../format/dates.ts';

/** Remembers this tab's uploads across a reload. For another user, it forgets them and the answers about columns. */
const name = 'uploads';
const draftPrefix = 'draft:mapping ';

/** Returns null if there are none. Without an owner, it only forgets them. */
export function recallUploads<Uploads>(owner: string | null): Uploads | null {
  const kept: { owner: string; uploads: Uploads } | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
  if (kept === null || kept.owner === owner) return kept?.uploads ?? null;
  for (const key of Object.keys(sessionStorage)) {
    if (key === name || key.startsWith(draftPrefix)) sessionStorage.removeItem(key);
  }
  return null;
}

/** Remembers the uploads, or only their `short` form if the browser has too little space. */
export function keepUploads(owner: string, uploads: object, short: object): void {
  try {
    sessionStorage.setItem(name, JSON.stringify({ owner, uploads }));
  } catch {
    sessionStorage.setItem(name, JSON.stringify({ owner, uploads: short }));
  }
}

/** Keeps the files of uploads in IndexedDB across a reload. A file that cannot be kept must be selected again. */
interface BrowserFile {
  readonly id: string;
  /** The user who chose the file. */
  readonly owner: string;
  readonly file: File;
  readonly keptAt: number;
}

const bytesMax = 200 * 1024 ** 2;
const keptMilliseconds = 24 * 60 * 60 * 1000;

export async function keepFile(owner: string, id: string, file: File): Promise<void> {
  const kept = await listFiles(owner);
  const bytes = kept.reduce((sum, one) => sum + one.file.size, file.size);
  if (bytes <= bytesMax) await inStore((files) => files.put({ id, owner, file, keptAt: now() } satisfies BrowserFile));
}

/** Returns the files of this user by their ids. Deletes files of other users, and those that are a day old. */
export async function recallFiles(owner: string): Promise<ReadonlyMap<string, File>> {
  return new Map((await listFiles(owner)).map(({ id, file }) => [id, file]));
}

export async function forgetFile(id: string): Promise<void> {
  await inStore((files) => files.delete(id));
}

export async function forgetFiles(): Promise<void> {
  await inStore((files) => files.clear());
}

async function listFiles(owner: string): Promise<readonly BrowserFile[]> {
  const all: readonly BrowserFile[] = (await inStore((files) => files.getAll())) ?? [];
  const oldest = now() - keptMilliseconds;
  const isKept = (one: BrowserFile): boolean => one.owner === owner && one.keptAt > oldest;
  for (const { id } of all.filter((one) => !isKept(one))) await forgetFile(id);
  return all.filter(isKept);
}

/** Returns undefined if the browser has no storage left, or refuses it in a private window. */
async function inStore<Result>(act: (files: IDBObjectStore) => IDBRequest<Result>): Promise<Result | undefined> {
  try {
    const opening = indexedDB.open('uploads', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('files', { keyPath: 'id' });
    const database = await resultOf(opening);
    try {
      return await resultOf(act(database.transaction('files', 'readwrite').objectStore('files')));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
