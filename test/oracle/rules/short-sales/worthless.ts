import type { OracleEvent } from '../../events/events.ts';
import { type Exact, most, nothing, sum, units } from '../../numbers.ts';
import { isRetirement, isSame, placeOf, raise, remaining, type State } from '../../state.ts';
import { heldLots } from '../lots/lots.ts';
import { ofThisReturn } from '../year/separate-returns.ts';
import { deliverStock } from './cover.ts';
import { chooseShorts } from './shorts.ts';

/**
 * Closes shorts of a worthless asset. "If the taxpayer enters into a short sale of property, and such property becomes
 * substantially worthless, the taxpayer shall recognize gain in the same manner as if the short sale were closed when
 * the property becomes substantially worthless" (IRC 1233(h)(1)). A row applies first to units that the account holds,
 * then to units that it owes.
 */
function endShort(state: State, event: OracleEvent): Exact {
  const { account, asset, assetClass, quantity, on } = event.transaction;
  const held = sum(heldLots(state, placeOf(state, account, assetClass, event.on), asset, assetClass).map(remaining));
  const open = chooseShorts(state, event, most(nothing, units(quantity).minus(held)));
  const closings = open.closings.filter(({ short }) => short.opened <= on);
  const closed = sum(closings.map((one) => one.quantity));
  const day = { ...event, ordinal: 1, on, timed: false };
  if (closed.gt(0))
    deliverStock(state, day, closings, { quantity: closed, basis: nothing, hidden: nothing, basisUnknown: false });
  return closed;
}

/** Returns the units of a worthless asset that leave lots. A taxpayer who still owes some units is asked. */
export function worthlessHeld(state: State, event: OracleEvent): Exact {
  const { id, asset, assetClass, quantity } = event.transaction;
  const held = units(quantity).minus(endShort(state, event));
  const open = state.shorts.filter(
    (short) => !short.written && isSame(short, asset, assetClass) && !isRetirement(state, short.account),
  );
  const ours = ofThisReturn(
    state.rules,
    open.map(({ account }) => ({ account, on: event.on })),
  );
  for (const account of new Set(ours.map((one) => one.account))) {
    const action = JSON.stringify(['short of worthless', asset, assetClass, account]);
    if (!state.actionsToday.has(action)) raise(state, id, 'unreconciled');
    state.actionsToday.add(action);
  }
  return held;
}
