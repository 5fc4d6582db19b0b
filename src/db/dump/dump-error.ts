/** The reason why a dump could not be written or loaded, for the person who ran it. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}
