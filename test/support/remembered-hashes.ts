const { hash, verify } = Bun.password;
const hashes = new Map<string, Promise<string>>();
const matches = new Map<string, Promise<boolean>>();

/**
 * Makes each password of the tests cost one hash in a run instead of one for each user, and each guess at it one
 * verification, because both take 30 ms on purpose. The setting stays as the server chose it.
 */
export function rememberHashes(): void {
  Bun.password.hash = (password, setting) =>
    remember(hashes, `${password} ${JSON.stringify(setting)}`, () => hash(password, setting));
  Bun.password.verify = (password, expected, ...setting) =>
    remember(matches, `${expected} ${password}`, () => verify(password, expected, ...setting));
}

/** Verifies every password while a test runs that is about the time it takes. */
export async function withoutMemory<T>(work: () => Promise<T>): Promise<T> {
  Bun.password.verify = verify;
  try {
    return await work();
  } finally {
    rememberHashes();
  }
}

function remember<T>(known: Map<string, Promise<T>>, key: string, compute: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? compute();
  known.set(key, found);
  return found;
}
