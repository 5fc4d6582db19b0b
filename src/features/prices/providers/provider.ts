import type { Day } from '../../../base/day.ts';
import type { PriceQuote } from '../queries.ts';
import type { PricedKind, PriceSource } from '../sources.ts';

/** A service that provides the prices of one thing over some days. */
export interface PriceProvider {
  /** The name of the source in the books. */
  readonly source: Exclude<PriceSource, 'own' | 'ecb'>;
  readonly kind: PricedKind;
  readonly host: string;
  /** The data that a request sends. */
  readonly sends: string;
  /** The maximum number of days per request. */
  readonly daysMax: number;
  /** The minimum time between two requests. */
  readonly pauseMilliseconds: number;
  /** Returns the known prices of these days; empty for an unknown thing. */
  read(asset: string, days: DaySpan, signal: AbortSignal): Promise<PriceQuote[]>;
}

export interface DaySpan {
  readonly first: Day;
  readonly last: Day;
}

/** A service that is unavailable for now. */
export class ProviderFault extends Error {
  constructor(
    message: string,
    /** Skip this provider for the rest of the round: it refuses or asked us to wait. */
    readonly stops: boolean,
  ) {
    super(message);
    this.name = 'ProviderFault';
  }
}
