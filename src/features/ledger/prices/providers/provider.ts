import type { Day } from '../../../../base/day.ts';
import type { PriceQuote } from '../prices.queries.ts';
import type { PricedKind, PriceSource } from '../sources.ts';

/** A service that returns the prices of an asset for a span of days. */
export interface PriceProvider {
  /** The name of the source in the books. */
  readonly source: Exclude<PriceSource, 'own' | 'ecb'>;
  readonly kind: PricedKind;
  readonly host: string;
  /** A description of the data that requests contain, for the log. */
  readonly sends: string;
  /** The maximum number of days per request. */
  readonly daysMax: number;
  /** The minimum time between two requests. */
  readonly pauseMilliseconds: number;
  /** Returns the prices that the provider has for these days. Empty if it does not know the asset. */
  read(asset: string, days: DaySpan, signal: AbortSignal): Promise<PriceQuote[]>;
}

export interface DaySpan {
  readonly first: Day;
  readonly last: Day;
}

/** Thrown if a provider is temporarily unavailable. */
export class ProviderFault extends Error {
  constructor(
    message: string,
    /** Whether to skip the provider for the rest of the round, because it refused the request or asked to wait. */
    readonly stops: boolean,
  ) {
    super(message);
    this.name = 'ProviderFault';
  }
}
