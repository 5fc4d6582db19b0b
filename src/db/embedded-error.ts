/** The reason why the embedded PostgreSQL cannot run here, for the person who started the program. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}
