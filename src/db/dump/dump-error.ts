/** Why there is no dump, or why one is not loaded, for the person who asked. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}
