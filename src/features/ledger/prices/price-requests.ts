import { addDays, type Day, formatDay } from '../../../base/day.ts';
import type { Deps } from '../../../deps.ts';
import type { Recompute } from '../transactions/change.ts';
import { unvaluedRows } from './price-needs.ts';
import { insertSharedPrices, selectRevisions } from './prices.queries.ts';
import { coinbasePrices, krakenPrices } from './providers/candles.ts';
import { coingeckoPrices, tiingoPrices } from './providers/keyed.ts';
import type { DaySpan, PriceProvider } from './providers/provider.ts';
import { recomputeBooks } from './refresh.ts';
import type { PricedKind } from './sources.ts';

/** Returns the operator's price providers, in the order of use. By default there are none. */
export function listPriceProviders({ config: { prices } }: Pick<Deps, 'config'>): PriceProvider[] {
  return [
    ...(prices.kraken === null ? [] : [krakenPrices(prices.kraken)]),
    ...(prices.coinbase === null ? [] : [coinbasePrices(prices.coinbase)]),
    ...(prices.coingecko === null ? [] : [coingeckoPrices(prices.coingecko)]),
    ...(prices.tiingo === null ? [] : [tiingoPrices(prices.tiingo)]),
  ];
}

const lookSeconds = 60;

/**
 * Requests missing prices for changed books every minute, until it is stopped. Does nothing if there are no providers.
 */
export function keepRequesting(deps: Deps, recompute: Recompute): () => void {
  const providers = listPriceProviders(deps);
  if (providers.length === 0) return () => {};
  const leaving = new AbortController();
  const asker = new PriceRequester(deps, recompute, providers);
  let isLooking = false;
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    asker
      .look(leaving.signal)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) deps.log.warn('prices not asked', { reason: String(error) });
      })
      .finally(() => {
        isLooking = false;
      });
  };
  look();
  const timer = setInterval(look, lookSeconds * 1_000);
  return () => {
    clearInterval(timer);
    leaving.abort();
  };
}

/** An asset, and the days without a price. */
interface Lacking {
  readonly asset: string;
  readonly kind: PricedKind;
  readonly days: Set<Day>;
}

/**
 * Requests missing prices for all taxpayers from the providers. Requests each asset and day at most once a day from
 * each provider.
 */
export class PriceRequester {
  /** The revision of each taxpayer's books at the last check. */
  private readonly seen = new Map<string, string>();
  /** The time of the last request to each provider, by asset and day. */
  private readonly asked = new Map<string, number>();
  /** The time until which a provider is skipped because of a failure. */
  private readonly pausedUntil = new Map<string, number>();
  private readonly named = new Set<string>();
  /**
   * Taxpayers whose books must still be recomputed with new prices. If the database is unavailable, they stay for the
   * next round.
   */
  private readonly owed = new Set<string>();

  constructor(
    private readonly deps: Deps,
    private readonly recompute: Recompute,
    private readonly providers: readonly PriceProvider[],
  ) {}

  async look(signal: AbortSignal): Promise<void> {
    const { database } = this.deps;
    this.forget();
    const lacking = new Map<string, Lacking>();
    const waiting: string[] = [];
    for (const { id, revision } of await database.asService(selectRevisions)) {
      if (this.seen.get(id) === revision) continue;
      signal.throwIfAborted();
      const rows = await database.asTaxpayer(id, (sql) => unvaluedRows(sql, id), { readOnly: true });
      for (const { needs } of rows) for (const { asset, kind, day } of needs) this.note(lacking, asset, kind, day);
      if (rows.length > 0) waiting.push(id);
      this.seen.set(id, revision);
    }
    let pricesFound = 0;
    for (const provider of this.providers) pricesFound += await this.ask(provider, [...lacking.values()], signal);
    if (pricesFound > 0) for (const id of waiting) this.owed.add(id);
    await recomputeBooks(this.deps, this.recompute, [...this.owed], signal);
    this.owed.clear();
  }

