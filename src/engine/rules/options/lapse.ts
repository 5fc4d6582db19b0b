import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { OpenLot, WrittenOption } from '../../book/book.ts';
import type { OptionLapse } from '../../book/fold.ts';
import { type Fold, isRetirement, mayLapse, type Pool, raise } from '../../book/fold.ts';
import { orders, type TransactionEvent } from '../../events/event.ts';
import type { Transaction } from '../../model.ts';
import { unstatedMembers } from '../../unstated-members.ts';
import { take } from '../lots/take.ts';
import { writeSale } from '../sales/sale.ts';
import { joinMarriedStock } from '../short-sales/puts.ts';
import { closeWrittenBy } from './options.ts';

/**
 * Options past their expiration have ended, whether or not a row states how. Rows of an expiry, an exercise or an
 * assignment may be dated some days later. Once the books extend past those days, an option that is still open counts
 * as expired on its expiration, and an issue is raised (`option_expired`). Leaving an option open forever, or claiming
 * a loss silently, would both be wrong. The last day of the books depends on their rows, not on a clock.
 */

/** Returns the next day that an open option counts as expired, or null if there is none. */
export function nextLapse(fold: Fold): Day | null {
  for (;;) {
    const [first] = fold.lapses;
    if (first === undefined) return null;
    if (isOpen(fold, first.key)) return first.on;
    fold.lapses.shift();
  }
}

/** Expires the options that are open past their expiration. Runs at the end of a day. */
export function endLapsed(fold: Fold): void {
  for (let on = nextLapse(fold); on !== null && on <= fold.day; on = nextLapse(fold)) {
    const [first] = fold.lapses;
    if (first === undefined) return;
    fold.lapses.shift();
    end(fold, first);
  }
}

/**
 * Returns whether the option has an open position that can expire. One symbol may have rows of several classes, and a
 * lot of another class does not expire.
 */
function isOpen(fold: Fold, key: string): boolean {
  for (const pool of fold.pools.get(key)?.values() ?? []) if (pool.lots.values().some(mayLapse)) return true;
  return (fold.written.get(key)?.length ?? 0) > 0;
}

function end(fold: Fold, lapse: OptionLapse): void {
  const pools = [...(fold.pools.get(lapse.key)?.values() ?? [])].filter((pool) => pool.lots.size > 0);
  const written = fold.written.get(lapse.key) ?? [];
  const accounts = new Set([...pools, ...written].map((position) => position.account));
  [...accounts].sort().forEach((account, at) => {
    const pool = pools.find((one) => one.account === account);
    const opened = pool === undefined ? written.find((one) => one.account === account) : oldestOf(pool);
    if (opened === undefined) return;
    const event = buildExpiryEvent(lapse, opened, firstOrdinal + 2 * at);
    const held = pool === undefined ? { units: 0n, dollars: 0n } : endHeld(fold, event, pool);
    const closed = closeWrittenBy(fold, { ...event, ordinal: event.ordinal + 1 });
    if (isRetirement(fold, account)) return;
    const units = formatQuantity((held.units + closed.units) as Quantity);
    const detail =
      `No row shows how ${units} ${lapse.asset} in ${account} ended. They count as expired on ${formatDay(lapse.expires)}. ` +
      'If they were sold, exercised or assigned, add the row. If they expired, accept this issue.';
    raise(fold, event, 'option_expired', detail, { dollars: (held.dollars + closed.dollars) as Cents });
  });
}

// Higher than the ordinals of all other events of the row that opened the position.
const firstOrdinal = 8;

function endHeld(
  fold: Fold,
  event: TransactionEvent,
  pool: Pool,
): { readonly units: bigint; readonly dollars: bigint } {
  const units = [...pool.lots.values()].reduce((sum, lot) => sum + lot.quantity, 0n);
  const taken = take(fold, event, pool.account, units, false);
  const rest = joinMarriedStock(fold, event, taken);
  writeSale(fold, event, rest, { proceeds: 0n, sold: event.on, expired: 'proceeds' });
  return { units, dollars: taken.slices.reduce((sum, slice) => sum + slice.basis, 0n) };
}

function oldestOf(pool: Pool): OpenLot {
  return pool.lots.values().reduce((oldest, lot) => (lot.sequence < oldest.sequence ? lot : oldest));
}

/** Returns the expiry event, as if the row that opened the position had stated it. */
function buildExpiryEvent(
  { key, asset, expires }: OptionLapse,
  opened: OpenLot | WrittenOption,
  ordinal: number,
): TransactionEvent {
  const { account, assetClass } = opened;
  const tx: Transaction = {
    ...unstatedMembers,
    type: 'expire',
    id: opened.openedBy,
    line: 0,
    at: null,
    on: expires,
    account,
    asset,
    assetClass,
  };
  return { kind: 'expire', tx, ordinal, order: orders.close, on: expires, at: null, key, asset, assetClass, account };
}
