/** The id of a fact is `transaction/ordinal`. Responses and files write `~` for `/`, so that it is one path segment. */
export function urlSafe(factId: string): string {
  return factId.replaceAll('/', '~');
}

export function toFactId(id: string): string {
  return id.replaceAll('~', '/');
}

/** An issue's id contains account names, which may have any characters. In a path it is base64url. */
export function issueName(factId: string): string {
  return new TextEncoder().encode(factId).toBase64({ alphabet: 'base64url', omitPadding: true });
}
