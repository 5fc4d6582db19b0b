import { addDays, type Day } from '../../base/day.ts';
import type { Book, OpenLot } from '../book/book.ts';
import { universalAccount } from '../book/lots.ts';
import { methodOf } from '../book/method-in-force.ts';
import type { Event } from '../events/event.ts';
import { eventsOf } from '../events/events.ts';
import type { AccountAsset, Ledger } from '../events/ledger.ts';
import { lotMethodTable, type StoredOrder } from '../lot-methods.ts';
import type { Rules } from '../model.ts';
import { standingOrderFor } from '../rules/lots/standing-orders.ts';
import { lotAccountOf } from '../rules/lots/take.ts';
import { washDays } from '../rules/wash-sales/wash.ts';
import { hasContracts } from '../rules/year/year-end.ts';
import { poolName } from './packed.ts';

/**
 * A book of 200,000 open lots is not read for one sale. Which of its lots can some transactions touch? The first ones in
 * the order of the method that their units need, those bought in the window of a wash sale, those that rows name, and
 * those on their way between accounts. Whatever may look at all lots (splits, shorts, averages and the like) gets all.
 *
 * The guess about units needs no trust: a replay that left one of the first lots of a pool standing never asked for a
 * later one, and one that did not is done again with more of them (`isEnough`).
 */
export interface WorkingSet {
  readonly pools: readonly PoolWorkingSet[];
  /** Lots of rows with these ids. */
  readonly labels: readonly string[];
  /** Lots bought from this day on. */
  readonly purchasedFrom: Day;
  /** Keys of which lots are on their way. */
  readonly transits: readonly string[];
}

export interface PoolWorkingSet {
  readonly key: string;
  readonly account: string;
  readonly order: StoredOrder;
  /** Units that may leave. */
  units: bigint;
  /** In so many takings. */
  takes: number;
}

/** What the transactions can touch of a book, given without its lots; null where it may be anything. */
export function workingSetOf(book: Book, ledger: Ledger, rules: Rules, keys: ReadonlySet<string>): WorkingSet | null {
  const looksAround = book.shorts.length + book.shortLosses.length + book.puts.length > 0 || hasContracts(book);
  if (looksAround || book.pools.some((pool) => pool.average !== null)) return null;
  const universal = new Set(book.pools.filter((pool) => pool.account === universalAccount).map((pool) => pool.key));
  const pools = new Map<string, PoolWorkingSet>();
  const labels = new Set<string>();
  let first = Number.POSITIVE_INFINITY;
  const canTake = (taken: TakingEvent, units: bigint): boolean => {
    const order = storedOrderOf(taken, rules);
    if (order === null || taken.assetClass === 'option' || universal.has(taken.key)) return false;
    const { key } = taken;
    const pool = { key, account: lotAccountOf(rules, taken.assetClass, taken.account, taken.on) };
    const name = `${order} ${poolName(pool)}`;
    const known = pools.get(name) ?? { ...pool, order, units: 0n, takes: 0 };
    known.units += units;
    known.takes += 1;
    pools.set(name, known);
    return true;
  };
  for (const transaction of ledger.others) {
    for (const event of eventsOf(transaction)) {
      if (!keys.has(event.key)) continue;
      first = Math.min(first, event.on);
      const units = unitsOf(event);
      if (units === null) return null;
      if (units === 0n) continue;
      if (!canTake(event, units)) return null;
      for (const choice of transaction.lots) labels.add(choice.label);
    }
  }
  for (let trade = 0; trade < ledger.trades; trade++) {
    const place = ledger.places[ledger.placeOf[trade] as number] as AccountAsset;
    if (!keys.has(place.key)) continue;
    const on = ledger.ons[trade] as Day;
    first = Math.min(first, on);
    const taken = { ...place, on, at: ledger.instant(trade) };
    if (ledger.isSale[trade] && !canTake(taken, ledger.quantity(trade))) return null;
  }
  const transits = [...new Set(book.transits.map((transit) => transit.key))];
  const purchasedFrom = addDays((Number.isFinite(first) ? first : (book.asOf ?? 0)) as Day, -washDays);
  return { pools: [...pools.values()], labels: [...labels], purchasedFrom, transits };
}

type TakingEvent = Pick<Event, 'key' | 'account' | 'asset' | 'assetClass' | 'on' | 'at'>;

/** Units that an event takes from lots that it does not bring itself; null where it may look at any of them. */
function unitsOf(event: Event): bigint | null {
  switch (event.kind) {
    case 'acquire':
      return event.right === null ? 0n : null;
    case 'income':
      // A distribution is dealt out over all the shares of its account.
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

function storedOrderOf({ account, asset, assetClass, on, at }: TakingEvent, rules: Rules): StoredOrder | null {
  const order = rules.standingOrders === undefined ? null : standingOrderFor(rules, { account, asset, on, at });
  return lotMethodTable[methodOf(rules, account, assetClass, on, order)].storedOrder;
}

/** The first lots of a pool in a stored order, all of them up to the last one's place. */
export interface FirstLots {
  readonly key: string;
  readonly account: string;
  /** There are no others. */
  readonly all: boolean;
  readonly lots: readonly OpenLot[];
}

/** Whether a replay cannot have asked for more of a pool than its first lots: one of them is still in its place. */
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
