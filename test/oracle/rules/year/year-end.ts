import type { Day } from '../../../../src/base/day.ts';
import { lastOfDecember, yearOfDay } from '../../numbers.ts';
import { isContract, isRetirement, raise, remaining, type State } from '../../state.ts';
import { endsBy } from '../options/lapse.ts';

/**
 * Raises an issue for each section 1256 contract without a value at the end of a year between two days: "Each section
 * 1256 contract held by the taxpayer at the close of the taxable year shall be treated as sold for its fair market
 * value on the last business day" (IRC 1256(a)(1)).
 */
export function endYears(state: State, from: Day, until: Day): void {
  for (let on = lastOfDecember(from); on < until; on = lastOfDecember((on + 1) as Day)) {
    if (yearOfDay(on) === yearOfDay(until)) return;
    const open = [
      ...state.lots.map((lot) => ({ position: lot, openedBy: lot.transactionId })),
      ...state.shorts.map((short) => ({ position: short, openedBy: short.origin.split('/')[0] ?? '' })),
    ].filter(
      ({ position }) =>
        isContract(position.assetClass) && remaining(position).gt(0) && !endsBy(position.asset, from, on),
    );
    const asked = new Set<string>();
    for (const { position, openedBy } of open.sort((a, b) => a.position.order - b.position.order)) {
      const { account, asset, markedOn } = position;
      const days = markedOn === undefined ? -1 : on - markedOn;
      if (isRetirement(state, account) || (days >= 0 && days <= 2) || asked.has(`${account} ${asset}`)) continue;
      asked.add(`${account} ${asset}`);
      raise(state, openedBy, 'value_missing');
    }
  }
}
