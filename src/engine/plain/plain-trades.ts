import type { Day } from '../../base/day.ts';
import type { Money } from '../../base/decimal.ts';
import { appendTransaction, type Fold, roundCarrying } from '../book/fold.ts';
import { type LineTemplate, PlainDisposal } from '../book/plain-disposal.ts';
import type { Ledger } from '../events/ledger.ts';
import { computeShare, limb } from '../events/limbs.ts';
import { computeTerm } from '../rules/lines/term.ts';
import { remembersSales } from '../rules/wash-sales/short-losses.ts';
import type { LineSum, LineSums } from './line-sums.ts';
import { openPlainPool, type PlainPool } from './plain-pool.ts';

/**
 * The fast path for plain trades. It does the work of `acquire` and `dispose` for pools in which lots are only bought
 * and sold. It is more than four times as fast as the general path with FIFO and three times as fast with HIFO
 * (`scripts/bench`, engine). A property test (`test/engine/plain/plain-trades.test.ts`) checks that both produce the
 * same bytes.
 */
export class PlainTrades {
  readonly #fold: Fold;
  readonly #lineSums: LineSums | null;
  /** Keyed by the ledger index of asset and account. */
  #pools: (PlainPool | undefined)[] = [];

  constructor(fold: Fold, lineSums: LineSums | null) {
    this.#fold = fold;
    this.#lineSums = lineSums;
  }

  /** Applies a trade. Returns false and changes nothing if it needs the general path. */
  apply(ledger: Ledger, trade: number): boolean {
    if (remembersSales(this.#fold)) return false;
    const accountAsset = ledger.placeOf[trade] as number;
    let pool = this.#pools[accountAsset] ?? null;
    // Another event may have turned the columns into objects.
    if (pool === null || (ledger.ons[trade] as Day) > pool.lastDay || pool.pool.lots.columns !== pool.lots) {
      pool = openPlainPool(this.#fold, ledger, trade, this.#lineSums);
      if (pool === null) return false;
      this.#pools[accountAsset] = pool;
    }
    if (ledger.isSale[trade]) return sell(this.#fold, pool, trade, this.#lineSums);
    buy(this.#fold, pool, trade);
    return true;
  }

  /**
   * Drops all plain pools after an event that is not a plain trade, because the event may have changed the conditions
   * that make them plain.
   */
  forgetPools(): void {
    // Emptying an array takes longer than a trade, so this is done only if it is needed.
    if (this.#pools.length > 0) this.#pools = [];
  }
}

function buy(fold: Fold, { pool, lots, basisRemainder }: PlainPool, trade: number): void {
  const { ledger } = lots;
  const cost = (ledger.amounts[trade] as number) + (ledger.fees[trade] as number);
  appendTransaction(pool, ledger.ids[trade] as string);
  lots.add(trade, roundCarryingCents(fold, basisRemainder, cost), fold.sequence++);
}

function sell(fold: Fold, pool: PlainPool, trade: number, lineSums: LineSums | null): boolean {
  const { lots, proceedsRemainder } = pool;
  const { ledger } = lots;
  const yielded = (ledger.amounts[trade] as number) - (ledger.fees[trade] as number);
  const isWhole = Number.isInteger(yielded / moneyPerCent);
  const waiting = isWhole ? undefined : fold.centsRemainders.get(proceedsRemainder);
  const before = fold.facts.length;
  if (writeLines(fold, pool, trade, lineSums, roundCarryingCents(fold, proceedsRemainder, yielded))) {
    lots.commit();
    lineSums?.commit();
    appendTransaction(pool.pool, ledger.ids[trade] as string);
    return true;
  }
  lots.rollBack();
  lineSums?.rollBack();
  fold.facts.length = before;
  if (waiting !== undefined) fold.centsRemainders.set(proceedsRemainder, waiting);
  else if (!isWhole) fold.centsRemainders.delete(proceedsRemainder);
  return false;
}

/** Writes a line for each slice. Returns false if units are missing, or if a loss must be matched to replacements. */
function writeLines(fold: Fold, pool: PlainPool, trade: number, lineSums: LineSums | null, proceeds: number): boolean {
  const { lots } = pool;
  const { ids, ons, quantityHighs, quantityLows } = lots.ledger;
  const saleId = ids[trade] as string;
  const on = ons[trade] as Day;
  const totalHigh = quantityHighs[trade] as number;
  const totalLow = quantityLows[trade] as number;
  // This loop uses no array destructuring, because each pair would be an array, and a million sales make two million
  // slices.
  let high = totalHigh;
  let low = totalLow;
  let dealt = 0;
  for (let row = 0; high > 0 || low > 0; row++) {
    if (!lots.take(pool.method, high, low)) return false;
    const { takenHigh, takenLow, takenBasis: basis, acquired } = lots;
    const borrowed = low < takenLow ? 1 : 0;
    high -= takenHigh + borrowed;
    low += borrowed * limb - takenLow;
    const isLast = high === 0 && low === 0;
    const upTo = isLast ? proceeds : computeShare(proceeds, totalHigh - high, totalLow - low, totalHigh, totalLow);
    if (pool.washable && upTo - dealt < basis) return false;
    const term = computeTerm(false, acquired, on);
    const covered = acquired >= pool.coveredFrom ? 1 : 0;
    const sums = pool.sums[covered] as readonly [LineSum | null, LineSum | null];
    const sum = sums[term === 'short' ? 0 : 1];
    if (sum !== null && lineSums !== null) {
      lineSums.add(sum, upTo - dealt, basis);
      dealt = upTo;
      continue;
    }
    const both = pool.templates[covered] as readonly [LineTemplate, LineTemplate];
    const common = both[term === 'short' ? 0 : 1];
    fold.facts.push(
      new PlainDisposal(
        common,
        saleId,
        row,
        lots.openedBy,
        on,
        acquired,
        acquired,
        takenHigh,
        takenLow,
        upTo - dealt,
        basis,
        'default',
      ),
    );
    dealt = upTo;
  }
  return true;
}

const moneyPerCent = 1_000_000;

/** Rounds an exact amount (10⁻⁸ dollars, a double) to whole cents, as `roundCarrying` does. */
function roundCarryingCents(fold: Fold, remainder: string, amount: number): number {
  const cents = Math.round(amount / moneyPerCent);
  return cents * moneyPerCent === amount ? cents : Number(roundCarrying(fold, remainder, BigInt(amount) as Money));
}
