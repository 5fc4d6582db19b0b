import { availableParallelism } from 'node:os';
import { openSemaphore } from '../../../base/semaphore.ts';

/**
 * OWASP's argon2id setting. Each hash takes 28 ms and 19 MB, so only a few run at a time and the others wait in a
 * queue.
 */
const setting = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
/**
 * The maximum number of concurrent hashes. More hashes than cores would only compete with each other and slow down
 * other requests.
 */
const hashesAtOnceMax = Math.min(4, Math.max(2, availableParallelism()));
/** Lets networks take turns. A sign-in may wait longer than other work, because a person is waiting for it. */
const hashing = openSemaphore({ placesMax: hashesAtOnceMax, waitingPerKeyMax: 400, waitMilliseconds: 60_000 });

export const passwordLengthMin = 8;
/** Long enough for any passphrase, and short enough to hash. */
export const passwordLengthMax = 200;

/** Hashes a password. Each network or user (`line`) has a separate queue. */
export function hashPassword(password: string, line: string): Promise<string> {
  return hashing(line, () => Bun.password.hash(password, setting));
}

/**
 * Verifies a password. If there is no hash, because the account does not exist or has no password, `matches` is false
 * after the same amount of time. `beforeTurn` runs when the request reaches the front of its queue and may throw, so
 * concurrent guesses are counted one by one.
 */
export function verifyPassword<Turn>(
  password: string,
  hash: string | null,
  line: string,
  beforeTurn: () => Promise<Turn>,
): Promise<{ readonly matches: boolean; readonly turn: Turn }> {
  return hashing(line, async () => {
    const turn = await beforeTurn();
    const matches = await Bun.password.verify(password === '' ? '\0' : password, hash ?? (await decoyHash()));
    return { matches: matches && hash !== null, turn };
  });
}

/**
 * Returns whether the hash used weaker settings than the current ones. If so, the next sign-in rehashes the password.
 */
export function isWeakHash(hash: string): boolean {
  const [, memoryCost = '0', timeCost = '0'] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
  return Number(memoryCost) < setting.memoryCost || Number(timeCost) < setting.timeCost;
}

let decoy: Promise<string> | undefined;

function decoyHash(): Promise<string> {
  decoy ??= Bun.password.hash(crypto.randomUUID(), setting);
  return decoy;
}
