import { addDays, type Day } from '../base/day.ts';
import type { Book, OpenLot } from './book/book.ts';
import { isReversal } from './events/corrections.ts';
import { eventsOf } from './events/events.ts';
import { type LotMethod, lotMethods, lotMethodTable } from './lot-methods.ts';
import type { Rules, Transaction } from './model.ts';
import { isSameLot, packWithoutLots } from './resume/packed.ts';
import { washDays } from './rules/wash-sales/window.ts';

/**
 * A corrected amount comes to rest: on some later day the book is again what it was, but for what some open lots cost.
 * Where nothing but plain trades follows, and none of them touches such a lot, all that follows stays as it is: trades
 * take lots in an order that does not ask what they cost, and look no further back for replacements than the window.
 */

/** Whether a row leaves lots, and all else that a later row may look at, alone: money that comes or is withheld. */
export function isQuiet(tx: Transaction): boolean {
  if (isReversal(tx) || tx.type === 'capital_gain_distribution') return false;
  return eventsOf(tx).every((event) => event.kind === 'income');
}

/** Whether any lots may leave by a method. */
export function namesMethod(rules: Rules, method: LotMethod): boolean {
  return JSON.stringify(rules).includes(`"${method}"`);
}

export function canRest(rules: Rules): boolean {
  return !lotMethods.some((method) => lotMethodTable[method].asksCost && namesMethod(rules, method));
}

/** Whether all but the lots is the same, and none of it looks around among lots. */
export function isSameRest(now: Book, before: Book): boolean {
  const looksAround = [before.shorts, before.shortLosses, before.puts, before.written, before.transits];
  if (looksAround.some((members) => members.length > 0)) return false;
  return before.pools.every((pool) => pool.average === null) && packWithoutLots(now) === packWithoutLots(before);
}

/** Whether it makes no difference to plain trades after a day that leave the lot alone which of the two it is. */
export function isSameAtRest(now: OpenLot, before: OpenLot, day: Day, isAlone: boolean): boolean {
  const windowFrom = addDays(day, 1 - washDays);
  const isOutside = now.purchasedOn === null || now.purchasedOn < windowFrom;
  // Fragments of one purchase leave in an order that asks which of them replaced a loss.
  if (now.adjusted !== before.adjusted && !isAlone) return false;
  if (now.used !== before.used && !isOutside) return false;
  return isSameLot({ ...now, ...costOf(before), used: before.used, adjusted: before.adjusted }, before);
}

/** What a lot cost, and since when it counts as held: what only its own sale asks. */
function costOf(lot: OpenLot): Partial<OpenLot> {
  const { wholeQuantity, wholeBasis, basisTaken, unitBasis, unitQuantity, lossBasis, lossTaken, heldSince } = lot;
  return { wholeQuantity, wholeBasis, basisTaken, unitBasis, unitQuantity, lossBasis, lossTaken, heldSince };
}
