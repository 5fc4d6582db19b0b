import type { Day } from '../../../base/day.ts';
import type { GivenPrice } from '../queries.ts';
import type { PricedKind, PriceSource } from '../sources.ts';

/** A service that is asked for the prices of one thing over some days. */
export interface PriceProvider {
  /** The name of the source in the books. */
  readonly source: Exclude<PriceSource, 'own' | 'ecb'>;
  readonly kind: PricedKind;
  readonly host: string;
  /** What leaves the machine with a request. */
  readonly sends: string;
  /** The most days of one request. */
  readonly daysMax: number;
  /** The least time from one request to the next. */
  readonly pauseMilliseconds: number;
  /** What is known of these days; nothing of a thing that it does not know. */
  read(asset: string, days: AskedDays, signal: AbortSignal): Promise<GivenPrice[]>;
}

export interface AskedDays {
  readonly first: Day;
  readonly last: Day;
}

/** A service that cannot be asked for now. */
export class ProviderFault extends Error {
  constructor(
    message: string,
    /** The rest of the round is not asked: it refuses, or it asked us to wait. */
    readonly stops: boolean,
  ) {
    super(message);
    this.name = 'ProviderFault';
  }
}
