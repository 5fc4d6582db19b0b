import { Refusal } from '../base/refusal.ts';
import { scaleRate, TokenBuckets } from '../base/token-bucket.ts';

/**
 * A caller can send `burst` requests at once, then `perMinute` requests a minute. RATE_LIMIT_FACTOR multiplies both.
 */
interface MinuteRate {
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
  /** Programs that register themselves, by client address. */
  register: { burst: 20, perMinute: 2 },
  /** Requests of programs for tokens, by client address. */
  connect: { burst: 120, perMinute: 60 },
  /** Emails that a user sends to others, by user. */
  mail: { burst: 30, perMinute: 1 },
  /** Event streams opened, by user. */
  stream: { burst: 30, perMinute: 60 },
  /** Requests that start a long computation or create a file, by user. */
  work: { burst: 60, perMinute: 120 },
} as const satisfies Record<string, MinuteRate>;

type RateName = keyof typeof rates;

/** The rate limits of one server. */
export class RateLimits {
  readonly #factor: number;
  readonly #now: () => Date;
  readonly #buckets = new TokenBuckets();

  constructor(factor: number, now: () => Date) {
    this.#factor = factor;
    this.#now = now;
  }

  /** Takes one token from the bucket of `who`. If it is empty, throws an error with the time to wait. */
  take(name: RateName, who: string): void {
    const { burst, perMinute } = rates[name];
    const rate = scaleRate({ burst, perSecond: perMinute / 60 }, this.#factor);
    const retryAfterSeconds = this.#buckets.take(`${name} ${who}`, rate, this.#now().getTime() / 1000);
    if (retryAfterSeconds === 0) return;
    throw new Refusal('rate_limited', 'Too many requests. Wait a moment, then try again.', { retryAfterSeconds });
  }
}

/** Log lines per minute that clients can cause, per network and in total. */
const perMinute = { network: 30, all: 600 } as const;

/** A client that sends many refused requests must not fill the log. */
export class LineBudget {
  readonly #now: () => Date;
  readonly #written = new Map<string, number>();
  #minute = 0;
  #all = 0;
  #leftOut = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Returns null if the budget is used up. Otherwise returns the number of lines omitted since the last one. */
  take(network: string): number | null {
    const minute = Math.floor(this.#now().getTime() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#all = 0;
      this.#written.clear();
    }
    const written = this.#written.get(network) ?? 0;
    if (written >= perMinute.network || this.#all >= perMinute.all) {
      this.#leftOut += 1;
      return null;
    }
    this.#written.set(network, written + 1);
    this.#all += 1;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
