import { type Day, longTermOn } from '../../../base/day.ts';
import type { Term } from '../../model.ts';

/**
 * Returns long-term if property was held for more than one year, by the calendar (IRC 1222). Inherited property is
 * always long-term (IRC 1223(9)).
 */
export function computeTerm(inherited: boolean, heldSince: Day, sold: Day): Term {
  const days = sold - heldSince;
  // A year and a day are 366 or 367 days. The calendar is needed only for these.
  if (!inherited && days <= 365) return 'short';
  return inherited || days > 367 || sold >= longTermOn(heldSince) ? 'long' : 'short';
}
