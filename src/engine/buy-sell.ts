import { type Day, lastDayOf, yearOf } from '../base/day.ts';
import { type Cents, type Money, type Quantity, shareOf, zeroCents } from '../base/decimal.ts';
import { type BoxAnswer, boxOf, evidenceOf } from './box.ts';
import { isWashable } from './classes.ts';
import { daysCoveredFrom } from './event.ts';
import { type Fold, isRetirement, leaveTrail, type Pool, poolOf, settle } from './fold.ts';
import { assetKeyOf } from './keys.ts';
import { universalAccount } from './lots.ts';
import { methodOf } from './methods.ts';
import type { AssetClass, LotMethod, Term, Transaction } from './model.ts';
import { termOf } from './sale.ts';
import { lotAccountOf } from './take.ts';
import type { TradeLots } from './trade-lots.ts';

/**
 * The short way of a plain trade: what `acquire` and `dispose` come to for a pool in which lots are bought and sold and
 * nothing else ever happened. It answers false, and has changed nothing, where anything stands in the way that the long
 * way would have to look at: a loss that may be a wash sale, a short, an average. A property test holds both to the same
 * bytes.
 */
export function buyOrSell(fold: Fold, trade: Transaction): boolean {
  let till = fold.tills.get(trade.account)?.get(trade.asset);
  if (till === undefined || !isOpen(till, trade)) {
    const opened = openTill(fold, trade);
    if (opened === null) return false;
    till = opened;
  }
  return trade.type === 'buy' ? buy(fold, till, trade) : sell(fold, till, trade);
}

function isOpen(till: Till, trade: Transaction): boolean {
  return till.assetClass === trade.assetClass && trade.on <= till.lastDay && till.pool.lots.isAll(till.lots);
}

/** What all plain trades of an asset in an account have in common within a year, as long as nothing else happens. */
export interface Till {
  readonly assetClass: AssetClass;
  readonly lastDay: Day;
  readonly pool: Pool;
  readonly lots: TradeLots;
  readonly method: LotMethod;
  readonly washable: boolean;
  readonly coveredFrom: Day;
  /** By whether the lot is covered (1) or not (0), each for the short and the long term. */
  readonly boxes: readonly (readonly [BoxAnswer, BoxAnswer])[];
  /** Names of the parts of a cent that wait. */
  readonly basisRest: string;
  readonly proceedsRest: string;
}

/** Null where a plain trade can mean more than itself. */
function openTill(fold: Fold, trade: Transaction): Till | null {
  const { rules } = fold;
  const { account, assetClass, on } = trade;
  if (rules.standingOrders !== undefined || rules.washSalesFrom !== undefined) return null;
  if (rules.washSoldBefore === 'include' || fold.shorts.size + fold.shortLosses.size + fold.puts.size > 0) return null;
  const key = assetKeyOf(trade.asset, assetClass);
  const pool = poolOf(fold, key, lotAccountOf(rules, assetClass, account, on));
  if (isRetirement(fold, account) || fold.pools.get(key)?.has(universalAccount)) return null;
  if (pool.average !== null || pool.byLabel !== null || fold.recent.has(key) || fold.losses.has(key)) return null;
  const method = methodOf(rules, account, assetClass, on);
  const lots = method === 'AVERAGE' ? null : pool.lots.tradeLots(pool.account);
  if (lots === null) return null;
  const year = yearOf(on);
  const boxes = [false, true].map((covered): [BoxAnswer, BoxAnswer] => {
    const evidence = evidenceOf(rules.accounts[account], covered);
    const answer = (term: Term): BoxAnswer => boxOf({ year, assetClass, term, ...evidence });
    return [answer('short'), answer('long')];
  });
  const till: Till = {
    assetClass,
    lastDay: lastDayOf(year),
    pool,
    lots,
    method,
    washable: isWashable(assetClass, rules, on),
    coveredFrom: daysCoveredFrom[assetClass],
    boxes,
    basisRest: `basis ${key}`,
    proceedsRest: `proceeds ${key}`,
  };
  pool.lineup = null;
  const tills = fold.tills.get(account) ?? new Map<string, Till>();
  fold.tills.set(account, tills.set(trade.asset, till));
  return till;
}

