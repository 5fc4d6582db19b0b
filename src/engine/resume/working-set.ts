import { addDays, type Day } from '../../base/day.ts';
import type { Book, OpenLot } from '../book/book.ts';
import { resolveLotMethod } from '../book/method-in-force.ts';
import { universalAccount } from '../book/own-accounts.ts';
import type { Event } from '../events/event.ts';
import { buildEvents } from '../events/events.ts';
import type { AccountAsset, Ledger } from '../events/ledger.ts';
import { washDays } from '../events/wash-window.ts';
import { lotMethodTable, type StoredOrder } from '../lot-methods.ts';
import type { Rules } from '../model.ts';
import { standingOrderFor } from '../rules/lots/standing-orders.ts';
import { resolveLotAccount } from '../rules/lots/take.ts';
import { hasContracts } from '../rules/year/year-end.ts';
import { poolName } from './packed.ts';

/**
 * The lots of a book that some transactions can affect. A sale does not need all lots of a book with 200,000 open lots.
 * The working set contains the first lots in the order of the method, enough for the units sold, plus lots bought in
 * the wash sale window, lots that rows name, and lots in transit. Splits, shorts, averages and other events that may
 * affect any lot need the whole book.
 *
 * The number of units is an estimate that is checked afterwards (`isEnough`). If a replay left at least one of the
 * first lots of a pool, it did not need more lots. Otherwise it is repeated with more lots.
 */
export interface WorkingSet {
  readonly pools: readonly PoolWorkingSet[];
  /** Lots opened by rows with these ids are included. */
  readonly labels: readonly string[];
  /** Lots bought from this day on are included. */
  readonly purchasedFrom: Day;
  /** Asset keys with lots in transit. */
  readonly transits: readonly string[];
}

export interface PoolWorkingSet {
  readonly key: string;
  readonly account: string;
  readonly order: StoredOrder;
  /** The number of units that may be taken. */
  units: bigint;
  /** The number of events that take units. */
  takes: number;
}

/**
 * Returns the working set of some transactions for a book without its lots. Returns null if they may affect any lot.
 */
export function findWorkingSet(book: Book, ledger: Ledger, rules: Rules, keys: ReadonlySet<string>): WorkingSet | null {
  const looksAround =
    book.shorts.length +
      book.closedShorts.length +
      book.coveredCalls.length +
      book.shortLosses.length +
      book.puts.length +
      book.deferrals.length >
      0 || hasContracts(book);
  if (looksAround || book.pools.some((pool) => pool.average !== null)) return null;
  const universal = new Set(book.pools.filter((pool) => pool.account === universalAccount).map((pool) => pool.key));
  const pools = new Map<string, PoolWorkingSet>();
  const labels = new Set<string>();
  let first = Number.POSITIVE_INFINITY;
  const canTake = (taken: TakingEvent, units: bigint): boolean => {
    const order = findStoredOrder(taken, rules);
    if (order === null || taken.assetClass === 'option' || universal.has(taken.key)) return false;
    const { key } = taken;
    const pool = { key, account: resolveLotAccount(rules, taken.assetClass, taken.account, taken.on) };
    const name = `${order} ${poolName(pool)}`;
    const known = pools.get(name) ?? { ...pool, order, units: 0n, takes: 0 };
    known.units += units;
    known.takes += 1;
    pools.set(name, known);
    return true;
  };
  for (const transaction of ledger.others) {
    for (const event of buildEvents(transaction)) {
      if (!keys.has(event.key)) continue;
      first = Math.min(first, event.on);
      const units = findUnitsTaken(event);
      if (units === null) return null;
      if (units === 0n) continue;
      if (!canTake(event, units)) return null;
      for (const choice of transaction.lots) labels.add(choice.label);
    }
  }
  for (let trade = 0; trade < ledger.trades; trade++) {
    const accountAsset = ledger.places[ledger.placeOf[trade] as number] as AccountAsset;
    if (!keys.has(accountAsset.key)) continue;
    const on = ledger.ons[trade] as Day;
    first = Math.min(first, on);
    const taken = { ...accountAsset, on, at: ledger.instant(trade) };
    if (ledger.isSale[trade] && !canTake(taken, ledger.quantity(trade))) return null;
  }
  const transits = [...new Set(book.transits.map((transit) => transit.key))];
  const purchasedFrom = addDays((Number.isFinite(first) ? first : (book.asOf ?? 0)) as Day, -washDays);
  return { pools: [...pools.values()], labels: [...labels], purchasedFrom, transits };
}

type TakingEvent = Pick<Event, 'key' | 'account' | 'asset' | 'assetClass' | 'on' | 'at'>;

/** Returns the units that an event takes from lots of the book. Returns null if it may affect any lot. */
function findUnitsTaken(event: Event): bigint | null {
  switch (event.kind) {
    case 'acquire':
      return event.right === null ? 0n : null;
    case 'income':
      // The first interest on a bond is reduced by the accrued interest paid for its lots, so any lot may be affected.
      if (event.tx.type === 'interest' && event.asset !== '' && event.key.startsWith('security:')) return null;
      // A distribution is divided among all shares of its account.
      return event.tx.type === 'capital_gain_distribution' && event.assetClass === 'fund' ? null : 0n;
    case 'deposit':
      return 0n;
    case 'dispose':
      return event.quantity;
    case 'move':
    case 'withdraw':
      return event.tx.quantity ?? 0n;
    default:
      return null;
  }
}

function findStoredOrder({ account, asset, assetClass, on, at }: TakingEvent, rules: Rules): StoredOrder | null {
  const order = rules.standingOrders === undefined ? null : standingOrderFor(rules, { account, asset, on, at });
  return lotMethodTable[resolveLotMethod(rules, account, assetClass, on, order)].storedOrder;
}

/** The first lots of a pool in a stored order, without a gap. */
export interface FirstLots {
  readonly key: string;
  readonly account: string;
  /** Whether the list contains all lots of the pool. */
  readonly all: boolean;
  readonly lots: readonly OpenLot[];
}

/** Returns whether a replay needed only the first lots of each pool. It did if at least one of them is still open. */
export function isEnough(firsts: readonly FirstLots[], after: Book): boolean {
  if (firsts.every((first) => first.all)) return true;
  const pools = new Map(after.pools.map((pool) => [poolName(pool), pool]));
  return firsts.every((first) => {
    if (first.all) return true;
    const left = new Map(pools.get(poolName(first))?.lots.map((lot) => [lot.id, lot]));
    return first.lots.some((lot) => {
      const now = left.get(lot.id);
      return now !== undefined && isInPlace(lot, now);
    });
  });
}

function isInPlace(before: OpenLot, now: OpenLot): boolean {
  return (
    now.acquired === before.acquired &&
    now.sequence === before.sequence &&
    now.unitBasis === before.unitBasis &&
    now.unitQuantity === before.unitQuantity
  );
}
