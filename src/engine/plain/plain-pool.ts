import { type Day, lastDayOf, yearOf } from '../../base/day.ts';
import { type Fold, getOrCreatePool, isRetirement, type Pool } from '../book/fold.ts';
import { methodWanted, resolveLotMethod } from '../book/method-in-force.ts';
import { universalAccount } from '../book/own-accounts.ts';
import type { LineTemplate } from '../book/plain-disposal.ts';
import { isOnOtherReturn } from '../book/separate-returns.ts';
import { isWashable } from '../events/classes.ts';
import { daysCoveredFrom } from '../events/event.ts';
import type { AccountAsset, Ledger } from '../events/ledger.ts';
import type { AssetClass, Rules, Term } from '../model.ts';
import { chooseBox, resolveFormEvidence } from '../rules/lines/box.ts';
import { resolveLotAccount } from '../rules/lots/take.ts';
import type { LineSum, LineSums } from './line-sums.ts';
import { isPlainMethod, PlainLots, type PlainMethod } from './plain-lots.ts';

/**
 * The values that all plain trades of one asset in one account share within a year, as long as nothing else happens to
 * the pool.
 */
export interface PlainPool {
  readonly lastDay: Day;
  readonly pool: Pool;
  readonly lots: PlainLots;
  readonly method: PlainMethod;
  readonly washable: boolean;
  readonly coveredFrom: Day;
  /** Indexed by coverage of the lot (0 for noncovered, 1 for covered), then by term (short-term, long-term). */
  readonly templates: readonly (readonly [LineTemplate, LineTemplate])[];
  /** Has the same indexes, for lines that are summed. */
  readonly sums: readonly (readonly [LineSum | null, LineSum | null])[];
  /** The names of the cents remainders. */
  readonly basisRemainder: string;
  readonly proceedsRemainder: string;
}

/**
 * Opens the plain pool of a trade. Returns null if the general path is needed because of a standing order, a short
 * sale, average basis, an open loss, a method that the fast path does not support, or lots that are already objects.
 */
export function openPlainPool(fold: Fold, ledger: Ledger, trade: number, lineSums: LineSums | null): PlainPool | null {
  const { rules } = fold;
  const accountAsset = ledger.places[ledger.placeOf[trade] as number] as AccountAsset;
  const { account, assetClass, key } = accountAsset;
  const on = ledger.ons[trade] as Day;
  if (rules.standingOrders !== undefined || rules.washSalesFrom !== undefined) return null;
  if (rules.washSoldBefore === 'include' || fold.shorts.size + fold.shortLosses.size + fold.puts.size > 0) return null;
  // Lots that may replace a loss must be objects.
  if (assetClass === 'nft' || fold.questionedNames.has(accountAsset.asset)) return null;
  if (fold.distributions.length + fold.deferrals.length > 0 || fold.recent.has(key) || fold.losses.has(key))
    return null;
  const pool = getOrCreatePool(fold, key, resolveLotAccount(rules, assetClass, account, on));
  if (isOnOtherReturn(rules, account, on)) return null;
  if (isRetirement(fold, account) || fold.pools.get(key)?.has(universalAccount)) return null;
  if (pool.average !== null || pool.byLabel !== null) return null;
  const method = resolveLotMethod(rules, account, assetClass, on);
  // Such a sale raises an issue, and the broker may be notified later in the year.
  if (method !== methodWanted(rules, account, assetClass, on)) return null;
  const lots = isPlainMethod(method) ? openPlainLots(pool, assetClass, ledger) : null;
  if (lots === null || !isPlainMethod(method)) return null;
  pool.queue = null;
  const year = yearOf(on);
  const inCommon = buildLineTemplates(rules, accountAsset, year);
  const sums = inCommon.map(([short, long]): [LineSum | null, LineSum | null] => {
    const sum = (common: LineTemplate) => lineSums?.of({ year, ...common }) ?? null;
    return [sum(short), sum(long)];
  });
  return {
    lastDay: lastDayOf(year),
    pool,
    lots,
    method,
    washable: isWashable(assetClass, rules, on),
    coveredFrom: daysCoveredFrom[assetClass] ?? (Number.POSITIVE_INFINITY as Day),
    templates: inCommon,
    sums,
    basisRemainder: `basis ${key}`,
    proceedsRemainder: `proceeds ${key}`,
  };
}

/**
 * Returns the lots of a pool as columns. All of them have the same asset class, because their lines share it. Returns
 * null if some lots are objects.
 */
function openPlainLots({ account, lots }: Pool, assetClass: AssetClass, ledger: Ledger): PlainLots | null {
  const known = lots.columns;
  if (known instanceof PlainLots && known.assetClass === assetClass) return known;
  if (lots.size > 0) return null;
  const columns = new PlainLots(account, assetClass, ledger);
  lots.holdAs(columns);
  return columns;
}

function buildLineTemplates(rules: Rules, accountAsset: AccountAsset, year: number): [LineTemplate, LineTemplate][] {
  const { account, asset, assetClass } = accountAsset;
  return [false, true].map((covered) => {
    const evidence = resolveFormEvidence(rules, { account, year, assetClass }, covered);
    const template = (term: Term): LineTemplate => {
      const { box, reason } = chooseBox({ year, assetClass, term, ...evidence });
      return { account, asset, assetClass, term, box, boxReason: reason };
    };
    return [template('short'), template('long')];
  });
}
