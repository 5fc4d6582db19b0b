/** The reason why a backup or a restore failed, for the person who ran it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
