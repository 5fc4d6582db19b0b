/** Explains to the user why an archive cannot be imported. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
