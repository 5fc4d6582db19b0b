import { Refusal } from '../../../base/refusal.ts';

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
