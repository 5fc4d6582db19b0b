import { sha256 } from '@oslojs/crypto/sha2';
import { encodeHexLowerCase } from '@oslojs/encoding';
import { Refusal } from '../../../base/refusal.ts';
import { type Rate, scaleRate, secondsUntilToken } from '../../../base/token-bucket.ts';
import type { Deps } from '../../../deps.ts';
import { listNetworks } from '../../../http/address.ts';
import { withoutAudit } from '../../../http/audit/audited-request.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import { postLetter } from '../mail/delivery.ts';
import { manyGuesses } from '../mail/templates.ts';
import { readOwnBooks } from '../notifications.queries.ts';
import { notify } from '../notifications.ts';
import type { KnownDevice } from './devices.queries.ts';
import { type AttemptLocation, guessesMax, paceMinutes } from './guess-ceiling.ts';
import { addGuess, type CountedBucket, deleteGuesses, readLevels, takeEpisode } from './guesses.queries.ts';

/** A rate limit: `burst` wrong guesses, then `perHour`. RATE_LIMIT_FACTOR multiplies both. */
interface GuessRate {
  readonly burst: number;
  readonly perHour: number;
}

const rates = {
  /** One network and all accounts. Prevents an attacker from trying one password on many accounts. */
  network: { burst: 30, perHour: 30 },
  /** One network and one account. */
  pair: { burst: 10, perHour: 20 },
  /** All networks and one account. Rejects nothing itself, but lowers the limit for each network. */
  account: { burst: 50, perHour: 10 },
  /** A browser that the user has signed in from. Guesses from other browsers do not count against it. */
  device: { burst: 10, perHour: 60 },
  /** A signed-in user who must enter the password again. */
  session: { burst: 10, perHour: 60 },
  /** Accounts created from one network. */
  register: { burst: 200, perHour: 200 },
  /** Password links requested from one network, for any account. */
  resetNetwork: { burst: 30, perHour: 30 },
  /** Links emailed to one account. Rejects nothing: further emails are silently skipped. */
  mailed: { burst: 5, perHour: 5 },
  /** Second-factor codes entered after the right password. */
  code: { burst: 10, perHour: 10 },
} as const satisfies Record<string, GuessRate>;

/** The burst for a network if other networks are attacking the same account. */
const burstUnderAttack = 3;
/** How long a level is stored. No level takes longer to drain. */
const keptHours = 24;

type BucketKind = keyof typeof rates;

interface RatedBucket {
  readonly kind: BucketKind;
  readonly who: string;
  /** Multiplies the rate of the kind. */
  readonly times: number;
}

/** The buckets in which a wrong guess is counted. A full bucket rejects the next guess. */
interface Guesser {
  readonly buckets: readonly RatedBucket[];
}

/**
 * Returns the buckets for a sign-in. A known browser has a separate count, so its owner can sign in no matter how much
 * others guess.
 */
export function signInGuesser(who: {
  readonly email: string;
  readonly address: string;
  /** Null if the browser is unknown. */
  readonly device: KnownDevice | null;
}): Guesser {
  if (who.device !== null) return { buckets: [bucket('device', `${who.device.secretHash.toHex()} ${who.email}`)] };
  return {
    buckets: [
      ...networkBuckets('network', who.address),
      ...networkBuckets('pair', who.address, who.email),
      bucket('account', who.email),
    ],
  };
}

/**
 * Returns the buckets for links, passkeys, and registrations with a taken address. Counts every attempt from a network,
 * regardless of the account.
 */
export function networkGuesser(address: string): Guesser {
  return { buckets: networkBuckets('network', address) };
}

/** Returns the buckets for new accounts. Every new account is counted. */
export function registrationsFrom(address: string): Guesser {
  return { buckets: networkBuckets('register', address) };
}

export function resetsFrom(address: string): Guesser {
  return { buckets: networkBuckets('resetNetwork', address) };
}

/**
 * Returns the bucket for emails of one kind to one account. A known browser has a separate count, so other people's
 * requests cannot block the owner's emails.
 */
export function mailsTo(userId: string, what: 'reset' | 'verify' | 'change', device: string | null): Guesser {
  return { buckets: [bucket('mailed', `${what} ${userId} ${device ?? ''}`)] };
}

export function sessionGuesser(sessionId: string): Guesser {
  return { buckets: [bucket('session', sessionId)] };
}

/**
 * Returns the bucket for second-factor codes. In a session, a code counts against the session, like the password. A
 * browser known only through a link has not passed the second factor yet, so its codes count against the user.
 * Otherwise, an intruder in the mailbox could request more links to get more attempts.
 */
export function codeGuesser(userId: string, location: AttemptLocation): Guesser {
  if (location.kind === 'session') return sessionGuesser(location.id);
  if (location.device?.hasSignedIn !== true) return { buckets: [bucket('code', userId)] };
  return { buckets: [bucket('device', `${location.device.secretHash.toHex()} code ${userId}`)] };
}

function bucket(kind: BucketKind, who: string): RatedBucket {
  return { kind, who, times: 1 };
}

/**
 * Returns one bucket for each network that contains the address, up to the /48. The rate doubles with each larger
 * network, because neighbors share a /56 or a /48.
 */
