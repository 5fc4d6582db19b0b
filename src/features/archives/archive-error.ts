/** The reason why an archive cannot be imported, for the person who asked. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
