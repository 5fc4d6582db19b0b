import type { Day } from '../../../../src/base/day.ts';
import type { Rules } from '../../../../src/engine/model.ts';
import { yearOfDay } from '../../numbers.ts';

/**
 * Returns the items for this return. On separate returns, each spouse reports their own amounts (IRC 6013, 1211(b)), so
 * the spouse's accounts are left out.
 */
export function ofThisReturn<Item extends { readonly account: string; readonly on: Day }>(
  { separateReturns, accounts }: Rules,
  items: readonly Item[],
): Item[] {
  return items.filter(({ account, on }) => {
    const year = yearOfDay(on);
    const separate = separateReturns?.byYear[year] ?? separateReturns?.otherwise ?? false;
    return !(separate && accounts[account]?.type === 'spouse');
  });
}
