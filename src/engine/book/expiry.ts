import { addDays, type Day, parseDay } from '../../base/day.ts';
import { parseOption } from '../events/keys.ts';
import type { Fold, OptionLapse } from './fold.ts';

/** Rows of an expiry, an exercise or an assignment may be dated so many days after it. */
export const lapseDays = 7;

/** The day on which an option that is still open is taken as expired; null for what is none, or does not say its day. */
export function lapseDayOf(asset: string): Day | null {
  const expires = expiryOf(asset);
  return expires === undefined ? null : addDays(expires, lapseDays);
}

/** The day on which an option expired that a row states: its own where the row is of the week after. */
export function expiredOn({ asset, on }: { readonly asset: string; readonly on: Day }): Day {
  const expires = expiryOf(asset);
  return expires !== undefined && expires < on && on <= addDays(expires, lapseDays) ? expires : on;
}

/** Of the keys of books those of options whose time is over on a day after one and not after another. */
export function lapsesBetween(keys: Iterable<string>, after: Day, until: Day): { key: string; on: Day }[] {
  return [...keys].flatMap((key) => {
    const on = lapseDayOf(key.slice(key.indexOf(':') + 1));
    return on === null || on <= after || on > until ? [] : [{ key, on }];
  });
}

/** Remembers that an option is open. What was opened after its time is over says its day wrongly: it stays open. */
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
