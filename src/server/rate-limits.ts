import { Refusal } from '../base/refusal.ts';

/**
 * A caller can send `burst` requests at once, then `perMinute` requests a minute. RATE_LIMIT_FACTOR multiplies both.
 */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

/** Every rate limit of the service. */
const rates = {
  /** Any request, by client address. */
  request: { burst: 5000, perMinute: 6000 },
  /** Registration, sign-in and password reset, by client address. Each request takes 28 ms of CPU time. */
  signIn: { burst: 200, perMinute: 60 },
  /**
   * Requests with an access token, by the user who created the token. All of a user's tokens share one limit, from any
   * address.
   */
  token: { burst: 600, perMinute: 600 },
  /** Emails that a user sends to others, by user. */
  mail: { burst: 30, perMinute: 1 },
  /** Event streams opened, by user. */
  stream: { burst: 30, perMinute: 60 },
  /** Requests that start a long computation or create a file, by user. */
  work: { burst: 60, perMinute: 120 },
} as const satisfies Record<string, Rate>;

export type RateName = keyof typeof rates;

interface Bucket {
  tokens: number;
  at: number;
}

const bucketsMax = 100_000;

/** Token buckets in the memory of one server. They protect against floods and are not exact counts. */
export class RateLimits {
  readonly #factor: number;
  readonly #now: () => Date;
  /** Ordered by last use, the least recently used first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(factor: number, now: () => Date) {
    this.#factor = factor;
    this.#now = now;
  }

  /** Takes one token from the bucket of `who`. If it is empty, throws an error with the time to wait. */
  take(name: RateName, who: string): void {
    const burst = Math.max(1, rates[name].burst * this.#factor);
    const perSecond = (rates[name].perMinute * this.#factor) / 60;
    const now = this.#now().getTime() / 1000;

    const key = `${name} ${who}`;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perSecond);
    bucket.at = now;
    // Deletes the bucket and sets it again, which moves it to the end of the map.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > bucketsMax) this.#forgetOldest();
    if (bucket.tokens < 1) {
      throw new Refusal('rate_limited', 'Too many requests. Wait a moment, then try again.', {
        retryAfterSeconds: Math.ceil((1 - bucket.tokens) / perSecond),
      });
    }
    bucket.tokens -= 1;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
