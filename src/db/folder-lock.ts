import { Database } from 'bun:sqlite';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError, giveToOwnerOfFolder } from './unprivileged-runner.ts';

export interface FolderLock {
  release(): void;
}

/**
 * Locks a folder for one process. Returns null if another process holds the lock. SQLite is used only for its file
 * lock, which the operating system releases when the process dies. A file with a process id would still look valid if
 * another process had that id after a reboot.
 */
export function takeFolderLock(folder: string): FolderLock | null {
  const lockFile = join(folder, 'lotbook.lock');
  const held = openExclusively(lockFile);
  if (held === null) return null;
  const nameFile = join(folder, 'lotbook.pid');
  try {
    writeFileSync(nameFile, `${process.pid}\n`);
    for (const file of [lockFile, nameFile]) giveToOwnerOfFolder(file);
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    release: () => {
      rmSync(nameFile, { force: true });
      held.close();
    },
  };
}

/** Returns the holder of the lock, for messages. */
export function lockHolder(folder: string): string {
  try {
    return `process ${readFileSync(join(folder, 'lotbook.pid'), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

function openExclusively(path: string, isMended = false): Database | null {
  let file: Database | undefined;
  try {
    file = new Database(path);
    file.run('pragma journal_mode = memory');
    file.run('begin exclusive');
    return file;
  } catch (error) {
    file?.close();
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'SQLITE_BUSY') return null;
    // SQLite takes the lock before it reads, so a file that it reports as damaged is not locked. The file has no
    // content of ours. Emptying it keeps the file itself, which another process may be about to lock.
    if (!isMended && (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')) {
      truncateSync(path);
      return openExclusively(path, true);
    }
    throw new EmbeddedError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