function buy(fold: Fold, till: Till, trade: Transaction): boolean {
  const cost = amountNear(trade.amount) + amountNear(trade.fee);
  if (!isExact(cost)) return false;
  leaveTrail(till.pool, trade.id);
  till.lots.add(trade, centsOf(fold, till.basisRest, cost), fold.sequence++);
  return true;
}

function sell(fold: Fold, till: Till, trade: Transaction): boolean {
  const yielded = amountNear(trade.amount) - amountNear(trade.fee);
  if (!isExact(yielded)) return false;
  const waiting = fold.rests.get(till.proceedsRest);
  const before = fold.facts.length;
  if (writeLines(fold, till, trade, centsOf(fold, till.proceedsRest, yielded))) {
    till.lots.keep();
    leaveTrail(till.pool, trade.id);
    return true;
  }
  till.lots.giveBack();
  fold.facts.length = before;
  if (waiting === undefined) fold.rests.delete(till.proceedsRest);
  else fold.rests.set(till.proceedsRest, waiting);
  return false;
}

/** A line for each lot that gives units; false where there are too few, or a loss has to look around. */
function writeLines(fold: Fold, till: Till, trade: Transaction, proceeds: number): boolean {
  const { lots } = till;
  const total = trade.quantity ?? 0n;
  let [missing, dealt] = [total, 0];
  for (let row = 0; missing > 0n; row++) {
    const at = lots.first(till.method);
    if (at === -1) return false;
    const purchase = lots.purchases[at] as Transaction;
    const left = lots.left[at] as bigint;
    const isWhole = left <= missing;
    const quantity = isWhole ? left : missing;
    const stays = isWhole ? 0n : left - missing;
    missing = isWhole ? missing - left : 0n;
    const upTo = missing === 0n ? proceeds : shareOf(proceeds, total - missing, total);
    const wholeBasis = lots.basis[at] as number;
    const bought = purchase.quantity ?? 0n;
    const basisUpTo = isWhole ? wholeBasis : shareOf(wholeBasis, bought - stays, bought);
    const basis = basisUpTo - (lots.basisTaken[at] as number);
    if (till.washable && upTo - dealt < basis) return false;
    lots.take(at, stays, basisUpTo);
    const term = termOf(false, purchase.on, trade.on);
    const answers = till.boxes[purchase.on >= till.coveredFrom ? 1 : 0] as readonly [BoxAnswer, BoxAnswer];
    const { box, reason } = answers[term === 'short' ? 0 : 1];
    fold.facts.push({
      kind: 'disposal',
      causedOn: fold.day,
      id: `${trade.id}/0.${row}`,
      saleId: trade.id,
      on: trade.on,
      account: trade.account,
      sold: trade.on,
      term,
      box,
      boxReason: reason,
      shortSale: false,
      expired: null,
      code: '',
      adjustment: zeroCents,
      description: null,
      lotId: `${purchase.id}/0`,
      asset: trade.asset,
      assetClass: trade.assetClass,
      quantity: quantity as Quantity,
      acquired: purchase.on,
      heldSince: purchase.on,
      inherited: false,
      proceeds: BigInt(upTo - dealt) as Cents,
      basis: BigInt(basis) as Cents,
      basisUnknown: false,
      identified: 'default',
    });
    dealt = upTo;
  }
  return true;
}

/** An amount in 10⁻⁸ dollars as a double; exact where `isExact`. */
function amountNear(amount: Money | null): number {
  return amount === null ? 0 : Number(amount);
}

/** Whole doubles this small, and their sums, are exact: up to some forty-five million dollars. */
function isExact(sum: number): boolean {
  return Math.abs(sum) < exactMax;
}

const exactMax = Number.MAX_SAFE_INTEGER / 2;
const moneyPerCent = 1_000_000;

/** Whole cents of an exact amount. */
function centsOf(fold: Fold, rest: string, amount: number): number {
  const cents = Math.round(amount / moneyPerCent);
  return cents * moneyPerCent === amount ? cents : Number(settle(fold, rest, BigInt(amount) as Money));
}
