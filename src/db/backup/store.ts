import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BucketLocation, parseBucketLocation } from '../../base/bucket-location.ts';
import type { S3Access } from '../../config.ts';

/** The reason why a backup or a restore failed, for the person who ran it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The location of backups: a folder, or a bucket of an S3-compatible service. */
export interface BackupStore {
  /** Location of the store in messages to the operator. */
  readonly place: string;
  /** Writes a file that appears only when it is complete. Returns its length. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  read(name: string): AsyncIterable<Uint8Array>;
  /** Returns the names with this prefix, sorted. A folder also returns unfinished files. */
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

/** Opens the store at `DIR` or `s3://bucket/prefix`. */
export function openStore(location: string, s3: S3Access | null): BackupStore {
  const inBucket = parseBucketLocation(location);
  if (inBucket !== null) return bucketStore(location, inBucket, s3);
  if (/^\w+:\/\//.test(location)) throw new BackupError(`${location} is neither a folder nor s3://BUCKET/PREFIX.`);
  return folderStore(resolve(location));
}

function folderStore(folder: string): BackupStore {
  const pathOf = (name: string): string => join(folder, ...name.split('/'));
  return {
    place: folder,
    write: async (name, bytes) => {
      const path = pathOf(name);
      const unfinished = `${path}${unfinishedSuffix}`;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const length = await writeThrough(unfinished, bytes);
        renameSync(unfinished, path);
        await synchronize(dirname(path));
        return length;
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw isSystemError(error)
          ? new BackupError(`${path} cannot be written (${error.code}). Check its permissions and free space.`)
          : error;
      }
    },
    read: (name) => Bun.file(pathOf(name)).stream(),
    list: async (prefix) =>
      listFilesUnder(folder)
        .map((path) => relative(folder, path).replaceAll('\\', '/'))
        .filter((name) => name.startsWith(prefix))
        .sort(),
    remove: async (name) => rmSync(pathOf(name), { force: true }),
  };
}

/** The suffix of a file that is being written, or whose writer was killed. */
export const unfinishedSuffix = '.unfinished';

/** Returns when the bytes are on the disk because a backup must survive a power failure. */
async function writeThrough(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'w', 0o600);
  try {
    let length = 0;
    for await (const piece of bytes) {
      await file.writeFile(piece);
      length += piece.length;
    }
    await file.sync();
    return length;
  } finally {
    await file.close();
  }
}

async function synchronize(folder: string): Promise<void> {
  const file = await open(folder, 'r');
  // Some file systems do not support this for folders.
  await file.sync().catch(() => {});
  await file.close();
}

function listFilesUnder(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function bucketStore(
  location: string,
  { bucket, keyOf, nameOf }: BucketLocation,
  access: S3Access | null,
): BackupStore {
  if (access === null) {
    throw new BackupError(`${location} needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
  }
  const client = new Bun.S3Client({ ...access, region: access.region ?? 'us-east-1', bucket });
  const withStoreErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && error.name === 'S3Error') {
        const code = 'code' in error ? String(error.code) : 'no code';
        throw new BackupError(`${location} refuses or does not respond (${code}).`);
      }
      throw error;
    }
  };
  return {
    place: location,
    write: (name, bytes) =>
      withStoreErrors(async () => {
        const writer = client.file(keyOf(name)).writer({ partSize: partBytes, queueSize: 2, retry: 3 });
        let length = 0;
        try {
          for await (const piece of bytes) {
            writer.write(piece);
            length += piece.length;
            await writer.flush();
          }
        } catch (error) {
          // The client cannot abort an upload, so the upload is completed and the partial file is removed.
          await Promise.resolve(writer.end()).catch(() => {});
          await client
            .file(keyOf(name))
            .delete()
            .catch(() => {});
          throw error;
        }
        await writer.end();
        return length;
      }),
    read: (name) => client.file(keyOf(name)).stream(),
    list: (start) =>
      withStoreErrors(async () => {
        const names: string[] = [];
        for (let token: string | undefined; ; ) {
          const page = await client.list({
            prefix: keyOf(start),
            ...(token === undefined ? {} : { continuationToken: token }),
          });
          for (const { key } of page.contents ?? []) names.push(nameOf(key));
          token = page.nextContinuationToken;
          if (page.isTruncated !== true || token === undefined) return names.sort();
        }
      }),
    remove: (name) => withStoreErrors(() => client.file(keyOf(name)).delete()),
  };
}

/** S3 accepts 10,000 parts of at least 5 MiB. With 16 MiB a part, that is 160 GB. */
const partBytes = 16 * 1024 ** 2;

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
