import { type Day, lastDayOf, yearOf } from '../base/day.ts';
import { boxOf, evidenceOf } from './box.ts';
import { isWashable } from './classes.ts';
import { termOf } from './disposal.ts';
import { daysCoveredFrom } from './event.ts';
import { type Fold, isRetirement, lengthenTrail, type Pool, poolOf } from './fold.ts';
import { buyBeside, sellHeld } from './held-trades.ts';
import type { Ledger, Place } from './ledger.ts';
import { limb, shareOf } from './limbs.ts';
import type { LineSum } from './line-sums.ts';
import { universalAccount } from './lots.ts';
import { methodOf } from './methods.ts';
import type { LotMethod, Term } from './model.ts';
import { type InCommon, PlainDisposal } from './plain-disposal.ts';
import { lotAccountOf } from './take.ts';
import { centsOf, moneyPerCent } from './trade-cents.ts';
import type { TradeLots } from './trade-lots.ts';

/**
 * The short way of a plain trade: what `acquire` and `dispose` come to for a pool in which lots are bought and sold and
 * nothing else stands in the way: a short, an average, an order. It answers false, and has changed nothing, where the long
 * way would have to look at such a thing, or where a loss among columns may be a wash sale. A property test holds both to
 * the same bytes.
 */
export function buyOrSell(fold: Fold, ledger: Ledger, trade: number): boolean {
  const place = ledger.placeOf[trade] as number;
  let till = fold.tills[place] ?? null;
  if (till === null || (ledger.ons[trade] as Day) > till.lastDay || !areLots(till)) {
    till = openTill(fold, ledger, trade);
    if (till === null) return false;
    fold.tills[place] = till;
  }
  const { lots } = till;
  if (lots !== null) return ledger.isSale[trade] ? sell(fold, till, lots, trade) : buy(fold, till, lots, trade);
  if (ledger.isSale[trade]) sellHeld(fold, till, ledger, trade);
  else buyBeside(fold, till, ledger, trade);
  return true;
}

/** Columns may have become lots of their own since. */
function areLots({ pool, lots }: Till): boolean {
  return lots === null || pool.lots.isAll(lots);
}

/** What all plain trades of an asset in an account have in common within a year, as long as nothing else happens. */
export interface Till {
  readonly place: Place;
  readonly lastDay: Day;
  readonly pool: Pool;
  /** Null where a wash sale, or anything else, has made lots of their own of them: then the new ones are too. */
  readonly lots: TradeLots | null;
  readonly method: LotMethod;
  readonly washable: boolean;
  readonly coveredFrom: Day;
  /** By whether the lot is covered (1) or not (0), each for the short and the long term. */
  readonly inCommon: readonly (readonly [InCommon, InCommon])[];
  /** Likewise, where lines are summed. */
  readonly sums: readonly (readonly [LineSum | null, LineSum | null])[];
  /** Names of the parts of a cent that wait. */
  readonly basisRest: string;
  readonly proceedsRest: string;
}

/** Null where a plain trade can mean more than itself. */
function openTill(fold: Fold, ledger: Ledger, trade: number): Till | null {
  const { rules } = fold;
  const place = ledger.places[ledger.placeOf[trade] as number] as Place;
  const { account, assetClass, key } = place;
  const on = ledger.ons[trade] as Day;
  if (rules.standingOrders !== undefined || rules.washSalesFrom !== undefined) return null;
  if (rules.washSoldBefore === 'include' || fold.shorts.size + fold.shortLosses.size + fold.puts.size > 0) return null;
  if (fold.distributions.length > 0) return null;
  const pool = poolOf(fold, key, lotAccountOf(rules, assetClass, account, on));
  if (isRetirement(fold, account) || fold.pools.get(key)?.has(universalAccount)) return null;
  if (pool.average !== null || pool.byLabel !== null) return null;
  const method = methodOf(rules, account, assetClass, on);
  if (method === 'AVERAGE') return null;
  // What may replace a loss has to be at hand as it is.
  const isWashed = fold.recent.has(key) || fold.losses.has(key);
  const lots = isWashed ? null : pool.lots.tradeLots(pool.account, assetClass, ledger);
  const year = yearOf(on);
  const inCommon = [false, true].map((covered): [InCommon, InCommon] => {
    const evidence = evidenceOf(rules.accounts[account], { year, assetClass }, covered);
    const common = (term: Term): InCommon => {
      const { box, reason } = boxOf({ year, assetClass, term, ...evidence });
      return { account, asset: place.asset, assetClass, term, box, boxReason: reason };
    };
    return [common('short'), common('long')];
  });
  const sums = inCommon.map(([short, long]): [LineSum | null, LineSum | null] => {
    const sum = (common: InCommon) => fold.lineSums?.of({ year, ...common }) ?? null;
    return [sum(short), sum(long)];
  });
  if (lots !== null) pool.lineup = null;
  return {
    place,
    lastDay: lastDayOf(year),
    pool,
    lots,
    method,
    washable: isWashable(assetClass, rules, on),
    coveredFrom: daysCoveredFrom[assetClass],
    inCommon,
    sums,
    basisRest: `basis ${key}`,
    proceedsRest: `proceeds ${key}`,
  };
}

