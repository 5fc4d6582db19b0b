/** Ids of facts are `transaction/ordinal`; to clients they are one segment of a path, in answers and in files alike. */
export function urlSafe(factId: string): string {
  return factId.replaceAll('/', '~');
}

export function factIdOf(id: string): string {
  return id.replaceAll('~', '/');
}

/** An issue's id names accounts, whatever they are called; in a path it is letters and digits. */
export function issueName(factId: string): string {
  return new TextEncoder().encode(factId).toBase64({ alphabet: 'base64url', omitPadding: true });
}
