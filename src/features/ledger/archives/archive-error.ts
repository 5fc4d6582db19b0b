/** Explains to the user why an archive cannot be imported. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export function invalidArchive(fault: string): ArchiveError {
  return new ArchiveError(`The archive is not valid: ${fault}.`);
}
