import { sha256 } from '@oslojs/crypto/sha2';
import { encodeHexLowerCase } from '@oslojs/encoding';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { networksOf } from '../../../http/address.ts';
import { aside } from '../../../http/audit/audited-request.ts';
import type { KnownDevice } from '../devices/queries.ts';
import type { TryPlace } from './ceiling.ts';
import { addGuess, type CountedBucket, deleteGuesses, readLevels } from './queries.ts';

/** So many wrong guesses at once, and so many an hour afterwards. RATE_LIMIT_FACTOR multiplies both. */
interface GuessRate {
  readonly burst: number;
  readonly perHour: number;
}

const rates = {
  /** From one network, at whatever accounts: nobody sprays one password over many. */
  network: { burst: 30, perHour: 30 },
  /** From one network at one account. */
  pair: { burst: 10, perHour: 20 },
  /** From everywhere at one account. It refuses nobody, but leaves each network fewer guesses. */
  account: { burst: 50, perHour: 10 },
  /** In a browser in which the user signed in before. What others guess does not count in it. */
  device: { burst: 10, perHour: 60 },
  /** Of somebody who is signed in and is asked for the password once more. */
  session: { burst: 10, perHour: 60 },
  /** Accounts made from one network. */
  register: { burst: 200, perHour: 200 },
  /** Links to set a new password that one network asks for, for whatever accounts. */
  resetNetwork: { burst: 30, perHour: 30 },
  /** Mails of links to one account. It refuses nobody: no further one is sent. */
  mailed: { burst: 5, perHour: 5 },
  /** Codes of the second factor, by somebody who knows the password. */
  code: { burst: 10, perHour: 10 },
} as const satisfies Record<string, GuessRate>;

/** Of a network at an account that others guess at too. */
const burstUnderAttack = 3;
/** Longer than any level takes to sink. */
const keptHours = 24;

type BucketKind = keyof typeof rates;

interface RatedBucket {
  readonly kind: BucketKind;
  readonly who: string;
  /** Times the rate of its kind. */
  readonly times: number;
}

/** Where a wrong guess counts, and what refuses the next. */
export interface Guesser {
  readonly buckets: readonly RatedBucket[];
}

/** A sign-in. A known device counts by itself: whatever others guess, its owner gets in. */
export function signInGuesser(who: {
  readonly email: string;
  readonly address: string;
  /** Null if the account does not know the browser. */
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

/** Of links, passkeys and addresses that are taken: what one network tries counts, whomever it is about. */
export function networkGuesser(address: string): Guesser {
  return { buckets: networkBuckets('network', address) };
}

/** Each account counts, and each request for a link does, right or wrong. */
export function registrationsFrom(address: string): Guesser {
  return { buckets: networkBuckets('register', address) };
}

export function resetsFrom(address: string): Guesser {
  return { buckets: networkBuckets('resetNetwork', address) };
}

/** Of the same kind, to one account. A known browser stands for itself: what others ask for keeps no mail from its owner. */
export function mailsTo(userId: string, what: 'reset' | 'verify' | 'change', device: string | null): Guesser {
  return { buckets: [bucket('mailed', `${what} ${userId} ${device ?? ''}`)] };
}

export function sessionGuesser(sessionId: string): Guesser {
  return { buckets: [bucket('session', sessionId)] };
}

/**
 * In a session it counts against the session, as the password does. A browser that only a link made known has shown no second
 * factor yet: whoever reads the mails of the account gets no new codes to try by asking for links.
 */
export function codeGuesser(userId: string, place: TryPlace): Guesser {
  if (place.kind === 'session') return sessionGuesser(place.id);
  if (place.device?.hasSignedIn !== true) return { buckets: [bucket('code', userId)] };
  return { buckets: [bucket('device', `${place.device.secretHash.toHex()} code ${userId}`)] };
}

function bucket(kind: BucketKind, who: string): RatedBucket {
  return { kind, who, times: 1 };
}

/** One for each network of the address, up to the /48. The rate doubles with each: neighbors share a /56 or a /48. */
function networkBuckets(kind: BucketKind, address: string, email?: string): RatedBucket[] {
  return networksOf(address).map((network, index) => ({
    kind,
    who: email === undefined ? network : `${network} ${email}`,
    times: 2 ** index,
  }));
}

/** Refuses a guess where there were too many wrong ones, and says how long to wait. */
export async function refuseGuess(deps: Deps, { buckets }: Guesser): Promise<void> {
  const counted = countedOf(deps, buckets);
  const levels = await deps.database.asService((sql) => readLevels(sql, counted));
  const accountLevel = levels[buckets.findIndex(({ kind }) => kind === 'account')] ?? 0;
  const isAttacked = accountLevel >= burstOf(deps, rates.account.burst);
  for (const [index, { kind, times }] of buckets.entries()) {
    if (kind === 'account') continue;
    const burst = burstOf(deps, times * (kind === 'pair' && isAttacked ? burstUnderAttack : rates[kind].burst));
    const over = (levels[index] ?? 0) + 1 - burst;
    if (over <= 0) continue;
    throw new Refusal('rate_limited', detailOf(kind), {
      retryAfterSeconds: Math.ceil(over / (counted[index]?.perSecond ?? 1)),
    });
  }
}

/** Counts a try that is about to be made, right or wrong; refuses it where there were too many. */
export async function countTry(deps: Deps, guesser: Guesser): Promise<void> {
  await refuseGuess(deps, guesser);
  await countGuess(deps, guesser);
}

/** Counts it, and says whether there is room for it, where nobody may be refused. */
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
  await aside(() => deps.database.asService((sql) => addGuess(sql, countedOf(deps, buckets), keptHours)));
}

/** After the right answer. What counts by network stays: an account of one's own clears no guesses at others. */
export async function forgetGuesses(deps: Deps, { buckets }: Guesser): Promise<void> {
  const own = buckets.filter(({ kind }) => kind !== 'network' && kind !== 'account');
  await aside(() => deps.database.asService((sql) => deleteGuesses(sql, countedOf(deps, own))));
}

function detailOf(kind: BucketKind): string {
  if (kind === 'register') return 'Too many accounts were made from this address. Wait a little.';
  if (kind === 'resetNetwork' || kind === 'mailed') return 'Too many mails were asked for. Wait a little.';
  return 'Too many wrong guesses. Wait a little, or set a new password by mail.';
}

function countedOf(deps: Deps, buckets: Guesser['buckets']): CountedBucket[] {
  return buckets.map(({ kind, who, times }) => ({
    bucket: encodeHexLowerCase(sha256(new TextEncoder().encode(`${kind} ${who}`))),
    perSecond: (rates[kind].perHour * times * deps.config.rateLimitFactor) / 3600,
  }));
}

function burstOf({ config }: Deps, burst: number): number {
  return Math.max(1, burst * config.rateLimitFactor);
}
