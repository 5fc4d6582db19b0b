/** A caller has `burst` tokens at once, and gets `perSecond` new ones. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Returns the rate after RATE_LIMIT_FACTOR. A factor never forbids the first attempt. */
export function scaleRate({ burst, perSecond }: Rate, factor: number): Rate {
  return { burst: Math.max(1, burst * factor), perSecond: perSecond * factor };
}

/** Returns the seconds until the next token, or 0 if there is one. `taken` is the number of tokens not yet replaced. */
export function secondsUntilToken(taken: number, { burst, perSecond }: Rate): number {
  return Math.max(0, Math.ceil((taken + 1 - burst) / perSecond));
}

interface Bucket {
  taken: number;
  at: number;
}

const bucketsMax = 100_000;

/**
 * Token buckets in the memory of one server. They protect against floods and are not exact counts. PostgreSQL stores
 * those of wrong guesses (`guesses.queries.ts`), which all servers share.
 */
export class TokenBuckets {
  /** Ordered by last use, the least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  /** Takes a token and returns 0. If there is none, returns the seconds until the next one. */
  take(key: string, rate: Rate, now: number): number {
    const bucket = this.#buckets.get(key) ?? { taken: 0, at: now };
    bucket.taken = Math.max(0, bucket.taken - Math.max(0, now - bucket.at) * rate.perSecond);
    bucket.at = now;
    // Deletes the bucket and sets it again, which moves it to the end of the map.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest = ''] = this.#buckets.keys();
    if (this.#buckets.size > bucketsMax) this.#buckets.delete(oldest);
    const wait = secondsUntilToken(bucket.taken, rate);
    if (wait === 0) bucket.taken += 1;
    return wait;
  }
}
