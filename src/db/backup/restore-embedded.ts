import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { markDatabase } from '../database-marker.ts';
import { chooseSocketFolder, lockData, serverFiles } from '../embedded.ts';
import { BackupError } from './backup-error.ts';
import { type RestoredBackup, type RestoreRequest, restoreCluster } from './restore.ts';
import { shipWal, walFolderIn } from './wal.ts';

/** Restores a backup into a data folder without a database. Leaves no server running on it. */
export async function restoreEmbedded(dataDir: string, request: RestoreRequest): Promise<RestoredBackup> {
  const { folder, lock } = await lockData(dataDir);
  try {
    const files = await serverFiles(folder);
    if (existsSync(files.cluster)) {
      throw new BackupError(
        `${folder} has a database. Restoring never overwrites one: move ${files.cluster} away, or set DATA_DIR to a different folder.`,
      );
    }
    const socketFolder = chooseSocketFolder(folder);
    try {
      // The folder may still contain WAL that the lost database archived last.
      if (existsSync(walFolderIn(folder))) await shipWal(folder, request.place);
      return await restoreCluster({ ...files, socketFolder }, request, () => {
        markDatabase(folder);
        // Later WAL belongs to a different history than files archived by another database in this folder.
        rmSync(join(folder, 'wal-set'), { force: true });
        rmSync(walFolderIn(folder), { recursive: true, force: true });
      });
    } finally {
      if (!socketFolder.startsWith(folder)) rmSync(socketFolder, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}
