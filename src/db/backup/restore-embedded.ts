import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { markDatabase } from '../database-marker.ts';
import { lockData, serverFiles, socketFolderIn } from '../embedded.ts';
import { BackupError } from './backup-error.ts';
import { type Restored, type RestoreOrder, restoreCluster } from './restore.ts';
import { shipWal, walFolderIn } from './wal.ts';

/** Fills a data folder that has no database from a backup. Nothing runs on it afterwards. */
export async function restoreEmbedded(dataDir: string, order: RestoreOrder): Promise<Restored> {
  const { folder, lock } = await lockData(dataDir);
  try {
    const files = await serverFiles(folder);
    if (existsSync(files.cluster)) {
      throw new BackupError(
        `${folder} has a database. Restoring never overwrites one: move ${files.cluster} away, or set DATA_DIR to another folder.`,
      );
    }
    const socketFolder = socketFolderIn(folder);
    try {
      // What the lost database archived last may still lie here.
      if (existsSync(walFolderIn(folder))) await shipWal(folder, order.place);
      return await restoreCluster({ ...files, socketFolder }, order, () => {
        markDatabase(folder);
        // What comes after belongs to another history than what another database of this folder archived.
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
