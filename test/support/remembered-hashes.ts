const hash = Bun.password.hash.bind(Bun.password);
const hashes = new Map<string, Promise<string>>();

/**
 * Makes each password of the tests cost one hash in a run instead of one for each user, because a hash takes 30 ms on
 * purpose. The setting stays as the server chose it, and verifying a password is unchanged.
 */
export function rememberHashes(): void {
  Bun.password.hash = (password, setting) => {
    const key = `${password} ${JSON.stringify(setting)}`;
    const known = hashes.get(key) ?? hash(password, setting);
    hashes.set(key, known);
    return known;
  };
}
