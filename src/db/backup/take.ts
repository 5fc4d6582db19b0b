import { tarOf } from '../../base/tar.ts';
import { baseOf } from './base.ts';
import { type BackupEntry, baseName, idTime, type Place, prune, put, putIndex } from './catalogue.ts';

export interface BackupOrder {
  readonly ownerUrl: string;
  readonly place: Place;
  /** Number of backups to keep. Null keeps all. */
  readonly keep: number | null;
  /** The version of this program. */
  readonly lotbook: string;
  readonly set: string | null;
  readonly now: Date;
}

/**
 * Backs up the embedded PostgreSQL while it is in use. Returns the stored backup, and the number of removed older ones.
 */
export async function takeBackup(order: BackupOrder): Promise<{ entry: BackupEntry; removed: number }> {
  const { place, set, lotbook, now } = order;
  const random = crypto.getRandomValues(new Uint8Array(2)).toHex();
  const id = `${idTime(now)}-${random}`;
  const sealed = place.seal !== null;
  const base = baseOf(order.ownerUrl);
  const stored = await put(place, baseName({ id, sealed }), tarOf(base.entries));
  const entry: BackupEntry = { format: 2, id, lotbook, set, sealed, ...stored, ...base.facts() };
  await putIndex(place, entry);
  return { entry, removed: order.keep === null ? 0 : await prune(place, order.keep) };
}
