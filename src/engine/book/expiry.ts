import { addDays, type Day } from '../../base/day.ts';
import { expirationOf, lapseDays } from '../events/expiration.ts';
import type { Fold, OptionLapse } from './fold.ts';

/**
 * Returns the day an open option counts as expired, or null if the asset is not an option or its symbol has no date.
 */
export function findLapseDay(asset: string): Day | null {
  const expires = expirationOf(asset);
  return expires === undefined ? null : addDays(expires, lapseDays);
}

/** Returns the keys of options that count as expired on a day after `after`, up to and including `until`. */
export function lapsesBetween(keys: Iterable<string>, after: Day, until: Day): { key: string; on: Day }[] {
  return [...keys].flatMap((key) => {
    const on = findLapseDay(key.slice(key.indexOf(':') + 1));
    return on === null || on <= after || on > until ? [] : [{ key, on }];
  });
}

/**
 * Records that an option is open, so that it can expire. If the option was opened after its expiration date, that date
 * is wrong, so the option stays open.
 */
export function awaitLapse(fold: Fold, { key, asset }: Pick<OptionLapse, 'key' | 'asset'>): void {
  const expires = expirationOf(asset);
  if (expires === undefined || fold.lapses.some((lapse) => lapse.key === key)) return;
  const on = addDays(expires, lapseDays);
  if (on < fold.day) return;
  let at = fold.lapses.length;
  while (at > 0 && isAfter(fold.lapses[at - 1] as OptionLapse, on, key)) at--;
  fold.lapses.splice(at, 0, { key, asset, expires, on });
}

function isAfter(lapse: OptionLapse, on: Day, key: string): boolean {
  return lapse.on > on || (lapse.on === on && lapse.key > key);
}
