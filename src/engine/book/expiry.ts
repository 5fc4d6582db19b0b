import { addDays, type Day, parseDay } from '../../base/day.ts';
import { parseOption } from '../events/keys.ts';
import type { Fold, OptionLapse } from './fold.ts';

/** Days after an expiry within which a row of an expiry, an exercise or an assignment may be dated. */
export const lapseDays = 7;

/** The day on which an open option counts as expired. Null where the asset is no option or its symbol has no date. */
export function lapseDayOf(asset: string): Day | null {
  const expires = expiryOf(asset);
  return expires === undefined ? null : addDays(expires, lapseDays);
}

/** The day of the expiry that a row states. A row of the following week means the day in the symbol. */
export function expiredOn({ asset, on }: { readonly asset: string; readonly on: Day }): Day {
  const expires = expiryOf(asset);
  return expires !== undefined && expires < on && on <= addDays(expires, lapseDays) ? expires : on;
}

/** The keys of options that count as expired on a day after `after` and not after `until`. */
export function lapsesBetween(keys: Iterable<string>, after: Day, until: Day): { key: string; on: Day }[] {
  return [...keys].flatMap((key) => {
    const on = lapseDayOf(key.slice(key.indexOf(':') + 1));
    return on === null || on <= after || on > until ? [] : [{ key, on }];
  });
}

/**
 * Remembers that an option is open. An option opened after it would count as expired has a wrong date: it stays open.
 */
export function awaitLapse(fold: Fold, { key, asset }: Pick<OptionLapse, 'key' | 'asset'>): void {
  const expires = expiryOf(asset);
  if (expires === undefined || fold.lapses.some((lapse) => lapse.key === key)) return;
  const on = addDays(expires, lapseDays);
  if (on < fold.day) return;
  let at = fold.lapses.length;
  while (at > 0 && isAfter(fold.lapses[at - 1] as OptionLapse, on, key)) at--;
  fold.lapses.splice(at, 0, { key, asset, expires, on });
}

function expiryOf(asset: string): Day | undefined {
  return parseDay(parseOption(asset)?.expires ?? '');
}

function isAfter(lapse: OptionLapse, on: Day, key: string): boolean {
  return lapse.on > on || (lapse.on === on && lapse.key > key);
}
