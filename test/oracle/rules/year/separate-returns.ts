import type { Day } from '../../../../src/base/day.ts';
import type { Rules } from '../../../../src/engine/model.ts';
import { yearOfDay } from '../../numbers.ts';

/**
 * On separate returns, each spouse reports their own amounts (IRC 6013, 1211(b)): the results of the spouse's account
 * are not here.
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
