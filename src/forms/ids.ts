/**
 * Replaces `/` with `~` in a fact's id (`transaction/ordinal`), so that responses and files can use it as one path
 * segment.
 */
export function urlSafe(factId: string): string {
  return factId.replaceAll('/', '~');
}

export function toFactId(id: string): string {
  return id.replaceAll('~', '/');
}

/**
 * Encodes an issue's id as base64url for use in a path, because it contains account names, which may contain any
 * character.
 */
export function issueName(factId: string): string {
  return new TextEncoder().encode(factId).toBase64({ alphabet: 'base64url', omitPadding: true });
}
