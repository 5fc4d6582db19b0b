import { retryUntilDone, sleepUnless } from '../../../base/deadline.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { notifyYearConflict } from '../../people/notifications.ts';
import type { Recompute } from '../transactions/change.ts';
import { inTurn } from '../transactions/store.ts';
import { insertSharedPrices, selectWaitingTaxpayers } from './prices.queries.ts';
import { ecbRates, type RateProvider } from './providers/ecb.ts';
import { outdatedBooks } from './valuations.ts';

/** Returns the operator's rate provider. By default there is none, so that the server contacts no other host. */
export function getRateProvider(deps: Deps): RateProvider | null {
  const { ecbRatesUrl } = deps.config;
  return ecbRatesUrl === null ? null : ecbRates(ecbRatesUrl);
}

const refreshHours = 6;
const secondsMax = 60;
/** The provider's server belongs to a third party, so while it fails it is retried only a few times an hour. */
const pauses = { millisecondsMin: 2_000, millisecondsMax: 15 * 60_000 };

/** Requests rates now and every few hours, until it is stopped. Retries sooner after a failure. */
export function keepFresh(deps: Deps, recompute: Recompute): () => void {
  const provider = getRateProvider(deps);
  if (provider === null) return () => {};
  const host = new URL(deps.config.ecbRatesUrl ?? '').host;
  deps.log.info('prices are asked', { source: provider.source, host, sends: 'only the request for the file' });
  const leaving = new AbortController();
  const ask = (): Promise<number> => {
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(secondsMax * 1000)]);
    return refreshRates(deps, recompute, provider, signal);
  };
  const run = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      await retryUntilDone(
        leaving.signal,
        ask,
        (error, nextTrySeconds) => deps.log.warn('rates not refreshed', { reason: String(error), nextTrySeconds }),
        pauses,
      );
      await sleepUnless(leaving.signal, refreshHours * 3_600_000);
    }
  };
  void run();
  return () => leaving.abort();
}

/** Stores the new rates and recomputes the books that needed them. Returns the number of new rates. */
export async function refreshRates(
  deps: Deps,
  recompute: Recompute,
  provider: RateProvider,
  signal: AbortSignal,
): Promise<number> {
  const rates = await provider.read(signal);
  const fresh = await deps.database.asService((sql) =>
    insertSharedPrices(sql, provider.source, rates, deps.clock.now()),
  );
  const currencies = [...new Set(rates.map((rate) => rate.asset))];
  // A row may lack a rate that is already stored: the row may have arrived while the rate was being stored, or the
  // server may have stopped before recomputing.
  const unvalued = fresh.length === 0;
  const waiting = await deps.database.asService((sql) => selectWaitingTaxpayers(sql, currencies, { unvalued }));
  await recomputeBooks(deps, recompute, waiting, signal);
  return fresh.length;
}

/** Recomputes the books of taxpayers whose rows now have different prices. */
export async function recomputeBooks(
  deps: Deps,
  recompute: Recompute,
  waiting: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const taxpayerId of waiting) {
    signal.throwIfAborted();
    const work = inTurn(deps, taxpayerId, async (sql) => {
      const touched = await outdatedBooks(sql, taxpayerId);
      if (touched.size > 0) await recompute(sql, taxpayerId, touched, { sources: 'same' });
    });
    await work.catch(async (error: unknown) => {
      // Skips the taxpayer if the rate would change a locked year, and continues with the others.
      if (!(error instanceof Refusal) || error.code !== 'year_locked') throw error;
      deps.log.warn('rates held back by a locked year', { taxpayerId });
      const conflict = { cause: 'A new exchange rate', refusal: error, at: deps.clock.now() };
      await deps.database.asTaxpayer(taxpayerId, (sql) => notifyYearConflict(sql, taxpayerId, conflict));
    });
  }
}
