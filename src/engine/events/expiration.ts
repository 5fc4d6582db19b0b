import { addDays, type Day, parseDay } from '../../base/day.ts';
import type { Transaction, TransactionType } from '../model.ts';
import { parseOption } from './keys.ts';

/** Days after an expiration within which a row of an expiry, an exercise or an assignment may be dated. */
export const lapseDays = 7;

/** The day in the symbol of an option. Undefined if the asset is not an option or its symbol has no day. */
export function expirationOf(asset: string): Day | undefined {
  return parseDay(parseOption(asset)?.expires ?? '');
}

/**
 * The end date stated by a row. No option ends after its expiration, but brokers may book the end in the following
 * week, so such a row means the expiration.
 */
export function endedOn({ asset, on }: { readonly asset: string; readonly on: Day }): Day {
  const expires = expirationOf(asset);
  return expires !== undefined && expires < on && on <= addDays(expires, lapseDays) ? expires : on;
}

/** A row that ends an option, dated on the day of the end. Its time of day is the booking time and is left out. */
export function onDayOfEnd(tx: Transaction): Transaction {
  if (!endings.has(tx.type)) return tx;
  const on = endedOn(tx);
  return on === tx.on ? tx : { ...tx, on, at: null };
}

const endings: ReadonlySet<TransactionType> = new Set(['expire', 'exercise', 'assign']);
