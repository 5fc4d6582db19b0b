import { tarOf } from '../../base/tar.ts';
import { baseOf } from './base.ts';
import { type BackupEntry, baseName, entryName, type Place, prune, put } from './catalogue.ts';

export interface BackupOrder {
  readonly ownerUrl: string;
  readonly place: Place;
  /** So many backups stay. Null: all. */
  readonly keep: number | null;
  /** The version of this program. */
  readonly lotbook: string;
  readonly set: string | null;
  readonly now: Date;
}

/** Backs up the embedded PostgreSQL while it is used. Returns what was stored, and how many older ones were removed. */
export async function takeBackup(order: BackupOrder): Promise<{ entry: BackupEntry; removed: number }> {
  const { place, set, lotbook, now } = order;
  const random = crypto.getRandomValues(new Uint8Array(2)).toHex();
  const id = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${random}`;
  const sealed = place.seal !== null;
  const base = baseOf(order.ownerUrl);
  const bytes = await put(place, baseName({ id, sealed }), tarOf(base.entries));
  const entry: BackupEntry = { format: 1, id, lotbook, set, sealed, bytes, ...base.facts() };
  const text = new TextEncoder().encode(`${JSON.stringify(entry, null, 2)}\n`);
  await place.store.write(entryName(id), oneOf(text));
  return { entry, removed: order.keep === null ? 0 : await prune(place.store, order.keep) };
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