function networkBuckets(kind: BucketKind, address: string, email?: string): RatedBucket[] {
  return listNetworks(address).map((network, index) => ({
    kind,
    who: email === undefined ? network : `${network} ${email}`,
    times: 2 ** index,
  }));
}

/** Throws an error after too many wrong guesses. The response contains the waiting time. */
export async function refuseGuess(deps: Deps, { buckets }: Guesser): Promise<void> {
  const counted = toCountedBuckets(deps, buckets);
  const levels = await deps.database.asService((sql) => readLevels(sql, counted));
  const accountLevel = levels[buckets.findIndex(({ kind }) => kind === 'account')] ?? 0;
  const isAttacked = accountLevel >= rateOf(deps, 'account').burst;
  for (const [index, { kind, times }] of buckets.entries()) {
    if (kind === 'account') continue;
    const burst = kind === 'pair' && isAttacked ? burstUnderAttack : rates[kind].burst;
    const retryAfterSeconds = secondsUntilToken(levels[index] ?? 0, rateOf(deps, kind, times, burst));
    if (retryAfterSeconds > 0) throw new Refusal('rate_limited', describeLimit(kind), { retryAfterSeconds });
  }
}

/** Counts an attempt before it is made, whether it succeeds or not. Throws an error after too many attempts. */
export async function countTry(deps: Deps, guesser: Guesser): Promise<void> {
  await refuseGuess(deps, guesser);
  await countGuess(deps, guesser);
}

/** Counts an attempt. Returns false instead of throwing if there were too many. */
export async function isWithin(deps: Deps, guesser: Guesser): Promise<boolean> {
  try {
    await countTry(deps, guesser);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_limited') return false;
    throw error;
  }
}

export async function countGuess(deps: Deps, { buckets }: Guesser): Promise<void> {
  await withoutAudit(() => deps.database.asService((sql) => addGuess(sql, toCountedBuckets(deps, buckets), keptHours)));
}

/**
 * Resets the counts after a correct secret. Keeps the network counts, because otherwise an attacker could reset them by
 * signing in to an account of their own.
 */
export async function forgetGuesses(deps: Deps, { buckets }: Guesser): Promise<void> {
  const ownBuckets = buckets.filter(({ kind }) => kind !== 'network' && kind !== 'account');
  await withoutAudit(() => deps.database.asService((sql) => deleteGuesses(sql, toCountedBuckets(deps, ownBuckets))));
}

function describeLimit(kind: BucketKind): string {
  if (kind === 'register') return 'Too many accounts were created from this address. Try again later.';
  if (kind === 'resetNetwork' || kind === 'mailed') return 'Too many emails were requested. Try again later.';
  return 'Too many wrong attempts. Try again later, or reset your password by email.';
}

function toCountedBuckets(deps: Deps, buckets: Guesser['buckets']): CountedBucket[] {
  return buckets.map(({ kind, who, times }) => ({
    bucket: encodeHexLowerCase(sha256(new TextEncoder().encode(`${kind} ${who}`))),
    perSecond: rateOf(deps, kind, times).perSecond,
  }));
}

function rateOf({ config }: Deps, kind: BucketKind, times = 1, burst: number = rates[kind].burst): Rate {
  return scaleRate({ burst: burst * times, perSecond: (rates[kind].perHour * times) / 3600 }, config.rateLimitFactor);
}

/**
 * Notifies the owner that consecutive failures have reached the limit. Sends a notification and an email, and adds an
 * audit entry, once until the next sign-in. If the server stops before the commit, the next failure triggers it again.
 */
export async function reportEpisode(deps: Deps, userId: string, email: string | null): Promise<void> {
  const failures = await deps.database.asService(async (sql) => {
    const episode = await takeEpisode(sql, userId, guessesMax);
    if (episode === undefined) return undefined;
    const entry = { subject: null, actor: 'anyone', address: null, requestId: null } as const;
    await insertEntryOfUser(sql, userId, { action: 'sign_in_guesses_noticed', ...entry });
    const count = episode.passwords + episode.codes;
    const consequence = describeConsequence(deps);
    const books = await readOwnBooks(sql, userId);
    if (books !== undefined) {
      await notify(sql, books, {
        kind: 'sign_in_guesses',
        title: `${count} wrong passwords or codes in a row were entered for your account`,
        body: `None of these attempts signed in. ${consequence} If you use the same password elsewhere, set a new one.`,
        link: '/v1/account/audit?action=sign_in_failed',
        at: deps.clock.now(),
      });
    }
    const guessed = { failures: count, since: episode.startedAt, consequence };
    if (email !== null) await postLetter(deps, sql, email, manyGuesses(deps.config.baseUrl, guessed));
    return count;
  });
  if (failures !== undefined) deps.log.warn('many failures in a row at an account', { userId, failures });
}

function describeConsequence({ config }: Deps): string {
  const usual =
    'Browsers that you have used before and passkeys work as always. So do Google and GitHub, unless more than 100 codes were wrong.';
  return config.mail === null
    ? `A browser that you have not used before can now try only once every ${paceMinutes} minutes. ${usual}`
    : `A browser that you have not used before now needs a link, which we email after the right password. ${usual}`;
}
