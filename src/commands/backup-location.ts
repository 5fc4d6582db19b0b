import { sealBy } from '../base/sealed.ts';
import type { Config } from '../config.ts';
import type { BackupLocation } from '../db/backup/catalog.ts';
import { openStore } from '../db/backup/store.ts';

/** Opens a backup store with the passphrase from the environment. */
export function openBackupLocation(
  where: string,
  { s3, backup: { passphrase } }: Pick<Config, 's3' | 'backup'>,
): BackupLocation {
  return { store: openStore(where, s3), seal: passphrase === null ? null : sealBy(passphrase) };
}