  /** Records a missing price. Skips the current day, which has no price until it is over. */
  private note(lacking: Map<string, Lacking>, asset: string, kind: PricedKind | null, day: Day): void {
    if (kind === null || kind === 'currency' || day >= this.today()) return;
    const name = JSON.stringify([asset, kind]);
    const missing = lacking.get(name) ?? { asset, kind, days: new Set() };
    missing.days.add(day);
    lacking.set(name, missing);
  }

  private today(): number {
    return Math.floor(this.now() / millisecondsPerDay);
  }

  private now(): number {
    return this.deps.clock.now().getTime();
  }

  /**
   * Requests prices from a provider and returns the number of new prices. Prices that are found are not requested from
   * the next provider.
   */
  private async ask(provider: PriceProvider, all: readonly Lacking[], signal: AbortSignal): Promise<number> {
    let [found, requests] = [0, 0];
    if (this.pausedUntil.has(provider.source)) return found;
    for (const one of all.filter(({ kind }) => kind === provider.kind)) {
      const open = [...one.days].filter((day) => !this.asked.has(buildDayKey(provider, one.asset, day)));
      for (const days of groupIntoSpans(open, provider.daysMax)) {
        if (requests >= requestsPerRound) return this.recheckAll(found);
        if (requests > 0) await pause(provider.pauseMilliseconds, signal);
        this.name(provider);
        requests += 1;
        try {
          found += await this.store(provider, one, days, signal);
        } catch (error) {
          signal.throwIfAborted();
          this.deps.log.warn('no prices', { source: provider.source, reason: String(error) });
          this.pausedUntil.set(provider.source, this.now() + faultPauseMilliseconds);
          return found;
        }
        for (const day of open) if (day >= days.first && day <= days.last) this.remember(provider, one.asset, day);
      }
    }
    return found;
  }

  private async store(provider: PriceProvider, one: Lacking, days: DaySpan, signal: AbortSignal): Promise<number> {
    const read = await provider.read(one.asset, days, signal);
    const requestedDays = new Set([...one.days].map(formatDay));
    const prices = read.filter(({ day }) => requestedDays.has(day));
    const at = this.deps.clock.now();
    const fresh = await this.deps.database.asService((sql) => insertSharedPrices(sql, provider.source, prices, at));
    for (const day of one.days) if (prices.some((price) => price.day === formatDay(day))) one.days.delete(day);
    return fresh.length;
  }

  /** Makes the next round check all books again. */
  private recheckAll(pricesFound: number): number {
    this.seen.clear();
    return pricesFound;
  }

  /** Logs the provider's host and the data that requests contain, once before the first request. */
  private name({ source, host, sends }: PriceProvider): void {
    if (this.named.has(source)) return;
    this.named.add(source);
    this.deps.log.info('prices are asked', { source, host, sends });
  }

  private remember(provider: PriceProvider, asset: string, day: Day): void {
    this.asked.set(buildDayKey(provider, asset, day), this.now());
  }

  /** Allows new requests for prices that were missing a day ago, and for providers whose pause is over. */
  private forget(): void {
    const now = this.now();
    const old = [...this.asked].filter(([, at]) => at <= now - millisecondsPerDay);
    for (const [name] of old) this.asked.delete(name);
    const resumed = [...this.pausedUntil].filter(([, until]) => until <= now);
    for (const [source] of resumed) this.pausedUntil.delete(source);
    if (old.length + resumed.length > 0) this.seen.clear();
  }
}

const requestsPerRound = 60;
const faultPauseMilliseconds = 15 * 60_000;
const millisecondsPerDay = 86_400_000;

function buildDayKey({ source }: PriceProvider, asset: string, day: Day): string {
  return JSON.stringify([source, asset, day]);
}

/** Groups days into spans of at most `daysMax` days. Each span begins and ends with a requested day. */
function groupIntoSpans(days: readonly Day[], daysMax: number): DaySpan[] {
  const spans: { first: Day; last: Day }[] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const span = spans.at(-1);
    if (span !== undefined && day < addDays(span.first, daysMax)) span.last = day;
    else spans.push({ first: day, last: day });
  }
  return spans;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await Bun.sleep(milliseconds);
  signal.throwIfAborted();
}
