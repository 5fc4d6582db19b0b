import { availableParallelism } from 'node:os';
import { Refusal } from '../../../base/refusal.ts';
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

/**
 * Rejects a new password that attackers would try first: a common leaked password, one made of the account's own words,
 * or a run of characters (NIST SP 800-63B, 3.1.1.2). Accepts anything else. There are no composition rules.
 */
export async function refuseWeakPassword(password: string, email: string): Promise<void> {
  const reason = findWeakness(password.toLowerCase(), email, await commonPasswords());
  if (reason === null) return;
  const detail = `${reason} Use a sentence that only you would write.`;
  throw new Refusal('invalid', detail, { errors: [{ code: 'weak_password', pointer: '/password', detail }] });
}

function findWeakness(password: string, email: string, common: ReadonlySet<string>): string | null {
  if (isRun(password)) return 'Repeated or sequential characters are easy to guess.';
  if (ownWords(email).has(lettersOf(password)))
    return 'A password made of your email address or the name of this service is easy to guess.';
  const isCommon = [password, trimToWord(password)].some((form) => common.has(form));
  return isCommon ? 'This password appears in lists of leaked passwords, so it is easy to guess.' : null;
}

/** Detects runs such as `aaaaaaaa`, `12345678` and `abcabcabc`. */
function isRun(password: string): boolean {
  const characters = [...password];
  if (new Set(characters).size < 4 || /^(.{1,4})\1+$/u.test(password)) return true;
  const steps = new Set(characters.slice(1).map((each, at) => codeOf(each) - codeOf(characters[at] ?? '')));
  return steps.size === 1;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/**
 * Returns the words that someone who knows the account would guess first, compared by letters only. For
 * `ann.fields@example.com`, one guess is `AnnFields2026!`.
 */
function ownWords(email: string): ReadonlySet<string> {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [name = ''] = domain.split('.');
  return new Set([email, local, domain, name, `${local}${name}`, 'lotbook', `lotbook${local}`].map(lettersOf));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
}

/** Removes digits and punctuation around a word: `Password2026!` becomes `password`. */
function trimToWord(password: string): string {
  return password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Loads 49,000 leaked passwords when a user first chooses a password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  );
  return list;
}
