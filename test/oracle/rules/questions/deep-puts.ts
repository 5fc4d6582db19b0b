import type { Day } from '../../../../src/base/day.ts';
import type { AssetClass } from '../../../../src/engine/model.ts';
import { isRetirement, raise, remaining, type State } from '../../state.ts';
import { ofThisReturn } from '../year/separate-returns.ts';
import { listedOption, stockOfOption } from './positions.ts';

/**
 * Asks about puts written deep in the money. Rev. Rul. 85-87: a put sold within the days of IRC 1091(a) that is so deep
 * in the money that there is no substantial likelihood that it will not be exercised is a contract to acquire the
 * stock. The question is asked if the strike is 10% or more above the price of the stock sold, at the end of the later
 * of the two days.
 */
export function raiseDeepPuts(state: State, today: Day): void {
  const puts = state.shorts.flatMap((short) => {
    const option = short.written ? listedOption(short.asset) : undefined;
    const counts = option?.isCall === false && remaining(short).gt(0) && !isRetirement(state, short.account);
    return counts ? [{ ...option, stock: stockOfOption(short), written: short.opened }] : [];
  });
  for (const { line, on, asOf } of ofThisReturn(
    state.rules,
    state.unreplaced.map((loss) => ({ ...loss, account: loss.line.account })),
  )) {
    const { left, whole } = asOf(today);
    const isDeep = puts.some(
      ({ stock, strike, written }) =>
        stock === line.asset &&
        (written === today || on === today) &&
        Math.abs(written - on) <= 30 &&
        line.proceeds.gt(0) &&
        strike.times(whole).gte(line.proceeds.times('1.1')),
    );
    if (isDeep && left.gt(0) && ofStock.has(line.assetClass)) raise(state, line.saleId, 'deep_put_written');
  }
}

const ofStock: ReadonlySet<AssetClass> = new Set(['stock', 'fund', 'bond', 'treasury_bill']);
