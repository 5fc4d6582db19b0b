import { writeTar } from '../../base/tar.ts';
import { createBase } from './base.ts';
import { type BackupEntry, type BackupLocation, baseName, idTime, prune, put, putIndex } from './catalog.ts';

interface BackupRequest {
  readonly ownerUrl: string;
  readonly place: BackupLocation;
  /** Number of backups to keep. Null keeps all. */
  readonly keep: number | null;
  /** The version of this program. */
  readonly lotbook: string;
  readonly set: string | null;
  readonly now: Date;
}

/**
 * Backs up the embedded PostgreSQL while it is in use. Returns the stored backup and the number of older backups
 * removed.
 */
export async function takeBackup(request: BackupRequest): Promise<{ entry: BackupEntry; removed: number }> {
  const { place, set, lotbook, now } = request;
  const random = crypto.getRandomValues(new Uint8Array(2)).toHex();
  const id = `${idTime(now)}-${random}`;
  const sealed = place.seal !== null;
  const base = createBase(request.ownerUrl);
  const stored = await put(place, baseName({ id, sealed }), writeTar(base.entries));
  const entry: BackupEntry = { format: 2, id, lotbook, set, sealed, ...stored, ...base.facts() };
  await putIndex(place, entry);
  return { entry, removed: request.keep === null ? 0 : await prune(place, request.keep) };
}
