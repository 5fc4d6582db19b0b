/** Why an archive is not taken over, for the person who asked. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
