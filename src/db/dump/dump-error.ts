/** Why a dump or its loading failed, for the person who ran it. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}
