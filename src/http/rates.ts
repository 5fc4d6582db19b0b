import { Refusal } from '../base/refusal.ts';
import type { Deps } from '../deps.ts';

/** So many at once, and so many a minute afterwards; both times RATE_LIMIT_FACTOR. */
export interface Rate {
  readonly name: string;
  readonly burst: number;
  readonly perMinute: number;
}

/** Every rate limit of the service. They count in each server's memory: a guard against floods, no bookkeeping. */
export const rates = {
  /** Anything, by client address. */
  request: { name: 'request', burst: 5000, perMinute: 6000 },
  /** Register, sign in, change of password, by client address: each costs 28 ms of a core. */
  signIn: { name: 'signIn', burst: 200, perMinute: 60 },
  /** Tries at one e-mail address, whoever makes them. */
  account: { name: 'account', burst: 20, perMinute: 10 },
  /** Event streams opened, by user. */
  stream: { name: 'stream', burst: 30, perMinute: 60 },
  /** Whatever starts a long computation or a file, by user. */
  work: { name: 'work', burst: 60, perMinute: 120 },
} as const satisfies Record<string, Rate>;

interface Bucket {
  tokens: number;
  at: number;
}

const bucketsMax = 100_000;
const memory = new WeakMap<Deps, Map<string, Bucket>>();

/** Takes one token of `who`, or refuses with the time until there is one again. */
export function takeToken(deps: Deps, rate: Rate, who: string): void {
  const factor = deps.config.rateLimitFactor;
  const burst = Math.max(1, rate.burst * factor);
  const perSecond = (rate.perMinute * factor) / 60;
  const now = deps.clock.now().getTime() / 1000;
  const buckets = memory.get(deps) ?? new Map<string, Bucket>();
  memory.set(deps, buckets);

  const key = `${rate.name} ${who}`;
  const bucket = buckets.get(key) ?? { tokens: burst, at: now };
  bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perSecond);
  bucket.at = now;
  // Set again, so that the map's order is the order of use and the longest unused is the first to be forgotten.
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > bucketsMax) forgetOldest(buckets);
  if (bucket.tokens < 1) {
    throw new Refusal('rate_limited', 'Too many requests. Wait a little.', {
      retryAfterSeconds: Math.ceil((1 - bucket.tokens) / perSecond),
    });
  }
  bucket.tokens -= 1;
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}
