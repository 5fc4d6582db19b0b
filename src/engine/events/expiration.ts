import { addDays, type Day, parseDay } from '../../base/day.ts';
import type { Transaction, TransactionType } from '../model.ts';
import { parseOption } from './keys.ts';

/** How many days after its expiration an expiry, an exercise or an assignment may still be booked. */
export const lapseDays = 7;

/**
 * Returns the expiration date in an option symbol. Returns undefined if the asset is not an option or its symbol has no
 * date.
 */
export function expirationOf(asset: string): Day | undefined {
  return parseDay(parseOption(asset)?.expires ?? '');
}

/**
 * Returns the day an option ended. No option ends after its expiration, but brokers may book the end in the following
 * week. A row in that week takes effect on the expiration date.
 */
export function endedOn({ asset, on }: { readonly asset: string; readonly on: Day }): Day {
  const expires = expirationOf(asset);
  return expires !== undefined && expires < on && on <= addDays(expires, lapseDays) ? expires : on;
}

/**
 * Returns a row that ends an option, dated on the day of the end. If the day changes, the time is dropped, because it
 * is the booking time.
 */
export function onDayOfEnd(tx: Transaction): Transaction {
  if (!endings.has(tx.type)) return tx;
  const on = endedOn(tx);
  return on === tx.on ? tx : { ...tx, on, at: null };
}

const endings: ReadonlySet<TransactionType> = new Set(['expire', 'exercise', 'assign']);