function buy(fold: Fold, { pool, basisRest }: Till, lots: TradeLots, trade: number): boolean {
  const { ledger } = lots;
  const cost = (ledger.amounts[trade] as number) + (ledger.fees[trade] as number);
  lengthenTrail(pool, ledger.ids[trade] as string);
  lots.add(trade, centsOf(fold, basisRest, cost), fold.sequence++);
  return true;
}

function sell(fold: Fold, till: Till, lots: TradeLots, trade: number): boolean {
  const { pool, proceedsRest } = till;
  const { ledger } = lots;
  const yielded = (ledger.amounts[trade] as number) - (ledger.fees[trade] as number);
  const isWhole = Number.isInteger(yielded / moneyPerCent);
  const waiting = isWhole ? undefined : fold.rests.get(proceedsRest);
  const before = fold.facts.length;
  if (writeLines(fold, till, lots, trade, centsOf(fold, proceedsRest, yielded))) {
    lots.keep();
    fold.lineSums?.keep();
    lengthenTrail(pool, ledger.ids[trade] as string);
    return true;
  }
  lots.giveBack();
  fold.lineSums?.giveBack();
  fold.facts.length = before;
  if (waiting !== undefined) fold.rests.set(proceedsRest, waiting);
  else if (!isWhole) fold.rests.delete(proceedsRest);
  return false;
}

/** A line for each lot that gives units; false where there are too few, or a loss has to look around. */
function writeLines(fold: Fold, till: Till, lots: TradeLots, trade: number, proceeds: number): boolean {
  const { ids, ons, quantityHighs, quantityLows } = lots.ledger;
  const saleId = ids[trade] as string;
  const on = ons[trade] as Day;
  const totalHigh = quantityHighs[trade] as number;
  const totalLow = quantityLows[trade] as number;
  // No pairs taken apart in here: each would be an array, and a million sales make two million slices.
  let high = totalHigh;
  let low = totalLow;
  let dealt = 0;
  for (let row = 0; high > 0 || low > 0; row++) {
    if (!lots.take(till.method, high, low)) return false;
    const { takenHigh, takenLow, takenBasis: basis, acquired } = lots;
    const borrowed = low < takenLow ? 1 : 0;
    high -= takenHigh + borrowed;
    low += borrowed * limb - takenLow;
    const isLast = high === 0 && low === 0;
    const upTo = isLast ? proceeds : shareOf(proceeds, totalHigh - high, totalLow - low, totalHigh, totalLow);
    if (till.washable && upTo - dealt < basis) return false;
    const term = termOf(false, acquired, on);
    const covered = acquired >= till.coveredFrom ? 1 : 0;
    const sums = till.sums[covered] as readonly [LineSum | null, LineSum | null];
    const sum = sums[term === 'short' ? 0 : 1];
    if (sum !== null && fold.lineSums !== null) {
      fold.lineSums.add(sum, upTo - dealt, basis);
      dealt = upTo;
      continue;
    }
    const both = till.inCommon[covered] as readonly [InCommon, InCommon];
    const common = both[term === 'short' ? 0 : 1];
    fold.facts.push(
      new PlainDisposal(common, saleId, row, lots.openedBy, on, acquired, takenHigh, takenLow, upTo - dealt, basis),
    );
    dealt = upTo;
  }
  return true;
}
