/** Why there is no backup or nothing is restored, for the person who asked. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
