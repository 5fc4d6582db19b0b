/** The longest address that a program can register. */
export const redirectLengthMax = 500;

/** The scheme, the host and the port of an address on the user's own computer. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Returns whether a program may receive codes at this address: HTTPS, or HTTP on the user's own computer (OAuth 2.1,
 * section 2.3.1). A fragment, a user name and characters that a URL would change are refused.
 */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > redirectLengthMax || !/^[\x21-\x7e]+$/.test(uri) || /[#\\]/.test(uri) || !URL.canParse(uri))
    return false;
  const { protocol, username, password } = new URL(uri);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' ? uri.startsWith('https://') : loopback.test(uri);
}

/**
 * Returns whether the address is one of the registered ones. Compares the exact text. Only the port of an address on
 * the user's own computer may differ, because programs there listen on any free port (RFC 8252, section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], uri: string): boolean {
  return registered.some((each) => each === uri || (isLoopback(uri) && withoutPort(each) === withoutPort(uri)));
}

export function isLoopback(uri: string): boolean {
  return loopback.test(uri);
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, '$1');
}

/** Adds the parameters of a response to the program's address. */
export function buildRedirect(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
